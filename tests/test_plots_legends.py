"""Legends, names and titles: nothing is cut off, nothing collapses, and no two systems look alike."""

import math

import numpy as np
import pytest
from matplotlib.figure import Figure

import deciban as db
from deciban.errors import OptionError
from deciban.plots.fitting import entitle, resize
from deciban.plots.kinds import KINDS
from deciban.plots.looks import MOST, look
from deciban.plots.names import legible, shown_names
from tests.plot_data import draw_kind, drawn, legend, legends, ln_lr_counts, plotted

LRS = ln_lr_counts()
LONG = "a recogniser of speakers, its name told at length, number "
NAMES = {
    "many": [f"system {k}" for k in range(MOST)],
    "many and long": [LONG + letter for letter in "abcdefg"],
    "endless": ["x" * 299 + letter for letter in "ab"],
}


def inside(figure, box):
    """Whether a box lies on the sheet, to two pixels."""
    width, height = figure.bbox.size
    return box.x0 >= -2 and box.y0 >= -2 and box.x1 <= width + 2 and box.y1 <= height + 2


def check(figure, least=1.2):
    """Nothing runs out of the figure, and axes keep some inches."""
    drawn(figure, laid_out=True)
    for ax in figure.axes:
        assert inside(figure, ax.get_tightbbox())
        assert min(ax.bbox.size) >= least * figure.dpi
        box = ax.get_window_extent()
        for shown in legends(ax):
            assert inside(figure, shown.get_window_extent())
        for shown in figure.legends:
            label = ax.xaxis.label
            lowest = min(box.y0, label.get_window_extent().y0) if label.get_visible() else box.y0
            assert shown.get_window_extent().y1 <= lowest + 1


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_name_finds_room(kind, names):
    ax = plotted(kind, dict.fromkeys(NAMES[names], LRS))
    check(ax.figure, least=2.0)
    entries = legend(ax)
    assert len(entries) == len(set(entries))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("kind", "layout"), [*((kind, "constrained") for kind in KINDS), ("roc", "tight"), ("histogram", "tight")]
)
def test_axes_that_were_given_keep_their_room(kind, layout):
    figure = Figure(figsize=(7, 6), layout=layout)
    for ax in figure.subplots(2, 2).ravel()[::3]:
        plotted(kind, dict.fromkeys(NAMES["many and long"], LRS), ax=ax)
    drawn(figure, laid_out=True)
    assert figure.get_size_inches().tolist() == [7, 6]
    for ax in figure.axes:
        assert min(ax.bbox.size) >= 1.0 * figure.dpi
        assert inside(figure, ax.yaxis.label.get_window_extent())


@pytest.mark.parametrize("kind", KINDS)
def test_twelve_systems_differ_in_each_line(kind):
    ax = plotted(kind, dict.fromkeys(NAMES["many"], LRS))
    looks = [
        (line.get_color(), line.get_marker(), line.get_linestyle())
        for line in ax.lines
        if line.get_color() in {look(k).colour for k in range(MOST)}
    ]
    colours = {colour for colour, _, _ in looks} or {patch.get_edgecolor() for patch in ax.patches}
    assert len(colours) >= MOST
    assert len({(look(k).marker, look(k).colour) for k in range(MOST)}) == MOST
    assert len({look(k).marker for k in range(MOST)}) == MOST


@pytest.mark.parametrize("kind", KINDS)
def test_more_systems_than_can_be_told_apart_are_refused(kind):
    records = {str(k): KINDS[kind].curve(LRS) for k in range(MOST + 1)}
    with pytest.raises(OptionError, match=r"expected at most 12 systems on one set of axes, found 13: .*multiples"):
        KINDS[kind].draw(records)
    assert len(db.plots.multiples(KINDS[kind].draw, records).axes) == MOST + 1


@pytest.mark.filterwarnings("error")
def test_panels_and_bars_with_long_names():
    records = {name: db.tippett(LRS) for name in NAMES["many and long"]}
    check(db.plots.multiples(db.plots.tippett, records))
    check(db.plots.ape_bars(dict.fromkeys(NAMES["many and long"], (0.2, 0.1))).figure)
    check(db.plots.ape_bars({f"system {k}": (0.2, 0.1) for k in range(30)}).figure)


@pytest.mark.filterwarnings("error")
def test_letters_that_no_font_has_and_tabs_are_escaped(tmp_path):
    names = ["a\tb", "日本", "\x1b[31m", "é ∞ Δ"]
    ax = draw_kind("roc", dict.fromkeys(names, LRS), mark={"a\n日": 0.0})
    assert legend(ax) == ["a\\tb", "\\u65e5\\u672c", "\\x1b[31m", "é ∞ Δ", "a\\n\\u65e5"]
    db.plots.save(ax, tmp_path / "a.png")
    panels = db.plots.multiples(db.plots.roc, {name: db.roc(LRS) for name in names})
    assert panels.get_axes()[0].get_title() == "a\\tb"
    db.plots.save(panels, tmp_path / "b.svg")
    assert legible("plain") == "plain"


def test_names_that_differ_in_the_middle_are_numbered():
    names = ["a" * 60 + letter + "a" * 60 for letter in "xyz"]
    assert len(set(shown_names(names).values())) == 3
    assert shown_names(["a", "b"]) == {"a": "a", "b": "b"}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("title", ["many words in a title " * 12, "x" * 300, "short", "a\ttab"])
@pytest.mark.parametrize("size", [None, (3.0, 4.0), (8.0, 6.0)])
def test_titles_are_broken_into_lines(title, size):
    figure = plotted("roc", LRS).figure
    entitle(figure, title)
    if size is not None:
        resize(figure, *size)
        assert tuple(figure.get_size_inches()) == size
    check(figure, least=1.0)
    (heading,) = (text for text in figure.texts if text.get_text())
    assert inside(figure, heading.get_window_extent())
    assert heading.get_text().replace("\n", "").replace(" ", "") == legible(title).replace(" ", "")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [(2.5, 2.5), (12.0, 4.0)])
@pytest.mark.parametrize("kind", KINDS)
def test_small_sheets_hold_their_labels(kind, size):
    figure = plotted(kind, LRS, vocabulary="biometric").figure
    resize(figure, *size)
    check(figure, least=0.8)


def test_a_sheet_without_room_for_axes_is_refused():
    figure = plotted("cross-entropy", dict.fromkeys(NAMES["many"], LRS)).figure
    with pytest.raises(OptionError, match=r"^--size: expected at least 1\.2 x \d\.\d inches .* found 3 x 2$"):
        resize(figure, 3.0, 2.0)


def test_marks_outside_are_told():
    counts = db.Counts.from_classes([0.0, 2.0, 3.0, 4.0], [-1.0, 0.0, 1.0, 2.5], scale="log10_lr")
    ax = drawn(db.plots.tippett(db.tippett(counts), mark={"far": 50.0, "near": 1.0, "two": 60.0}))
    assert legend(ax)[2:] == ["far (outside the view)", "near", "two (outside the view)"]
    two = {"A": db.roc(counts), "B": db.roc(counts)}
    given = Figure().add_subplot()
    given.set_xlim(0.4, 1.0)
    ax = drawn(db.plots.roc(two, ax=given, mark={"m": {"A": 4.0, "B": -1.0}}))
    assert legend(ax)[-1] == "m (1 of 2 outside the view)"
    gain = db.pr_gain(counts)
    ax = drawn(db.plots.pr_gain(gain, mark={"high": float(np.nextafter(gain.threshold[0], math.inf)), "low": -9.0}))
    assert legend(ax) == ["high (recall gain below 0)", "low"]
    assert len([line for line in ax.lines if line.get_marker() != "None" and line.get_linestyle() == "None"]) == 1


def test_the_view_of_det_grows_to_hold_a_mark():
    generator = np.random.default_rng(1)
    counts = db.Counts.from_classes(generator.normal(2, 1, 200), generator.normal(0, 1, 200))
    high = float(np.quantile(counts.score, 0.99))
    ax = drawn(db.plots.det(db.det(counts), mark={"high": high}))
    assert db.confusion(counts, threshold=high).p_miss > 0.6
    (mark,) = (line for line in ax.lines if line.get_markersize() == 7)
    assert ax.get_ylim()[0] < mark.get_ydata()[0] < ax.get_ylim()[1]
    assert ax.get_xlim()[1] == 0.5
    assert "high" in legend(ax)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_axes_is_refused(kind):
    with pytest.raises(OptionError, match=r"ax: expected axes of matplotlib, or None for a new figure, found str"):
        KINDS[kind].draw(KINDS[kind].curve(LRS), ax="x")


def test_what_is_no_figure_is_refused(tmp_path):
    with pytest.raises(OptionError, match="figure: expected a figure of matplotlib or a part of one, found str"):
        db.plots.multiples(db.plots.roc, {"A": db.roc(LRS)}, figure="x")
    with pytest.raises(OptionError, match="save: expected a figure of matplotlib or axes on one, found str"):
        db.plots.save("x", tmp_path / "a.svg")
    with pytest.raises(OptionError, match="ax: expected axes of matplotlib"):
        db.plots.ape_bars({"A": (0.2, 0.1)}, ax=3)


def test_a_band_at_a_single_prior_is_seen():
    record = db.with_band(db.bayes_error_curve, LRS, replicates=20, log10_odds=[0.0])
    ax = drawn(db.plots.bayes_error(record))
    assert all(type(limits).__name__ == "LineCollection" for limits in ax.collections)
    assert any("interval" in entry for entry in legend(ax))
