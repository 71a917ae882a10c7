"""Plots, checked through what the drawn artists hold: where lines run, what labels, ticks and legends say."""

import math
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch
from scipy.special import ndtri

import deciban as db
from deciban.errors import OptionError
from deciban.plots.looks import COLOURS
from deciban.plots.systems import row_at
from tests.plot_data import draw_kind, drawn, legend, ln_lr_counts

COUNTS = db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1])
LRS = ln_lr_counts()
INF = math.inf


def points(line):
    return list(zip(np.asarray(line.get_xdata()).tolist(), np.asarray(line.get_ydata()).tolist(), strict=True))


def tick_texts(axis):
    return [axis.get_major_formatter()(value, None) for value in axis.get_majorticklocs()]


def test_roc_draws_the_points_of_the_record():
    ax = drawn(db.plots.roc(db.roc(COUNTS), hull=db.rocch(COUNTS), mark={"0.5": 0.5}))
    diagonal, curve, hull, mark = ax.lines
    assert points(diagonal) == [(0, 0), (1, 1)]
    record = db.roc(COUNTS)
    assert points(curve) == list(zip(record.p_fa.tolist(), record.recall.tolist(), strict=True))
    vertices = db.rocch(COUNTS)
    assert points(hull) == list(zip(vertices.p_fa.tolist(), (1 - vertices.p_miss).tolist(), strict=True))
    confusion = db.confusion(COUNTS, threshold=0.5)
    assert points(mark) == [(confusion.p_fa, confusion.recall)]
    assert ax.get_aspect() == 1.0
    assert legend(ax) == ["convex hull", "0.5"]


@pytest.mark.parametrize("threshold", [INF, 5.0, 0.9, 0.85, 0.6, 0.4, 0.2, 0.1, 0.0, -INF])
@pytest.mark.parametrize("kind", ["roc", "det", "pr"])
def test_a_mark_is_where_accepting_at_its_threshold_leads(kind, threshold):
    ax = draw_kind(kind, COUNTS, mark={"here": threshold})
    table = db.confusion(COUNTS, threshold=threshold)
    x, y = points(ax.lines[-1])[0]
    if kind == "roc":
        assert (x, y) == (table.p_fa, table.recall)
    elif kind == "det":
        assert (x, y) == (min(max(table.p_fa, 1 / 6), 5 / 6), min(max(table.p_miss, 1 / 6), 5 / 6))
    else:
        # Below the lowest score every trial is accepted, which is the curve's last point.
        assert (x, y) == (table.recall, 1.0 if table.tp + table.fp == 0 else table.precision)


def test_rows_of_marks_follow_ties_and_infinite_scores():
    counts = db.Counts.from_classes([INF, 1.0], [INF, 0.0])
    record = db.roc(counts)
    assert row_at(record.threshold, INF) == 1
    assert (record.tp[1], record.fp[1]) == (1, 1)
    assert row_at(np.array([2.0, 1.0]), 3.0) == 0


def test_marks_for_each_system():
    systems = {"A": db.roc(COUNTS), "B": db.roc(COUNTS)}
    ax = db.plots.roc(systems, mark={"EER": {"A": 0.6, "B": 0.4}, "high": 0.9})
    marks = [line for line in ax.lines if line.get_linestyle() == "None"]
    assert [points(mark)[0] for mark in marks[:2]] == [(1 / 3, 2 / 3), (2 / 3, 1.0)]
    assert len(marks) == 4
    assert legend(ax) == ["A", "B", "EER", "high"]
    with pytest.raises(OptionError, match="mark: 'EER' names 'C', which is not among 'A', 'B'"):
        db.plots.roc(systems, mark={"EER": {"C": 1.0}})
    with pytest.raises(OptionError, match="mark: 'EER' is no number"):
        db.plots.roc(systems, mark={"EER": math.nan})
    with pytest.raises(OptionError, match="mark: 'EER' has no threshold"):
        db.plots.roc(systems, mark={"EER": {}})
    with pytest.raises(OptionError, match="hull: 'C' is not among the curves 'A', 'B'"):
        db.plots.roc(systems, hull={"C": db.rocch(COUNTS)})


def test_rocch_joins_the_vertices():
    ax = drawn(db.plots.rocch(db.rocch(COUNTS)))
    hull = db.rocch(COUNTS)
    assert np.array_equal(ax.lines[1].get_xdata(), hull.p_fa)
    assert np.array_equal(ax.lines[1].get_ydata(), 1 - hull.p_miss)


def test_det_says_what_it_clips():
    record = db.det(db.Counts.from_classes([*range(100, 150), *range(80, 92)], range(1, 101)))
    ax = drawn(db.plots.det(record))
    vertical, horizontal, curve, hollow = (
        next(line for line in ax.lines if len(set(line.get_xdata())) == 1 and len(line.get_xdata()) == 2),
        next(line for line in ax.lines if len(set(line.get_ydata())) == 1 and len(line.get_ydata()) == 2),
        max(ax.lines, key=lambda line: len(line.get_xdata())),
        next(line for line in ax.lines if line.get_markerfacecolor() == "white" and len(line.get_xdata())),
    )
    assert vertical.get_xdata()[0] == 1 / 100
    assert horizontal.get_ydata()[0] == 1 / 62
    assert np.array_equal(curve.get_xdata(), record.p_fa.clip(0.5 / 100, 1 - 0.5 / 100))
    assert np.array_equal(curve.get_ydata(), record.p_miss.clip(0.5 / 62, 1 - 0.5 / 62))
    assert set(points(hollow)) == {(0.5 / 100, 13 / 62), (0.21, 0.5 / 62)}
    assert legend(ax) == [
        "one error: 1 of 62 targets,\n1 of 100 nontargets",
        "no error: drawn at half an error",
    ]
    # The numbers in the record are as they were.
    assert record.p_fa[0] == 0.0


def test_det_axes_are_probits_with_percent_ticks():
    ax = drawn(db.plots.det(db.det(LRS)))
    low, high = ax.transData.transform([(0.05, 0.1), (0.2, 0.1)])
    zero = ax.transData.transform((0.5, 0.1))
    assert (zero - low)[0] / (zero - high)[0] == pytest.approx(float(ndtri(0.05) / ndtri(0.2)))
    assert {"1", "10", "50"} <= set(tick_texts(ax.xaxis))
    assert "%" in ax.get_xlabel()
    assert ax.get_xlim()[0] < 0.5 / 201
    assert ax.get_xlim()[1] == 0.5


@pytest.mark.parametrize("n", [1, 3, 10, 1000, 10**7])
def test_det_ticks_stand_apart(n):
    record = replace(db.det(LRS), n_target=n, n_nontarget=n)
    ax = drawn(db.plots.det(record))
    for axis, limits in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
        at = ndtri(axis.get_majorticklocs())
        assert np.diff(at).min() >= (ndtri(limits[1]) - ndtri(limits[0])) / 10.001
        assert 4 <= at.size <= 11


def test_det_of_a_reversed_system_shows_everything():
    one = drawn(db.plots.det(db.det(db.Counts.from_classes([1], [0]))))
    assert one.get_xlim()[1] > 0.9
    swapped = db.det(db.Counts.from_classes([0, 1, 2, 3], [3, 4, 5, 6, 7]))
    ax = drawn(db.plots.det(swapped))
    assert ax.get_xlim()[1] > 0.9
    weighted = db.Counts.from_arrays([3, 2, 1, 0], [1, 0, 1, 0], weight=[0.2, 0.3, 0.5, 0.5])
    ax = drawn(db.plots.det(db.det(weighted)))
    assert not any("one error" in entry for entry in legend(ax))


def test_det_resolution_of_several_systems():
    systems = {"A": db.det(COUNTS), "B": db.det(LRS)}
    assert "one error of each system" in legend(drawn(db.plots.det(systems)))


def test_precision_recall_are_the_steps_of_average_precision():
    counts = db.Counts.from_classes([0.9, 0.6], [0.8, 0.1])
    ax = drawn(db.plots.precision_recall(db.precision_recall(counts)))
    share, curve = ax.lines
    assert points(share) == [(0, 0.5), (1, 0.5)]
    assert curve.get_drawstyle() == "steps-pre"
    assert points(curve) == [(0.0, 1.0), (0.5, 1.0), (0.5, 0.5), (1.0, 2 / 3), (1.0, 0.5)]
    x, y = np.asarray(curve.get_xdata()), np.asarray(curve.get_ydata())
    assert float(np.sum(np.diff(x) * y[1:])) == pytest.approx(db.average_precision(counts))


def test_pr_gain_ends_a_little_below_what_is_drawn():
    record = db.pr_gain(db.Counts.from_classes([8, 7, 5, 3], [6, 4, 2, 1, 0, -1]))
    ax = drawn(db.plots.pr_gain(record, mark={"6": 6}))
    assert points(ax.lines[1]) == list(zip(record.recall_gain.tolist(), record.precision_gain.tolist(), strict=True))
    bad = db.pr_gain(db.Counts.from_classes([0, 1], [*range(2, 20)]))
    assert db.plots.pr_gain(bad).get_ylim()[0] == pytest.approx(-1.015)


@pytest.mark.parametrize("type_", [1, 2])
def test_tippett_runs_from_frame_to_frame(type_):
    ax = drawn(db.plots.tippett(db.tippett(LRS, type=type_)))
    left, right = ax.get_xlim()
    target, nontarget = (line for line in ax.lines if line.get_drawstyle() == "steps-pre")
    record = db.tippett(LRS, type=type_)
    for line in (target, nontarget):
        assert (line.get_xdata()[0], line.get_xdata()[-1]) == (left, right)
        assert (np.diff(line.get_xdata()) >= 0).all()
    outer = (1.0, 0.0) if type_ == 1 else (0.0, 1.0)
    assert (target.get_ydata()[0], target.get_ydata()[-1]) == outer
    assert (nontarget.get_ydata()[0], nontarget.get_ydata()[-1]) == (1.0, 0.0)
    # The infinite ones: two targets at the right, one nontarget at the left.
    assert target.get_ydata()[-2] == pytest.approx(2 / 62 if type_ == 1 else 60 / 62)
    assert nontarget.get_ydata()[1] == pytest.approx(200 / 201)
    assert legend(ax) == ["targets (2 at LR = ∞)", "nontargets (1 at LR = 0)"]
    finite = np.isfinite(record.log10_lr)
    assert np.array_equal(np.asarray(target.get_xdata())[1:-2], record.log10_lr[finite])
    assert np.array_equal(np.asarray(target.get_ydata())[1:-2], record.target[finite])


@pytest.mark.parametrize(
    ("data", "entries"),
    [
        (([INF], [-INF]), ["targets (1 at LR = ∞)", "nontargets (1 at LR = 0)"]),
        (([INF, -INF], [INF]), ["targets (1 at LR = 0, 1 at LR = ∞)", "nontargets (1 at LR = ∞)"]),
        (([-INF], [-INF, -INF]), ["targets (1 at LR = 0)", "nontargets (2 at LR = 0)"]),
        (([0.0], [0.0]), ["targets", "nontargets"]),
        (([1.0] * 1234 + [INF] * 1234, [0.0]), ["targets (1,234 at LR = ∞)", "nontargets"]),
    ],
)
def test_tippett_counts_infinite_trials(data, entries):
    record = db.tippett(db.Counts.from_classes(*data, scale="ln_lr"))
    ax = drawn(db.plots.tippett(record))
    assert legend(ax) == entries


def test_tippett_of_both_types_together_is_refused():
    with pytest.raises(OptionError, match="expected records of one type"):
        db.plots.tippett({"A": db.tippett(LRS), "B": db.tippett(LRS, type=2)})


def test_several_systems_differ_by_colour_and_classes_by_dash():
    ax = drawn(db.plots.tippett({"A": db.tippett(LRS), "B": db.tippett(LRS)}, mark={"LR = 10": 1.0}))
    lines = [line for line in ax.lines if line.get_drawstyle() == "steps-pre"]
    assert [line.get_color() for line in lines] == [COLOURS[0], COLOURS[0], COLOURS[1], COLOURS[1]]
    assert lines[0].get_linestyle() != lines[1].get_linestyle()
    assert lines[0].get_marker() != lines[2].get_marker()
    assert legend(ax)[:2] == ["A, targets (2 at LR = ∞)", "A, nontargets (1 at LR = 0)"]
    assert legend(ax)[-1] == "LR = 10"


def test_cross_entropy_has_three_lines_of_three_dashes():
    finite = db.Counts.from_classes([0.5, 2.0], [-1.0, 0.0], scale="log10_lr")
    record = db.empirical_cross_entropy_curve(finite)
    ax = drawn(db.plots.cross_entropy(record, vocabulary="forensic"))
    system, pav, neutral = ax.lines
    for line, column in ((system, record.system), (pav, record.pav), (neutral, record.neutral)):
        assert np.array_equal(line.get_xdata(), record.log10_odds)
        assert np.array_equal(line.get_ydata(), column)
    assert system.get_linestyle() == "-"
    assert len({str(line._unscaled_dash_pattern) for line in ax.lines}) == 3
    assert ax.get_xlabel() == "Prior log$_{10}$ odds of same source"
    ax = drawn(db.plots.cross_entropy(record, x="probability"))
    assert np.array_equal(ax.lines[0].get_xdata(), record.p_target)
    assert ax.get_xlim() == (0.0, 1.0)


def test_cross_entropy_that_is_infinite_says_so():
    counts = db.Counts.from_classes([0.5, -INF], [-1.0, 0.0], scale="log10_lr")
    record = db.empirical_cross_entropy_curve(counts, log10_odds=[-INF, 0, 3, 1, INF])
    ax = drawn(db.plots.cross_entropy({"A": record}))
    assert legend(ax) == ["A, LRs as they are (infinite)", "A, LRs after PAV", "LR = 1 always"]
    assert np.array_equal(ax.lines[1].get_xdata(), [0, 1, 3])
    assert np.isnan(np.asarray(ax.lines[0].get_ydata())).all()
    assert 1.0 < ax.get_ylim()[1] < 2.2
    with pytest.raises(OptionError, match="x: expected 'log10 odds' or 'probability', found 'odds'"):
        db.plots.cross_entropy(record, x="odds")


def test_bayes_error_of_scores_has_no_actual_line():
    ax = drawn(db.plots.bayes_error(db.bayes_error_curve(COUNTS)))
    assert legend(ax) == ["best threshold", "decided without looking"]
    ax = drawn(db.plots.bayes_error({"A": db.bayes_error_curve(LRS), "B": db.bayes_error_curve(COUNTS)}))
    assert legend(ax) == [
        "A, theoretical threshold",
        "A, best threshold",
        "B, best threshold",
        "decided without looking",
    ]
    with pytest.raises(OptionError, match="all normalised, or none"):
        db.plots.bayes_error({"A": db.bayes_error_curve(LRS), "B": db.bayes_error_curve(LRS, normalise=True)})


def test_normalised_bayes_error_ends_at_twice_the_default():
    record = db.bayes_error_curve(db.Counts.from_classes([-9.0, -8.0], [9.0], scale="ln_lr"), normalise=True)
    ax = drawn(db.plots.bayes_error(record))
    assert record.actual.max() > 2
    assert ax.get_ylim() == pytest.approx((-0.015 * 2.1, 2.1))
    assert ax.get_ylabel() == "Normalised Bayes error"


def test_ape_bars_stand_on_one_another():
    ax = drawn(db.plots.ape_bars({"A": (0.25, 0.5), "B$_1$": (0.5, INF)}))
    heights = [(patch.get_y(), patch.get_height()) for patch in ax.patches]
    top = ax.get_ylim()[1]
    assert heights == [(0, 0.25), (0, 0.5), (0.25, 0.5), (0.5, top - 0.5)]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["A", "B$_1$ (infinite)"]
    for costs in ({}, {"A": (-0.1, 0.2)}, {"A": (math.nan, 0.2)}):
        with pytest.raises(OptionError, match="ape_bars: expected"):
            db.plots.ape_bars(costs)


def bars_of(shape):
    """Left ends, widths and heights of bars that are drawn as one shape."""
    corners = shape.get_path().vertices.reshape(-1, 5, 2)
    left, height = corners[:, 0, 0], corners[:, 1, 1]
    return left.tolist(), (corners[:, 2, 0] - left).tolist(), height.tolist()


def test_reliability_draws_bins_and_their_numbers():
    stated = db.Counts.from_classes([0.75, 0.5], [0.25, 0.5], scale="probability")
    ax = drawn(db.plots.reliability(db.reliability(stated, n_bins=5)))
    assert points(ax.lines[1]) == [(0.25, 0.0), (0.5, 0.5), (0.75, 1.0)]
    strip = ax.child_axes[0]
    left, _, height = bars_of(strip.patches[0])
    assert height == [1, 2, 1]
    assert left == pytest.approx([0.2, 0.4, 0.6])
    assert [text.get_text() for text in strip.texts] == ["1", "2", "1"]
    assert ax.get_ylabel() == "Observed share of targets"


def test_corp_is_level_over_blocks():
    stated = db.Counts.from_classes([0.75, 0.5, 0.3], [0.25, 0.5, 0.4], scale="probability")
    record = db.reliability(stated, bins="corp")
    ax = drawn(db.plots.reliability({"A": record, "B": record}))
    x = np.column_stack([record.low, record.high]).ravel()
    assert np.array_equal(ax.lines[1].get_xdata(), x)
    assert np.array_equal(ax.lines[1].get_ydata(), np.repeat(np.asarray(record.observed), 2))
    assert legend(ax) == ["A", "B"]


def test_pav_map_puts_pure_blocks_on_the_frame():
    ax = drawn(db.plots.pav_map(db.pav_map(LRS)))
    bottom, top = ax.get_ylim()
    on_frame = [line for line in ax.lines if set(np.asarray(line.get_ydata()).tolist()) in ({bottom}, {top})]
    assert len(on_frame) == 4
    curve = max(ax.lines, key=lambda line: len(line.get_xdata()))
    record = db.pav_map(LRS)
    finite = np.isfinite(record.ln_lr)
    assert np.asarray(curve.get_ydata())[1:-1] == pytest.approx(np.repeat(record.ln_lr[finite] / math.log(10), 2))
    held = (record.n_target + record.n_nontarget)[~finite]
    assert legend(ax) == [f"{held[0]} at LR = 0 down to −∞, {held[1]} at LR = ∞ up to ∞", "unchanged"]
    triangles = {line.get_marker(): line.get_xdata()[0] for line in ax.lines if line.get_marker() in ("^", "v")}
    log10 = [float(end) / math.log(10) for end in (record.low[-1], record.high[0])]
    assert [triangles["^"], triangles["v"]] == pytest.approx(log10)
    raw = db.plots.pav_map(db.pav_map(COUNTS))
    assert raw.get_xlabel() == "Score"
    assert "unchanged" not in legend(raw)
    with pytest.raises(OptionError, match="pav_map: expected scores of one scale, found ln_lr, score"):
        db.plots.pav_map({"A": db.pav_map(COUNTS), "B": db.pav_map(LRS)})


def test_pav_map_shows_all_scores_where_the_blocks_between_keep_a_third():
    near = db.Counts.from_classes([-1.0, 2.0, 3.0], [2.0, -1.0, -2.0])
    ax = drawn(db.plots.pav_map({"A": db.pav_map(near), "B": db.pav_map(near)}))
    assert ax.get_xlim()[0] < -2.0
    assert ax.get_xlim()[1] > 3.0
    # Equal bars of two systems lie beside one another.
    bars = [line.get_window_extent().y0 for line in ax.lines if line.get_clip_on() is False]
    assert len({round(y) for y in bars}) >= 4
    far = db.Counts.from_classes([2.0, 1.0, 1000.0], [1.0, 2.0, -1.0])
    ax = drawn(db.plots.pav_map(db.pav_map(far)))
    assert ax.get_xlim()[1] < 10.0
    assert legend(ax) == ["1 at LR = 0 down to −1, 1 at LR = ∞ up to 1e+03"]


@pytest.mark.parametrize("kind", ["cross-entropy", "bayes-error"])
def test_perfect_systems_do_not_lie_on_the_frame(kind):
    ax = draw_kind(kind, db.Counts.from_classes([INF, INF], [-INF], scale="ln_lr"))
    bottom, top = ax.get_ylim()
    assert 0.005 < -bottom / top < 0.05


def test_the_strip_of_a_reliability_diagram():
    generator = np.random.default_rng(5)
    sizes = {"A": 120, "B": 6561}
    records = {
        name: db.reliability(
            db.Counts.from_arrays(generator.random(n), generator.random(n) < 0.5, scale="probability"), n_bins=5
        )
        for name, n in sizes.items()
    }
    (strip,) = drawn(db.plots.reliability(records)).child_axes
    for name, shape in zip(records, strip.patches, strict=True):
        _, width, height = bars_of(shape)
        assert width == pytest.approx([0.2] * 5)
        assert height == pytest.approx((records[name].n / sizes[name]).tolist())
    assert strip.get_ylabel() == "share of\ntrials"
    assert len(strip.get_yticks()) >= 2
    (strip,) = drawn(db.plots.reliability(replace(records["B"], bins="corp"))).child_axes
    assert all(tick % 500 == 0 for tick in strip.get_yticks())


def test_bins_too_close_for_an_axis_are_one_bar():
    ax = drawn(db.plots.score_histogram(db.score_histogram(db.Counts.from_classes([5e-324, 1e-320], [0.0]))))
    assert legend(ax) == ["targets, bins too close: one bar", "nontargets, bins too close: one bar"]
    for bar in ax.patches:
        values, edges, _ = bar.get_data()
        assert values.tolist() == [1.0]
        assert np.diff(ax.transData.transform([(edge, 0.0) for edge in edges])[:, 0])[0] > 3


def test_histogram_has_shares_or_numbers_and_infinite_bars():
    record = db.score_histogram(LRS, bins=10)
    for shares, unit in ((True, 62), (False, 1)):
        ax = drawn(db.plots.score_histogram(record, shares=shares))
        target = next(patch for patch in ax.patches if isinstance(patch, StepPatch))
        values, edges, _ = target.get_data()
        assert np.array_equal(values, record.n_target / unit)
        assert np.array_equal(edges, np.append(record.low, record.high[-1:]))
    assert legend(ax) == ["targets (2 at ∞)", "nontargets (1 at −∞)"]
    labels = tick_texts(ax.xaxis)
    assert {"∞", "−∞"} <= set(labels)
    bars = [patch for patch in ax.patches if not isinstance(patch, StepPatch)]
    assert [bar.get_height() for bar in bars] == [2, 1]
    assert bars[0].get_x() > record.high[-1]
    assert bars[1].get_x() + bars[1].get_width() < record.low[0]
    with pytest.raises(OptionError, match="score_histogram: expected scores of one scale"):
        db.plots.score_histogram({"A": record, "B": db.score_histogram(COUNTS)})


def test_histogram_of_one_class():
    ax = drawn(db.plots.score_histogram(db.score_histogram(db.Counts.from_classes([1.0, 2.0], []))))
    assert legend(ax) == ["targets"]


def test_net_benefit_has_its_two_references():
    stated = db.Counts.from_classes([0.9, 0.4], [0.8, 0.1], scale="probability")
    record = db.net_benefit_curve(stated, thresholds=[0.5, 0.2])
    ax = drawn(db.plots.net_benefit(record))
    assert points(ax.lines[0]) == [(0.2, 0.4375), (0.5, 0.0)]
    assert points(ax.lines[1]) == [(0.2, 0.375), (0.5, 0.0)]
    assert legend(ax) == ["flagging all", "flagging none"]


def test_threshold_curve_holds_values_up_to_the_threshold():
    counts = db.Counts.from_classes([0.9, 0.6], [0.8, 0.1])
    ax = drawn(db.plots.threshold_curve(db.threshold_curve(counts, ["recall", "precision"]), mark={"m": 0.8}))
    left, right = ax.get_xlim()
    recall, precision = (line for line in ax.lines if line.get_drawstyle() == "steps-pre")
    assert points(recall) == [(left, 1), (0.1, 1), (0.6, 1), (0.8, 0.5), (0.9, 0.5), (right, 0)]
    assert np.isnan(np.asarray(precision.get_ydata())[-1])
    assert legend(ax) == ["recall", "precision", "m"]
    for name in ("lr_positive", "mcc"):
        drawn(db.plots.threshold_curve(db.threshold_curve(counts, [name])))


def test_pan_s_tippett_goes_straight_into_matplotlib():
    from deciban.pan import tippett

    d = tippett([1.0, 2.0, -1.0, 0.5], [1, 1, 0, 0])
    ax = Figure().add_subplot()
    ax.step(d["thresholds"], d["target_cdf"])
    ax.step(d["thresholds"], d["nontarget_cdf"])
    ax.figure.draw_without_rendering()
