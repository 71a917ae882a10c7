"""Plots of data at the edge: one trial, constant scores, infinite ones, very many; drawn without a warning."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.errors import InputError, MissingExtraError
from deciban.plots import canvas
from deciban.plots.kinds import KINDS
from deciban.plots.looks import BLUE
from tests.curve_data import DEGENERATE, PROBABILITIES, classes
from tests.plot_data import draw_kind, drawn, plotted

UNBINNED = sorted(set(KINDS) - {"lr-overestimation"})
"""Kinds that draw any data; the bins of the other one hold at least five trials of each class."""

EVEN = db.Counts.from_classes([1.0, 2.0], [0.0, 1.5], scale="ln_lr")

FEW = settings(deadline=None, max_examples=8)
"""Drawing a figure takes a twentieth of a second."""

EXTREME = {
    "subnormal": ([5e-324, 0.0], [0.0, 5e-324]),
    "far apart": ([1e300], [-1e300, 1e-300]),
    "close together": ([1.0 + 2.3e-16], [1.0]),
    "far out": ([1e9 + 1], [1e9]),
}


@pytest.mark.parametrize("data", [*DEGENERATE, *EXTREME])
@pytest.mark.parametrize("kind", UNBINNED)
def test_degenerate_data_are_drawn(kind, data):
    counts = db.Counts.from_classes(*(DEGENERATE | EXTREME)[data], scale="ln_lr")
    ax = drawn(plotted(kind, counts), laid_out=True)
    for line in ax.lines:
        assert not np.isinf(np.asarray(line.get_ydata(), dtype=float)).any()
    assert all(math.isfinite(limit) for limit in (*ax.get_xlim(), *ax.get_ylim()))
    draw_kind(kind, {"A": counts, "B": db.Counts.from_classes([1.0, 2.0], [0.0], scale="ln_lr")})


@pytest.mark.parametrize("data", ["one each", "constant", *EXTREME])
def test_degenerate_bins_of_overestimation_are_drawn(data):
    target, nontarget = (DEGENERATE | EXTREME)[data]
    # Every LR five times in each class, so that there is a bin.
    counts = db.Counts.from_classes(*[[*target, *nontarget] * 5] * 2, scale="ln_lr")
    ax = drawn(plotted("lr-overestimation", counts), laid_out=True)
    assert all(math.isfinite(limit) for limit in (*ax.get_xlim(), *ax.get_ylim()))
    drawn(KINDS["lr-overestimation"].draw(db.with_band(db.lr_overestimation, counts)))


@pytest.mark.parametrize("kind", UNBINNED)
@FEW
@given(data=classes(st.one_of(st.integers(-3, 3).map(float), st.sampled_from([-math.inf, math.inf])), most=6))
def test_small_data_are_drawn(kind, data):
    draw_kind(kind, db.Counts.from_classes(*data, scale="log10_lr"))


@pytest.mark.parametrize("kind", sorted(set(UNBINNED) - {"tippett", "cross-entropy"}))
@FEW
@given(data=classes(PROBABILITIES, most=6))
def test_small_probabilities_are_drawn(kind, data):
    draw_kind(kind, db.Counts.from_classes(*data, scale="probability"))


@pytest.mark.parametrize("scale", ["lr", "log2_lr", "deciban", "probability"])
def test_every_scale_is_drawn(scale):
    scores = ([0.9, 0.2, 1.0], [0.1, 0.0, 0.4]) if scale == "probability" else ([8.0, 2.0, math.inf], [0.0, 4.0])
    counts = db.Counts.from_classes(*scores, scale=scale, prior=0.3 if scale == "probability" else None)
    for kind in UNBINNED:
        draw_kind(kind, counts)


def test_weighted_trials_are_drawn():
    trials = db.Trials.from_arrays([3.0, 2.0, 1.0, math.inf], [1, 0, 1, 0], weight=[0.2, 0.3, 0.5, 1e-9], scale="ln_lr")
    for kind in UNBINNED:
        draw_kind(kind, db.count(trials))


@pytest.mark.parametrize("kind", ["tippett", "pav", "histogram", "threshold"])
def test_scores_that_no_axis_reaches_are_refused(kind):
    axis = "log10 LR( as given)?" if kind in ("tippett", "pav") else r"[NT].*"
    with pytest.raises(
        InputError, match=rf"^axis '{axis}': expected values within ±1e305.* found values from -.*e\+307"
    ):
        draw_kind(kind, db.Counts.from_classes([7e307, 1.0, -7e307], [-7e307, 1.0, 7e307], scale="ln_lr"))


@pytest.mark.parametrize("data", ["perfect", "all wrong", "all infinite, mixed", "all at inf", "all at -inf"])
def test_a_ratio_of_infinite_scores_is_drawn_at_every_threshold(data):
    counts = db.Counts.from_classes(*DEGENERATE[data])
    ax = drawn(db.plots.threshold_curve(db.threshold_curve(counts, ["recall"])))
    (line,) = ax.lines
    assert tuple(line.get_xdata()) == ax.get_xlim()
    recall = db.confusion(counts, threshold=0.0).recall
    assert line.get_ydata().tolist() == [recall, recall]


@pytest.mark.parametrize(
    "draw",
    [
        lambda: db.plots.pav_map(db.pav_map(db.Counts.from_classes([2.0, 2.0], [2.0]))),
        lambda: db.plots.pav_map(db.pav_map(db.Counts.from_classes([math.inf], [math.inf]))),
        lambda: db.plots.threshold_curve(db.threshold_curve(EVEN, ["recall"], thresholds=[0.5])),
        lambda: db.plots.cross_entropy(db.empirical_cross_entropy_curve(EVEN, log10_odds=[0.0])),
        lambda: db.plots.bayes_error(db.bayes_error_curve(EVEN, log10_odds=[0.0])),
    ],
)
def test_a_single_point_is_seen(draw):
    ax = drawn(draw())
    (line,) = (line for line in ax.lines if line.get_color() == BLUE and line.get_linestyle() == "-")
    assert line.get_marker() != "None"
    assert len(line.get_markevery()) > 0


def test_millions_of_trials_are_drawn_from_few_points():
    generator = np.random.default_rng(0)
    counts = db.Counts.from_classes(generator.normal(2, 2, 200_000), generator.normal(-2, 2, 1_800_000), scale="ln_lr")
    for kind in ("roc", "det", "pr", "pr-gain", "tippett", "threshold"):
        ax = draw_kind(kind, counts)
        assert max(len(line.get_xdata()) for line in ax.lines) <= 510
        # One target is seldom among the points that are drawn; the mark is looked up in the whole record.
    record = db.roc(counts)
    at = float(record.threshold[record.threshold.size // 3 + 1])
    mark = drawn(db.plots.roc(record, mark={"T": at})).lines[-1]
    table = db.confusion(counts, threshold=at)
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (table.p_fa, table.recall)


def test_matplotlib_absent_names_the_line_that_installs_it(monkeypatch):
    monkeypatch.setattr(canvas, "find_spec", lambda name: None)
    for kind in KINDS.values():
        record = kind.curve(db.Counts.from_classes([1.0] * 5, [0.0, *[1.0] * 5], scale="ln_lr"))
        with pytest.raises(MissingExtraError, match=r'^drawing needs matplotlib: pip install "deciban\[report\]"$'):
            kind.draw(record)
