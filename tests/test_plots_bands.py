"""Bands on plots: every one that a record has is drawn where its limits are, and named as readers know it."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgba

import deciban as db
from deciban.curves.curve import columns
from deciban.plots.kinds import KINDS
from tests.plot_data import drawn, handle_of, legend, ln_lr_counts

LRS = ln_lr_counts()
INF = math.inf


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"threshold", "lr-overestimation"}))
def test_bands_are_drawn(kind):
    record = KINDS[kind].curve(LRS)
    plain = KINDS[kind].draw(record)
    size = next(iter(columns(record).values())).size
    band = db.Band(low=np.full(size, 0.1), high=np.full(size, INF), level=0.9, method="made up")
    ax = drawn(KINDS[kind].draw(replace(record, band=band)))
    assert len(ax.collections) == len(plain.collections) + 1
    assert any(entry.startswith("90 % ") and "(made up)" in entry for entry in legend(ax))


def test_band_of_a_single_ratio():
    record = db.threshold_curve(LRS, ["recall"])
    size = record.threshold.size
    band = db.Band(low=np.zeros(size), high=np.ones(size), level=0.95, method="made up")
    ax = drawn(db.plots.threshold_curve(replace(record, band=band)))
    assert len(ax.collections) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_every_band_that_is_computed_is_drawn_and_told(kind):
    record = db.with_band(KINDS[kind].curve, LRS, replicates=30)
    bands = [band for band in (record.band, *record.other_bands.values()) if band is not None]
    if kind == "lr-overestimation":
        bands = bands[1:]
    plain, ax = (drawn(KINDS[kind].draw(each)) for each in (replace(record, band=None, other_bands={}), record))
    assert len(ax.collections) == len(plain.collections) + len(bands)
    assert {entry.split(" (")[0] for entry in legend(ax)} & {"95 % band", "95 % interval"}
    assert (ax.get_xlim(), ax.get_xlabel()) == (plain.get_xlim(), plain.get_xlabel())
    several = drawn(KINDS[kind].draw({"a": record, "b": record}))
    assert len([entry for entry in legend(several) if entry.startswith("95 %")]) == len({band.method for band in bands})


def areas(ax: Any) -> list[tuple[float, float, float, float]]:
    """The boxes about what was shaded: left, right, bottom, top."""
    boxes = [shaded.get_paths()[0].get_extents() for shaded in ax.collections]
    return [(box.x0, box.x1, box.y0, box.y1) for box in boxes]


def test_where_bands_are():
    counts = db.Counts.from_classes([2.0, 3.0, 4.0, 1.0], [1.0, 0.0, -1.0, 2.0, 0.5], scale="log10_lr")
    record = db.with_band(db.tippett, counts)
    ax = drawn(db.plots.tippett(record))
    (target, nontarget), frame = areas(ax), ax.get_xlim()
    assert target[:2] == nontarget[:2] == (frame[0], 4.0)
    assert target[2:] == (record.band.low.min(), 1.0)
    record = db.with_band(db.rocch, counts, replicates=30)
    (area,) = areas(drawn(db.plots.rocch(record)))
    assert area == pytest.approx((0.0, 1.0, 1 - record.band.high.max(), 1 - record.band.low.min()))
    bins = db.with_band(db.score_histogram, counts, bins=3)
    ax = drawn(db.plots.score_histogram(bins))
    heights = [path.vertices[:, 1].tolist() for path in ax.collections[0].get_paths()]
    assert heights == [[low / 4, high / 4] for low, high in zip(bins.band.low, bins.band.high, strict=True)]
    assert ax.get_ylim()[1] > bins.other_bands["n_nontarget"].high.max() / 5
    ratio = db.with_band(db.threshold_curve, counts, metrics=("recall", "p_fa"))
    ax = drawn(db.plots.threshold_curve(ratio))
    assert [area[:2] for area in areas(ax)] == [ax.get_xlim()] * 2


def test_limits_beyond_all_bounds_end_at_the_frame():
    counts = db.Counts.from_classes([1.0, 2.0, 3.0, 0.2, 9.0], [-1.0, 0.0, 2.5, -3.0, 1.5], scale="ln_lr")
    record = db.with_band(db.pav_map, counts, replicates=100)
    assert np.isinf(record.band.low.compressed()).any()
    ax = drawn(db.plots.pav_map(record))
    assert areas(ax)[0][2] == ax.get_ylim()[0]


def test_bands_are_named_as_readers_know_them():
    trials = db.Trials.from_arrays([3, 1, 2, 0, 5, -1], [1, 1, 0, 0, 1, 0], sources=list("abcabc"), scale="ln_lr")
    by_source = db.plots.roc(db.with_band(db.roc, trials, replicates=40), vocabulary="biometric")
    assert legend(by_source) == ["95 % band (bootstrap of sources)\nat fixed false match rate"]
    corp = db.plots.reliability(db.with_band(db.reliability, trials, replicates=20, bins="corp"))
    assert legend(corp) == ["95 % consistency band:\nwhere calibrated forecasts lie"]
    bins = db.plots.reliability(db.with_band(db.reliability, db.count(trials), level=0.9))
    assert legend(bins) == ["90 % interval (Clopper–Pearson)"]


def test_equal_bands_in_several_colours_have_one_grey_entry():
    record = db.with_band(db.tippett, LRS)
    ax = db.plots.tippett(record)
    grey = to_rgba("0.45")[:3]
    assert handle_of(ax, "95 % band (Wilson)").get_facecolor()[:3] == grey
    prior = db.with_band(db.empirical_cross_entropy_curve, LRS, replicates=20, log10_odds=[-1, 0, 1])
    ax = db.plots.cross_entropy({"a": prior, "b": prior})
    shaded, edged = (handle_of(ax, f"95 % band ({method})") for method in ("normal", "basic bootstrap"))
    assert (shaded.get_linewidth(), edged.get_linewidth()) == (0.0, 0.8)
    assert edged.get_edgecolor()[:3] == grey
    ax = db.plots.score_histogram(db.with_band(db.score_histogram, LRS, bins=3))
    assert handle_of(ax, "95 % interval (Wilson)").get_color() == "0.45"


def test_overestimation_is_level_over_each_bin():
    counts = db.Counts.from_classes([10.0] * 9 + [1.0] * 6, [10.0] * 5 + [1.0] * 10 + [0.0] * 2, scale="lr")
    record = db.with_band(db.lr_overestimation, counts)
    ax = drawn(db.plots.lr_overestimation(record))
    line = next(line for line in ax.lines if len(line.get_xdata()) == 4)
    assert line.get_xdata().tolist() == [0.0, 0.5, 0.5, 1.0]
    assert line.get_ydata().tolist() == np.repeat(record.discrepancy, 2).tolist()
    assert legend(ax) == ["overestimation (2 at LR = 0 or ∞)", "95 % band (Jeffreys)"]
    band = record.other_bands["discrepancy"]
    assert areas(ax)[0] == pytest.approx((0.0, 1.0, band.low.min(), band.high.max()))
