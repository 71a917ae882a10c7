"""Halves of the data: what is drawn, and the intervals that are read from them."""

import math
from itertools import combinations

import numpy as np
import pytest

import deciban as db
from deciban.uncertainty.bootstrap.bootstrap import Figure, bootstrap, interval_of
from deciban.uncertainty.bootstrap.halves import halved_ends
from deciban.uncertainty.bootstrap.replicate import each
from deciban.uncertainty.bootstrap.resample import by_trial, half_of
from deciban.uncertainty.bootstrap.sources import by_source

DISTINCT = db.Counts.from_classes([3, 5, 7, 8, 9], [1, 2, 4, 6], scale="ln_lr")
TIED = db.Counts([1, 2, 3, 4], [1, 3, 0, 4], [2, 2, 5, 0])
HEAVY = db.Counts([1, 2, 3], [30, 0, 200], [100, 40, 0])
HUGE = db.Counts([1, 2, 3], [2 * 10**9, 0, 5], [1, 7, 3])
Z = 1.959963984540054


@pytest.mark.parametrize("counts", [DISTINCT, TIED, HEAVY])
def test_a_half_holds_each_trial_at_most_once(counts):
    resampling, rng = by_trial(counts), np.random.default_rng(3)
    halves = [resampling.half(rng) for _ in range(4000)]
    for column in ("n_target", "n_nontarget"):
        drawn = np.array([getattr(half, column) for half in halves])
        n = getattr(resampling.blocks.observed(), column)
        whole = n.sum()
        assert (drawn <= n).all()
        assert set(drawn.sum(axis=1)) == {whole // 2, (whole + 1) // 2}
        # Hypergeometric numbers.
        spread = n * (whole - n) / (4 * (whole - 1))
        assert drawn.mean(axis=0) == pytest.approx(n / 2, abs=5 * math.sqrt(spread.max() / 4000 + 1e-3))
        assert drawn.var(axis=0) == pytest.approx(spread, rel=0.15, abs=0.05)


def test_more_trials_than_numpy_draws():
    half = by_trial(HUGE).half(np.random.default_rng(0))
    assert half.n_target[0] == pytest.approx(10**9, rel=1e-3)
    assert half.n_nontarget.sum() in (5, 6)


def test_half_of_few():
    rng = np.random.default_rng(1)
    assert {half_of(1, rng) for _ in range(20)} == {1}
    assert {half_of(5, rng) for _ in range(50)} == {2, 3}
    assert half_of(8, rng) == 4
    assert by_trial(db.Counts([1, 2], [2, 1], [0, 0])).half(rng).counts().total_nontarget == 0


def test_weighted_trials_carry_their_weight():
    trials = db.Trials.from_arrays([1, 1, 2, 3], [1, 1, 1, 0], weight=[0.5, 2.0, 3.0, 0.25])
    sums = {round(float(by_trial(trials).half(np.random.default_rng(n)).n_target.sum()), 9) for n in range(60)}
    assert sums == {0.5, 2.0, 3.0, 2.5, 3.5, 5.0}


def test_sources_are_in_or_out_with_all_their_trials():
    a, b = np.triu_indices(6)
    trials = db.Trials.from_arrays(np.arange(a.size), (a == b).astype(int), sources=(a, b))
    for seed in range(10):
        half = by_source(trials).half(np.random.default_rng(seed)).counts()
        # Three of six speakers: three trials with themselves, three pairs.
        assert (half.total_target, half.total_nontarget) == (3, 3)
        inside = {int(s) for s in np.concatenate([a[half.score.astype(int)], b[half.score.astype(int)]])}
        assert len(inside) == 3


def test_a_mean_over_halves_spreads_like_a_mean_over_samples():
    x = np.array([0.1, 0.4, 0.45, 0.7, 0.9, 0.2])
    halves = np.array([x[list(half)].mean() for half in combinations(range(6), 3)])
    low, high, method = halved_ends(x.mean(), halves, 0.95, limits=(0.0, 1.0))
    reach = Z * math.sqrt(x.var(ddof=1) / 6)
    assert (low, high, method) == (pytest.approx(x.mean() - reach), pytest.approx(x.mean() + reach), "halves")


def test_a_bias_that_shrinks_at_the_rate_is_removed():
    truth, n = 0.5, 40.0
    for rate, perfect in ((1.0, None), (0.6, None), (2 / 3, 0.0)):
        seen, in_halves = (truth - 0.8 * size**-rate for size in (n, n / 2))
        halves = np.array([in_halves - 0.01, in_halves + 0.01])
        low, high, _ = halved_ends(seen, halves, 0.95, limits=(0.0, 1.0), perfect=perfect, rate=rate)
        assert (math.sqrt(low * high) if perfect == 0.0 else (low + high) / 2) == pytest.approx(truth)


def test_logarithm_of_the_distance_from_perfect():
    halves = np.array([0.15, 0.25])
    factor = math.exp(Z * 0.05 / 0.2)
    low, high, method = halved_ends(0.2, halves, 0.95, limits=(0.0, 1.0), perfect=0.0)
    assert (low, high, method) == (pytest.approx(0.2 / factor), pytest.approx(0.2 * factor), "halves-log")
    low, high, method = halved_ends(0.8, 1 - halves, 0.95, limits=(0.0, 1.0), perfect=1.0)
    assert (low, high, method) == (pytest.approx(1 - 0.2 * factor), pytest.approx(1 - 0.2 / factor), "halves-log")


def test_where_there_is_no_distance():
    for value, perfect, limits in ((0.0, 0.0, (0.0, 1.0)), (0.3, math.inf, (0.0, math.inf)), (0.3, 0.5, (0.0, 1.0))):
        assert halved_ends(value, np.array([0.1, 0.5]), 0.95, limits=limits, perfect=perfect)[2] == "halves"
    # The correction would leave nothing of the distance: it is left out.
    low, high, _ = halved_ends(0.1, np.array([0.4, 0.6]), 0.95, limits=(0.0, 1.0), perfect=0.0)
    assert math.sqrt(low * high) == pytest.approx(0.1)
    low, high, _ = halved_ends(1e-300, np.array([0.0, 1.0]), 0.95, limits=(0.0, 1.0), perfect=0.0)
    assert 0.0 <= low < high < math.inf


def test_values_whose_squares_are_no_doubles():
    low, high, _ = halved_ends(2e200, np.array([1e200, 3e200]), 0.95, limits=(0.0, math.inf))
    assert (low, high) == (pytest.approx(2e200 - Z * 1e200), pytest.approx(2e200 + Z * 1e200))


def test_reasons_and_limits():
    def read(values, value=0.2, method="halves-log"):
        figure = Figure(name="x", range=(0.0, 0.3), method=method, perfect=0.0)
        return interval_of(figure, value, np.array(values), 0.95, 0.0, "trials")

    assert read([0.2, 0.2]) == "degenerate"
    assert read([0.1, math.inf]) == "infinite_end"
    assert read([0.1, 0.3], value=math.nan) == "undefined_ratio"
    found = read([0.05, 0.35, math.nan], method="halves")
    assert (found.low, found.high) == (0.0, 0.3)
    assert (found.method, found.replicates, found.undefined) == ("halves", 3, 1)


def test_beside_other_methods_in_one_pass():
    rng = np.random.default_rng(4)
    counts = db.Counts.from_classes(rng.normal(2, 2, 25), rng.normal(-2, 2, 40), scale="ln_lr")
    functions = {"auc": db.auc, "eer": db.eer, "cllr_min": db.cllr_min}
    figures = [
        Figure(name="eer", range=(0, 1), method="halves-log", perfect=0.0),
        Figure(name="auc", range=(0, 1), method="bca"),
        Figure(name="cllr_min", range=(0, 1), method="halves-log", perfect=0.0),
    ]
    told: list[tuple[int, int]] = []

    def run(asked, **options):
        return bootstrap(by_trial(counts), each(functions), asked, replicates=90, **options)

    one = run(figures, progress=lambda *at: told.append(at))
    assert list(one) == ["eer", "auc", "cllr_min"]
    assert one == run(figures, workers=2)
    assert one["eer"].method == one["cllr_min"].method == "halves-log"
    assert one["auc"].method == "bca"
    assert told == sorted(told)
    assert told[-1] == (90 + 90 + 65, 90 + 90 + 65)
    for figure in figures:
        assert run([figure]) == {figure.name: one[figure.name]}
    assert one["cllr_min"].high > db.cllr_min(counts)
