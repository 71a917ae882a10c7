"""What all plots have in common: words, records, axes, names, panels, files."""

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure

import deciban as db
from deciban.errors import OptionError
from deciban.plots.kinds import KINDS
from deciban.vocabulary import VOCABULARIES, find_vocabulary
from tests.plot_data import draw_kind, drawn, legend, ln_lr_counts

COUNTS = db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1])
LRS = ln_lr_counts()


def test_words_change_with_the_vocabulary():
    assert draw_kind("det", LRS, vocabulary="biometric").get_ylabel() == "False non-match rate (% of mated trials)"
    assert draw_kind("roc", LRS, vocabulary="ml").get_xlabel() == "False positive rate (share of negatives)"
    assert draw_kind("roc", LRS, vocabulary="forensic").get_ylabel() == "Hit rate (share of same-source trials)"
    for name in VOCABULARIES:
        for kind in KINDS:
            KINDS[kind].draw(KINDS[kind].curve(LRS), vocabulary=name)
    with pytest.raises(OptionError, match="vocabulary: 'forensics' is unknown; did you mean 'forensic'"):
        draw_kind("roc", LRS, vocabulary="forensics")
    with pytest.raises(OptionError, match=r"known: neutral, forensic, biometric, spoofing, pad, authorship, ml$"):
        find_vocabulary("zzz")


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_right_records_are_drawn(kind):
    draw = KINDS[kind].draw
    with pytest.raises(OptionError, match=r"expected .* \(what deciban\.\w+ returns\), found Counts"):
        draw(LRS)
    with pytest.raises(OptionError, match="found int under 'A'"):
        draw({"A": 3})
    with pytest.raises(OptionError, match="expected at least one record, found none"):
        draw({})


@pytest.mark.parametrize("kind", KINDS)
def test_given_axes_are_drawn_on_and_keep_their_limits(kind):
    ax = Figure().add_subplot()
    ax.set_xlim(0.2, 0.6)
    ax.set_ylim(0.1, 0.7)
    assert draw_kind(kind, LRS, ax=ax) is ax
    assert ax.get_xlim() == (0.2, 0.6)
    assert ax.get_ylim() == (0.1, 0.7)


@pytest.mark.parametrize("kind", KINDS)
def test_names_that_mean_something_to_matplotlib(kind):
    ax = draw_kind(kind, {"_hidden": LRS, "a $x$ b_$": LRS, "50 % \\alpha": LRS})
    for name in ("_hidden", "a $x$ b_$", "50 % \\alpha"):
        assert any(entry.startswith(name) for entry in legend(ax))


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_global_changes(kind):
    before = dict(mpl.rcParams)
    draw_kind(kind, LRS)
    assert dict(mpl.rcParams) == before


def test_multiples_share_their_axes():
    counts = {"a": LRS, "b$": db.Counts.from_classes([5.0, 30.0], [-9.0], scale="ln_lr")}
    records = {name: db.tippett(each) for name, each in counts.items()}
    figure = drawn(db.plots.multiples(db.plots.tippett, records, mark={"m": {"a": 0.0, "b$": 1.0}}))
    first, second = figure.axes
    assert first.get_xlim() == second.get_xlim()
    assert first.get_ylim() == second.get_ylim()
    for panel in (first, second):
        line = next(line for line in panel.lines if line.get_drawstyle() == "steps-pre")
        assert (line.get_xdata()[0], line.get_xdata()[-1]) == panel.get_xlim()
    assert [panel.get_title() for panel in figure.axes] == ["a", "b$"]
    assert second.yaxis.label.get_visible() is False
    # Only one has infinite trials: each keeps its own legend.
    assert legend(first) != legend(second)


@pytest.mark.parametrize("kind", KINDS)
def test_multiples_of_every_kind(kind):
    records = {name: KINDS[kind].curve(LRS) for name in "abcd"}
    figure = drawn(db.plots.multiples(KINDS[kind].draw, records))
    assert len(figure.axes) == 4
    assert len(figure.legends) <= 1
    assert len({panel.get_xlim() for panel in figure.axes}) == 1


def test_multiples_with_options_of_their_own():
    records = {name: db.roc(COUNTS) for name in "ab"}
    figure = db.plots.multiples(db.plots.roc, records, hull={n: db.rocch(COUNTS) for n in "ab"}, columns=1, size=(3, 6))
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["convex hull"]
    whole = Figure()
    part, _ = whole.subfigures(2, 1, squeeze=False).ravel()
    assert db.plots.multiples(db.plots.roc, records, figure=part) is part
    with pytest.raises(OptionError, match="columns: expected at least 1, found 0"):
        db.plots.multiples(db.plots.roc, records, columns=0)
    with pytest.raises(OptionError, match="multiples: expected at least one record, found none"):
        db.plots.multiples(db.plots.roc, {})


@pytest.mark.parametrize("format_", ["svg", "pdf", "png"])
def test_saving_twice_gives_the_same_bytes(tmp_path, format_):
    for name in ("a", "b"):
        db.plots.save(db.plots.tippett(db.tippett(LRS)), tmp_path / f"{name}.{format_}")
    content = (tmp_path / f"a.{format_}").read_bytes()
    assert content == (tmp_path / f"b.{format_}").read_bytes()
    assert b"date" not in content.lower().replace(b"validate", b"")
    with pytest.raises(OptionError, match=r"expected a name that ends in \.svg, \.pdf or \.png"):
        db.plots.save(db.plots.roc(db.roc(COUNTS)), tmp_path / "a.jpg")
    with pytest.raises(OptionError, match="format: expected one of svg, pdf, png"):
        db.plots.save(db.plots.roc(db.roc(COUNTS)), tmp_path / "a.jpg", format="jpg")
    assert not (tmp_path / "a.jpg").exists()
