"""Bands around curves: values by hand, what all of them have in common, and how often they hold the truth."""

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings

import deciban as db
from deciban.curves.curve import columns
from deciban.uncertainty.bands.claims import DRAWS
from tests.curve_data import UNHURRIED, classes, ln_lrs
from tests.test_curves_records import CURVES

CURVES = {**CURVES, "overestimation": db.lr_overestimation}
EACH = pytest.mark.parametrize("name", CURVES)
CONSISTENT = {"corp"}
"""Bands about the diagonal."""
ANEW = {"rocch", "cross_entropy", "bayes_error"}
"""Curves of which a column is fitted anew in each replicate, which shifts it."""
BEST_OF = {"roc": "p_fa", "det": "p_fa", "precision_recall": "recall", "pr_gain": "recall_gain", "rocch": "p_fa"}
"""What is held fixed: several points may share it, and the band is about the best of them."""
RANGES = {
    "recall": (0, 1), "p_miss": (0, 1), "precision": (0, 1), "precision_gain": (-math.inf, 1), "target": (0, 1),
    "nontarget": (0, 1), "system": (0, math.inf), "pav": (0, 1), "minimum": (0, 0.5), "observed": (0, 1),
    "n_target": (0, 40), "n_nontarget": (0, 60), "npv": (0, 1), "lr_positive": (0, math.inf), "benefit": (-math.inf, 1),
}  # fmt: skip


def scores(seed: int = 0, n1: int = 40, n0: int = 60) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    x = np.concatenate([generator.normal(1.5, 1.8, n1), generator.normal(-1.5, 1.8, n0)]).round(1)
    return x, np.arange(n1 + n0) < n1


def trials(**more: object) -> db.Trials:
    x, y = scores()
    return db.Trials.from_arrays(x, y, scale="ln_lr", **more)


def sourced() -> db.Trials:
    return trials(sources=np.random.default_rng(5).integers(0, 25, 100))


def bands(curve: db.Curve) -> dict[str, db.Band]:
    main = curve.band
    assert main is not None
    return {main.column: main, **curve.other_bands}


def known(band: db.Band) -> np.ndarray:
    return ~np.ma.getmaskarray(band.low)


def column(curve: db.Curve, name: str) -> np.ndarray:
    return np.ma.filled(np.ma.asarray(columns(curve)[name], dtype=float), np.nan)


def test_tippett_has_the_intervals_of_both_shares():
    x, y = scores()
    for kind in (1, 2):
        curve = db.with_band(db.tippett, trials(), level=0.9, type=kind)
        assert bands(curve).keys() == {"target", "nontarget"}
        assert (curve.band.method, curve.band.level, curve.band.seed, curve.band.replicates) == (
            "wilson",
            0.9,
            None,
            None,
        )
        for row, at in enumerate(np.unique(x)):
            below = int((x[y] < at).sum())
            expected = db.proportion_interval(below if kind == 2 else 40 - below, 40, 0.9)
            assert (curve.band.low[row], curve.band.high[row]) == (expected.low, expected.high)
            other = db.proportion_interval(int((x[~y] >= at).sum()), 60, 0.9)
            band = curve.other_bands["nontarget"]
            assert (band.low[row], band.high[row]) == (other.low, other.high)


def test_bins_have_exact_intervals_and_empty_ones_none():
    counts = db.Counts.from_classes([0.75, 0.5, 0.55], [0.25, 0.5], scale="probability")
    curve = db.with_band(db.reliability, counts, n_bins=5)
    assert curve.band.method == "clopper-pearson"
    assert known(curve.band).tolist() == [False, True, True, True, False]
    two_of_three = db.proportion_interval(2, 3, method="clopper-pearson")
    assert (curve.band.low[2], curve.band.high[2]) == (two_of_three.low, two_of_three.high)


def test_rates_at_thresholds_have_the_intervals_of_the_threshold_table():
    ratios = ("precision", "recall", "npv", "accuracy", "specificity", "p_fa", "p_miss", "f1")
    curve = db.with_band(db.threshold_curve, trials(), replicates=50, metrics=ratios, thresholds=[2.0, -1.0])
    table = db.evaluate(trials(), thresholds=[2.0, -1.0], interval="auto").thresholds
    for row, shown in enumerate(sorted(table, key=lambda each: -each.threshold)):
        for ratio in ratios[:-1]:
            band, expected = bands(curve)[ratio], shown.metrics[ratio].interval
            assert (band.low[row], band.high[row]) == pytest.approx((expected.low, expected.high), rel=1e-12)
    assert curve.other_bands["f1"].method == "percentile"
    assert curve.other_bands["f1"].resampled == "trials"


def test_cross_entropy_has_the_closed_form():
    curve = db.with_band(db.empirical_cross_entropy_curve, trials(), replicates=20, log10_odds=[1.0, -math.inf, 0.0])
    expected = db.cllr_interval(db.count(trials()), method="class-means")
    assert (curve.band.low[2], curve.band.high[2]) == (expected.low, expected.high)
    assert known(curve.band).tolist() == [True, False, True]
    assert curve.other_bands["pav"].method == "basic"


def test_sums_of_two_rates_by_hand():
    # At even odds the error is (p_miss + p_fa)/2: 1 of 4 and 0 of 5.
    counts = db.Counts.from_classes([2.0, 3.0, 1.0, -1.0], [-2.0, -1.0, -3.0, -0.5, -4.0], scale="ln_lr")
    curve = db.with_band(db.bayes_error_curve, counts, replicates=20, log10_odds=[0.0])
    miss, alarm = db.proportion_interval(1, 4), db.proportion_interval(0, 5)
    assert curve.actual.tolist() == [0.125]
    down = math.hypot(0.25 - miss.low, 0.0) / 2
    up = math.hypot(miss.high - 0.25, alarm.high) / 2
    assert (curve.band.low[0], curve.band.high[0]) == pytest.approx((0.125 - down, 0.125 + up))
    assert curve.band.method == "mover"
    # Acting at ½ is worth TP/9 − FP/9: 4/9 of the recall less 5/9 of p_fa.
    act = db.with_band(db.net_benefit_curve, counts, thresholds=[0.5], p_target=0.5)
    assert act.benefit[0] == pytest.approx(3 / 9)
    low = 3 / 9 - math.hypot(4 / 9 * (0.75 - (1 - miss.high)), 5 / 9 * alarm.high)
    high = 3 / 9 + 4 / 9 * ((1 - miss.low) - 0.75)
    assert (act.band.low[0], act.band.high[0]) == pytest.approx((low, high))


def test_a_roc_of_separated_classes_is_as_sure_as_its_trials_are_many():
    counts = db.Counts.from_classes([4.0, 5.0, 6.0], [1.0, 2.0, 3.0])
    curve = db.with_band(db.roc, counts, replicates=50)
    assert curve.band.method == "percentile or wilson at fixed p_fa"
    assert curve.band.low.tolist() == [db.proportion_interval(3, 3).low] * 8
    assert curve.band.high.tolist() == [1.0] * 8
    precision = db.with_band(db.precision_recall, counts, replicates=50)
    alarm = db.proportion_interval(0, 3).high
    assert precision.band.low[1] == pytest.approx(1 / (1 + 3 * alarm))


def test_histogram_limits_are_those_of_shares():
    curve = db.with_band(db.score_histogram, trials(), bins=4)
    for name, total in (("n_target", 40), ("n_nontarget", 60)):
        for row, n in enumerate(column(curve, name).tolist()):
            expected = db.proportion_interval(int(n), total)
            assert bands(curve)[name].high[row] == pytest.approx(total * expected.high)


def test_overestimation_follows_its_definition():
    curve = db.with_band(db.lr_overestimation, trials(), seed=3)
    band = curve.band
    assert (band.method, band.replicates, band.seed, band.column) == ("jeffreys", DRAWS, 3, "empirical")
    generator = np.random.default_rng(99)
    for row, (n1, n0) in enumerate(zip(curve.n_target.tolist(), curve.n_nontarget.tolist(), strict=True)):
        p1 = generator.beta(n1 + 0.5, 40 - n1 + 0.5, 100_000)
        p0 = generator.beta(n0 + 0.5, 60 - n0 + 0.5, 100_000)
        expected = np.quantile(np.log10(p1 / p0), [0.025, 0.975])
        assert [band.low[row], band.high[row]] == pytest.approx(expected.tolist(), abs=0.02)
    discrepancy = curve.other_bands["discrepancy"]
    assert (discrepancy.low == curve.claimed - band.high).all()
    assert (discrepancy.high == curve.claimed - band.low).all()
    assert db.with_band(db.lr_overestimation, trials(), replicates=20_000).band.replicates == 20_000


@EACH
@pytest.mark.parametrize("data", [trials, sourced], ids=["trials", "sources"])
def test_what_all_bands_have_in_common(name, data):
    make, given_ = CURVES[name], data()
    plain, curve = make(db.count(given_)), db.with_band(make, given_, replicates=120, seed=4)
    assert replace(curve, band=None, other_bands={}) == plain
    assert db.with_band(make, given_, replicates=120, seed=4) == curve
    assert type(curve).from_json(curve.to_json()) == curve
    frame = curve.to_frame("polars")
    for column_name, band in bands(curve).items():
        prefix = "band" if band is curve.band else f"{column_name}_band"
        assert frame[f"{prefix}_low"].to_list() == band.low.tolist()
        at = known(band)
        assert at.any()
        assert (at == ~np.ma.getmaskarray(band.high)).all()
        low, high = (np.asarray(end)[at] for end in (band.low, band.high))
        assert (low < high).all()
        least, most = RANGES.get(column_name, (-math.inf, math.inf))
        assert (low >= least - 1e-12).all()
        assert (high <= most + 1e-12).all()
        drawn = {"sources", "trials"} & {band.resampled}
        assert (band.replicates, band.seed) == ((120, 4) if drawn else (band.replicates, band.seed))
        assert band.resampled == ("sources" if data is sourced and name not in CONSISTENT else band.resampled)


@pytest.mark.parametrize("name", sorted(set(CURVES) - CONSISTENT))
def test_a_band_holds_its_curve(name):
    curve = db.with_band(CURVES[name], trials(), replicates=400)
    for column_name, band in bands(curve).items():
        values, at = column(curve, column_name), known(band)
        inside = (np.asarray(band.low) <= values + 1e-12) & (values <= np.asarray(band.high) + 1e-12)
        if name in BEST_OF:
            held = column(curve, BEST_OF[name])
            choose = min if column_name == "p_miss" else max
            best = {x: choose(values[held == x].tolist()) for x in held.tolist()}
            at &= values == [best[x] for x in held.tolist()]
        if name == "precision_recall":
            at &= ~curve.artificial
        if name in ANEW or name == "pav_map":
            assert inside[at].mean() > 0.8
        else:
            assert inside[at].all(), column_name


@EACH
def test_rows_in_any_order_give_one_band(name):
    x, y = scores()
    sources = np.random.default_rng(5).integers(0, 25, 100)
    order = np.random.default_rng(6).permutation(100)
    one, other = (
        db.Trials.from_arrays(x[rows], y[rows], sources=sources[rows], scale="ln_lr")
        for rows in (np.arange(100), order)
    )
    assert db.with_band(CURVES[name], one, replicates=30) == db.with_band(CURVES[name], other, replicates=30)


@pytest.mark.parametrize("name", sorted(set(CURVES) - {"corp", "histogram", "overestimation"}))
def test_trials_given_twice_narrow_a_band_only_where_sources_are_not_known(name):
    x, y = (np.tile(each, 2) for each in scores())
    sources = np.tile(np.random.default_rng(5).integers(0, 25, 100), 2)
    twice = db.Trials.from_arrays(x, y, sources=sources, scale="ln_lr")
    one, two = (db.with_band(CURVES[name], data, replicates=60) for data in (sourced(), twice))
    for column_name, band in bands(one).items():
        for end in ("low", "high"):
            ends = [np.ma.filled(getattr(each, end), np.nan) for each in (band, bands(two)[column_name])]
            assert ends[0] == pytest.approx(ends[1], rel=1e-9, abs=1e-12, nan_ok=True)
    alone, doubled = (
        db.with_band(CURVES[name], data, replicates=60)
        for data in (db.count(trials()), db.Counts.from_arrays(x, y, scale="ln_lr"))
    )
    widths = [
        np.ma.median((each.band.high - each.band.low)[np.ma.getdata(each.band.high) < math.inf])
        for each in (alone, doubled)
    ]
    assert widths[1] < widths[0]


def test_bands_lie_in_step_with_what_a_replicate_has():
    """What a bootstrap draws is read where the curve itself would be read."""
    from deciban.uncertainty.bands import planes

    @settings(UNHURRIED, max_examples=60)
    @given(data=classes())
    def check(data):
        counts = ln_lrs(data)
        roc, gain, pr, hull, pav = (f(counts) for f in (db.roc, db.pr_gain, db.precision_recall, db.rocch, db.pav_map))
        for at, found in zip(roc.p_fa, planes.recall_at(counts, roc.p_fa), strict=True):
            assert found == roc.recall[roc.p_fa == at].max()
        for at, found in zip(roc.p_fa, planes.p_miss_at(counts, roc.p_fa), strict=True):
            assert found == db.det(counts).p_miss[roc.p_fa == at].min()
        for at, found in zip(hull.p_fa, planes.hull_p_miss(counts, hull.p_fa), strict=True):
            assert found == hull.p_miss[hull.p_fa == at].min()
        for at, found in zip(pr.recall[1:], planes.precision_at(counts, pr.recall[1:]), strict=True):
            assert found == pr.precision[1:][pr.recall[1:] == at][0]
        for at, found in zip(gain.recall_gain, planes.precision_gain_at(counts, gain.recall_gain), strict=True):
            assert found == pytest.approx(gain.precision_gain[gain.recall_gain == at].max(), rel=1e-9, abs=1e-9)
        for ends in (pav.low, pav.high):
            assert planes.lr_at(counts, ends).tolist() == pav.ln_lr.tolist()

    check()


def test_between_two_blocks():
    from deciban.uncertainty.bands.planes import lr_at

    counts = db.Counts.from_classes([1.0, 3.0, 3.0, 9.0], [-5.0, 1.0, 1.0, 3.0], scale="ln_lr")
    found = lr_at(counts, np.array([-9.0, -2.0, 1.0, 2.0, 3.0, 6.0, 99.0]))
    assert found == pytest.approx([-math.inf, math.log(0.5), math.log(0.5), 0.0, math.log(2), math.log(2), math.inf])
    apart = db.Counts.from_classes([2.0], [1.0])
    assert math.isnan(lr_at(apart, np.array([1.5]))[0])


@UNHURRIED
@given(data=classes())
def test_costs_worked_out_once_are_those_of_the_curve(data):
    from deciban.uncertainty.bands.score_costs import MeanCosts, PavCosts

    counts, odds = ln_lrs(data), np.array([-math.inf, -300.0, -2.0, 0.0, 0.7, 400.0, math.inf])
    curve = db.empirical_cross_entropy_curve(counts, log10_odds=odds)
    assert MeanCosts(counts, odds)(counts) == pytest.approx(curve.system, rel=1e-9, abs=1e-12)
    assert PavCosts(odds)(counts) == pytest.approx(curve.pav, rel=1e-9, abs=1e-9)
    few = counts.reweighted(counts.n_target * 3, counts.n_nontarget * 2)
    again = db.empirical_cross_entropy_curve(few, log10_odds=odds)
    assert MeanCosts(counts, odds)(few) == pytest.approx(again.system, rel=1e-9, abs=1e-12)


def test_many_scores_have_limits_at_few_places():
    generator = np.random.default_rng(2)
    counts = db.Counts.from_classes(generator.normal(1, 1, 1500), generator.normal(-1, 1, 2500), scale="ln_lr")
    curve = db.with_band(db.tippett, counts)
    assert curve.band.low.size == 4000
    assert np.unique(curve.band.low).size <= 500
    exact = [db.proportion_interval(round(share * 1500), 1500).low for share in curve.target.tolist()]
    assert np.abs(np.asarray(curve.band.low) - exact).max() < 2 / 498 + 1e-3
    roc = db.with_band(db.roc, counts, replicates=20)
    assert roc.band.low.size == 4002
    assert (np.diff(roc.p_fa) >= 0).all()
    for at in np.unique(roc.p_fa)[:50]:
        assert np.unique(np.asarray(roc.band.low)[roc.p_fa == at]).size == 1
    given_ = db.with_band(db.net_benefit_curve, counts, thresholds=generator.random(900).clip(0.01, 0.99), p_target=0.5)
    assert (given_.band.low <= given_.band.high).all()


def test_a_consistency_band_is_about_the_diagonal():
    generator = np.random.default_rng(8)
    p = generator.random(600).round(2)
    fair, bold = generator.random(600) < p, generator.random(600) < 0.5 + 0.4 * (p - 0.5)
    inside = []
    for happened in (fair, bold):
        counts = db.Counts.from_arrays(p, happened, scale="probability")
        curve = db.with_band(db.reliability, counts, replicates=200, bins="corp")
        assert (curve.band.method, curve.band.column, curve.band.resampled) == ("consistency", "observed", None)
        assert (curve.band.replicates, curve.band.seed) == (200, 0)
        assert ((curve.band.low <= curve.stated) & (curve.stated <= curve.band.high)).mean() > 0.9
        inside.append(((curve.band.low <= curve.observed) & (curve.observed <= curve.band.high)).mean())
    assert inside[0] > 0.85
    assert inside[1] < 0.6


def test_certain_forecasts_have_no_room_for_chance():
    counts = db.Counts.from_classes([1.0, 1.0, 0.5], [0.0, 0.0, 0.5], scale="probability")
    band = db.with_band(db.reliability, counts, replicates=50, bins="corp").band
    assert (band.low[0], band.high[0], band.low[-1], band.high[-1]) == (0.0, 0.0, 1.0, 1.0)


def test_consistency_of_one_forecast_is_a_binomial():
    counts = db.Counts([0.3], [3], [7], scale="probability")
    band = db.with_band(db.reliability, counts, replicates=4000, bins="corp").band
    assert (band.low.tolist(), band.high.tolist()) == ([0.0], [0.6])


@pytest.mark.parametrize("name", ["roc", "det", "tippett", "precision_recall"])
def test_bands_hold_the_truth_about_as_often_as_they_say(name):
    normal, n, held = NormalDist(), 50, []
    for seed in range(120):
        generator = np.random.default_rng(seed)
        counts = db.Counts.from_classes(generator.normal(1, 1, n), generator.normal(-1, 1, n), scale="ln_lr")
        curve = db.with_band(CURVES[name], counts, replicates=120, seed=seed)
        if name == "tippett":
            row = int(np.searchsorted(curve.log10_lr, 0.2 / math.log(10)))
            truth = 1 - normal.cdf(0.2 - 1)
        elif name == "precision_recall":
            row = int(np.flatnonzero(curve.recall >= 0.8)[0])
            alarms = 1 - normal.cdf(normal.inv_cdf(0.2) + 2)
            truth = 0.8 / (0.8 + alarms)
        else:
            row = int(np.flatnonzero(curve.p_fa <= 0.1)[-1])
            miss = normal.cdf(normal.inv_cdf(0.9) - 2)
            truth = miss if name == "det" else 1 - miss
        held.append(curve.band.low[row] <= truth <= curve.band.high[row])
    assert 0.9 <= np.mean(held) <= 1.0


def test_weights_are_resampled_with_their_trials():
    weighted = trials(weight=np.tile([1.0, 2.5], 50))
    curve = db.with_band(db.tippett, weighted, replicates=40)
    assert (curve.band.method, curve.band.resampled) == ("percentile", "trials")
    with pytest.raises(db.UndefinedMetricError, match="give the trials rather than their counts") as caught:
        db.with_band(db.tippett, db.count(weighted))
    assert caught.value.reason == "weighted"
    with pytest.raises(db.UndefinedMetricError, match="a consistency band counts trials"):
        db.with_band(db.reliability, weighted, bins="corp")


def test_a_table_is_read(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("score,label\n2,1\n0.5,1\n1,0\n-1,0\n", encoding="utf-8")
    table = db.scan(path, scale="ln_lr")
    assert db.with_band(db.tippett, table) == db.with_band(db.tippett, db.count(table))


@pytest.mark.parametrize(
    ("curve", "message"),
    [
        (db.auc, "found auc, which gives float"),
        (3, "expected the function of a curve, such as deciban.roc, found int"),
        (db.roc(db.count(trials())), "expected the function of a curve, such as deciban.roc, found Roc"),
    ],
)
def test_what_is_no_curve(curve, message):
    with pytest.raises(db.OptionError, match=message):
        db.with_band(curve, trials())


def test_what_cannot_be_asked():
    with pytest.raises(db.OptionError, match="level: expected a confidence level"):
        db.with_band(db.roc, trials(), level=95)
    with pytest.raises(db.OptionError, match="replicates: expected at least 1"):
        db.with_band(db.roc, trials(), replicates=0)
    with pytest.raises(db.OptionError, match="type: expected 1 or 2"):
        db.with_band(db.tippett, trials(), type=3)
    with pytest.raises(db.InputError, match="with_band: expected Trials"):
        db.with_band(db.roc, [1, 2])
    with pytest.raises(db.SingleClassError):
        db.with_band(db.roc, db.Counts.from_arrays([1.0], [1], target=1))
    one_source = db.Trials.from_arrays([2.0, 1.0], [1, 0], sources=["a", "a"])
    with pytest.raises(db.UndefinedMetricError, match="roc: no point has a band") as caught:
        db.with_band(db.roc, one_source, replicates=20)
    assert caught.value.reason == "degenerate"
    with pytest.raises(db.UndefinedMetricError, match="without finite scores there are no bins"):
        db.with_band(db.score_histogram, db.Counts.from_classes([math.inf], [-math.inf]))


def test_progress_is_told():
    told = []
    db.with_band(db.roc, trials(), replicates=30, progress=lambda *at: told.append(at))
    assert told[-1] == (30, 30)
