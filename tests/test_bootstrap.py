"""Bootstrap intervals: by hand, beside SciPy, and what they must not do."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import deciban as db
from deciban.errors import OptionError
from deciban.uncertainty.bootstrap import bootstrap as module
from deciban.uncertainty.bootstrap import jackknife
from deciban.uncertainty.bootstrap.bootstrap import WITHOUT_BCA, Figure, bca_levels, interval_of, quantile
from deciban.uncertainty.bootstrap.jackknife import acceleration, evaluations, left_out
from deciban.uncertainty.bootstrap.replicate import each
from deciban.uncertainty.bootstrap.resample import by_trial
from deciban.uncertainty.bootstrap.sources import by_source

AUC = [Figure(name="auc", range=(0, 1))]
TARGETS, NONTARGETS = [0.2, 1.0, 1.5, 1.5, 2.0, 3.1, 0.4, 2.2], [-1.0, 0.0, 0.4, 1.5, -0.3, 0.9, -2.0, 0.4, 0.1, 1.1]
INFINITE = float("inf")


def bootstrap(*arguments, **options):
    return module.bootstrap(*arguments, **options)


def auc_interval(data, **options):
    return bootstrap(data, each({"auc": db.auc}), AUC, **{"replicates": 300} | options)["auc"]


def read(drawn, value, method="percentile", level=0.5, skew=0.0, range_=(-INFINITE, INFINITE)):
    figure = Figure(name="x", range=range_, method=method)
    return interval_of(figure, value, np.array(drawn, dtype=float), level, skew, "trials")


def limits(interval):
    return pytest.approx((interval.low, interval.high), abs=1e-12)


def test_percentile_and_basic_by_hand():
    drawn = [5, 1, 3, 2, 4, 9]  # sorted 1 2 3 4 5 9: quartiles at ranks 1.25 and 3.75
    assert limits(read(drawn, 3.0)) == (2.25, 4.75)
    assert limits(read(drawn, 3.0, "basic")) == (1.25, 3.75)
    assert limits(read(drawn, 3.0, "basic", range_=(1.5, 3.0))) == (1.5, 3.0)


def test_bca_by_hand():
    # One below, one equal of four: share 3/8. Without skew both levels move by twice its probit.
    z0, z = stats.norm.ppf(3 / 8), stats.norm.ppf(0.75)
    assert bca_levels(np.array([1, 2, 3, 4.0]), 2.0, 0.0, (0.25, 0.75)) == pytest.approx(
        (stats.norm.cdf(2 * z0 - z), stats.norm.cdf(2 * z0 + z))
    )
    low, high = (stats.norm.cdf(z0 + (z0 + at) / (1 - 0.1 * (z0 + at))) for at in (-z, z))
    interval = read([1, 2, 3, 4], 2.0, "bca", skew=0.1)
    assert limits(interval) == (np.quantile([1, 2, 3, 4], low), np.quantile([1, 2, 3, 4], high))
    assert interval.method == "bca"


@pytest.mark.parametrize("value", [0.5, 9.0])
def test_bca_without_a_correction_says_percentile(value):
    interval = read([1, 2, 3, 4], value, "bca")
    assert limits(interval) == (min(1.75, value), max(3.25, value))
    assert interval.method == WITHOUT_BCA


@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "halves", "halves-log"])
@pytest.mark.parametrize("value", [0.1, 0.5, 0.9])
def test_an_interval_holds_the_value(method, value):
    interval = read([0.4, 0.5, 0.55, 0.6], value, method)
    assert interval.low <= value <= interval.high


@pytest.mark.parametrize("method", ["percentile", "basic", "BCa"])
def test_scipy_reads_the_same_from_the_same_replicates(method):
    def auc(targets, nontargets):
        return float(db.auc(db.Counts.from_classes(targets, nontargets)))

    theirs = stats.bootstrap(
        (TARGETS, NONTARGETS), auc, n_resamples=400, vectorized=False, method=method, random_state=1
    )
    resampling = by_trial(db.Counts.from_classes(TARGETS, NONTARGETS))
    skew = acceleration(resampling, left_out(resampling), each({"auc": db.auc})(["auc"]), 1)
    figure = Figure(name="auc", range=(-9, 9), method=method.lower())
    ours: Any = interval_of(figure, auc(TARGETS, NONTARGETS), theirs.bootstrap_distribution, 0.95, skew[0], "trials")
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=1e-12)


def test_our_replicates_are_as_spread_as_scipys():
    theirs = stats.bootstrap(
        (TARGETS, NONTARGETS),
        lambda t, n: float(db.auc(db.Counts.from_classes(t, n))),
        n_resamples=3000,
        vectorized=False,
        method="percentile",
        random_state=1,
    )
    ours = auc_interval(by_trial(db.Counts.from_classes(TARGETS, NONTARGETS)), replicates=3000)
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.02)


def test_acceleration_of_a_mean():
    # One stratum of single units: the textbook's Σ(mean − x)³ / (6 [Σ(mean − x)²]^1.5).
    score = np.array([1.0, 2.0, 4.0, 9.0])
    trials = db.Trials.from_arrays(score, [1, 1, 1, 0], target=1, sources=list("abcd"))
    resampling = by_source(trials)

    def mean(replicate):
        counts = replicate.counts()
        return [float(((counts.n_target + counts.n_nontarget) * counts.score).sum() / counts.total)]

    gap = score - score.mean()
    expected = (gap**3).sum() / (6 * (gap**2).sum() ** 1.5)
    assert acceleration(resampling, left_out(resampling), mean, 1)[0] == pytest.approx(expected)


def test_acceleration_from_some_units_is_near_that_from_all(monkeypatch):
    rng = np.random.default_rng(0)
    counts = db.Counts.from_classes(rng.gamma(1.0, 2.0, 600), rng.normal(-1, 1, 700), scale="ln_lr")
    resampling = by_trial(counts)
    statistic = each({"auc": db.auc, "cllr": db.cllr})(["auc", "cllr"])
    every = left_out(resampling)
    assert evaluations(every) == 1300
    exact = acceleration(resampling, every, statistic, 2)
    monkeypatch.setattr(jackknife, "LIMIT", 200)
    some = left_out(resampling)
    assert evaluations(some) == 400
    assert [chosen.times.sum() for chosen in some] == [600, 700]
    assert acceleration(resampling, some, statistic, 2) == pytest.approx(exact, abs=2e-3)


def test_acceleration_where_leaving_one_out_leaves_no_value():
    resampling = by_trial(db.Counts.from_classes([3], [1, 2, 4]))
    found = acceleration(resampling, left_out(resampling), each({"auc": db.auc})(["auc"]), 1)
    assert math.isfinite(found[0])


def test_undefined_replicates_are_counted_and_left_out():
    interval = read([1, math.nan, 2, 3, math.nan, 4], 2.0)
    assert (interval.replicates, interval.undefined) == (6, 2)
    assert limits(interval) == (1.75, 3.25)


@pytest.mark.parametrize(
    ("drawn", "value", "reason"),
    [
        ([2, 2, 2], 2.0, "degenerate"),
        ([0.1 + 0.2, 0.3, 0.3], 0.3, "degenerate"),  # rounding is not width
        ([1] + [2] * 99, 2.0, "degenerate"),  # both limits are 2
        ([math.nan, math.nan], 2.0, "undefined_ratio"),
        ([1, 2, 3], math.nan, "undefined_ratio"),
        ([1, 2, INFINITE], INFINITE, "infinite_end"),
    ],
)
@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_no_interval_has_a_reason(drawn, value, reason, method):
    assert read(drawn, value, method) == reason


def test_infinite_replicates_go_outwards():
    assert quantile(np.array([1, 2, INFINITE]), 0.75, outwards="higher") == INFINITE
    assert quantile(np.array([-INFINITE, 2, 3]), 0.25, outwards="lower") == -INFINITE
    interval = read([1, 2, 3, INFINITE], 2.0, range_=(0, INFINITE))
    assert (interval.low, interval.high) == (1.0, INFINITE)
    interval = read([1, 2, 3, INFINITE], 2.0, "basic", range_=(0, INFINITE))
    assert (interval.low, interval.high) == (0.0, 3.0)


def test_separated_classes_have_no_interval():
    separated = db.Counts.from_classes([3, 4, 5], [1, 2])
    assert auc_interval(by_trial(separated)) == "degenerate"


def test_intervals_do_not_depend_on_workers_and_do_on_the_seed():
    counts = db.Counts.from_classes(TARGETS, NONTARGETS, scale="ln_lr")
    figures = [
        Figure(name="auc", range=(0, 1), method="bca"),
        Figure(name="cllr", range=(0, INFINITE), method="basic"),
        Figure(name="cllr_min", range=(0, 1)),
    ]
    functions = {"auc": db.auc, "cllr": db.cllr, "cllr_min": db.cllr_min}
    told = []

    def run(**options):
        return bootstrap(by_trial(counts), each(functions), figures, replicates=130, **options)

    one = run(progress=lambda *at: told.append(at))
    assert list(one) == ["auc", "cllr", "cllr_min"]
    assert one == run(workers=2)
    assert one != run(seed=1)
    assert told[-1] == (told[0][1], told[0][1])
    assert told == sorted(told)
    # One figure alone is read from the same replicates.
    assert bootstrap(by_trial(counts), each(functions), figures[1:2], replicates=130)["cllr"] == one["cllr"]


def test_doubling_every_trial_narrows_by_trial_but_not_by_source():
    rng = np.random.default_rng(2)
    score, label = rng.normal(size=80), np.arange(80) % 2
    score = score + label
    source = np.arange(80) // 4

    def widths(times):
        trials = db.Trials.from_arrays(np.tile(score, times), np.tile(label, times), sources=np.tile(source, times))
        found = [auc_interval(resample(trials), replicates=600) for resample in (by_source, by_trial)]
        assert [interval.resampled for interval in found] == ["sources", "trials"]
        return [interval.high - interval.low for interval in found]

    (source_once, trial_once), (source_twice, trial_twice) = widths(1), widths(2)
    assert source_twice == pytest.approx(source_once, abs=1e-12)
    assert trial_twice == pytest.approx(trial_once / math.sqrt(2), rel=0.15)


def pairs_of_speakers(rng, speakers=24):
    """Three pairs of recordings of each speaker and one of each two: a speaker shifts all that it is in."""
    upper, own = np.triu_indices(speakers, 1), np.repeat(np.arange(speakers), 3)
    a, b = (np.concatenate([own, part]) for part in upper)
    label = a == b
    with_itself, with_others = rng.normal(0, 1.0, speakers), rng.normal(0, 0.6, speakers)
    score = np.where(label, 2.0 + with_itself[a], with_others[a] + with_others[b]) + rng.normal(size=a.size)
    return db.Trials.from_arrays(score, label, sources=(a, b))


def test_two_way_standard_error_of_dependent_pairs():
    rng = np.random.default_rng(7)
    truth = np.std([db.auc(db.count(pairs_of_speakers(rng))) for _ in range(400)])

    def mean_error(resample):
        errors = []
        for number in range(12):
            resampling = resample(pairs_of_speakers(np.random.default_rng(number)))
            draws = np.random.default_rng(1)
            errors.append(np.nanstd([db.auc(resampling.draw(draws).counts()) for _ in range(150)]))
        return np.mean(errors)

    assert mean_error(by_source) == pytest.approx(truth, rel=0.2)
    assert mean_error(by_source) > 1.1 * mean_error(by_trial)


def test_options_are_checked():
    counts = by_trial(db.Counts.from_classes(TARGETS, NONTARGETS))
    for option, value in {"replicates": 0, "level": 1.0, "seed": -1, "workers": 0}.items():
        with pytest.raises(OptionError, match=option):
            auc_interval(counts, **{option: value})
    with pytest.raises(OptionError, match="percentile, basic, bca"):
        bootstrap(counts, each({"auc": db.auc}), [Figure(name="auc", range=(0, 1), method="studentized")])
