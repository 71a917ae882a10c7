"""``deciban plot``: every kind on public data, systems in three notations, marks, files whole or not at all."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
from matplotlib.figure import Figure

from deciban.cli.figure import parse_size
from deciban.errors import OptionError
from deciban.plots import canvas
from deciban.plots.kinds import KINDS
from tests.command_line import process
from tests.plot_data import legend as shown_in
from tests.shared_data import shared

GOOD = "score,other,label,side\n0.9,0.8,1,l\n0.8,0.1,1,r\n0.3,0.4,0,l\n0.4,0.9,1,r\n0.2,0.1,0,l\n0.1,0.3,0,r\n"


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text(GOOD, encoding="utf-8")
    return tmp_path


@pytest.fixture
def shown(monkeypatch):
    """The figures that were saved."""
    saved = []
    original = Figure.savefig

    def savefig(self, *arguments, **options):
        saved.append(self)
        return original(self, *arguments, **options)

    monkeypatch.setattr(Figure, "savefig", savefig)
    return saved


def texts(svg):
    """What matplotlib notes of each text that it draws as outlines."""
    return re.findall(r"<!-- (.*?) -->", svg.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_by_gender(deciban, tmp_path, kind):
    path = tmp_path / "fig.svg"
    ended = deciban(
        *("plot", kind, shared("data/ru2009.csv.gz"), "--score", "score", "--label", "target", "--target", "TRUE"),
        *("--scale", "ln_lr", "--by", "gender", "-o", path),
    )
    assert (ended.status, ended.out, ended.err) == (0, "", f"deciban: wrote {path}\n")
    ET.parse(path)
    assert any("gender=f" in text for text in texts(path))
    assert path.stat().st_size < 100_000


@pytest.mark.parametrize(
    ("kind", "format_"), [*((kind, "pdf") for kind in KINDS), ("tippett", "svg"), ("tippett", "png")]
)
def test_every_kind_of_cartridges(deciban, tmp_path, kind, format_):
    path = tmp_path / f"fig.{format_}"
    ended = deciban("plot", kind, shared("data/nfi_cartridges.csv"), "-o", path, "--vocabulary", "forensic")
    assert (ended.status, ended.out) == (0, "")
    assert "note" not in ended.err
    assert path.read_bytes()[:4] == {"svg": b"<?xm", "pdf": b"%PDF", "png": b"\x89PNG"}[format_]


def test_the_same_bytes_in_another_process(table):
    script = (
        "import sys, deciban as db\n"
        "counts = db.count(db.read_trials('a.csv', score='score'))\n"
        "for form in ('svg', 'pdf', 'png'): db.plots.save(db.plots.det(db.det(counts)), f'{sys.argv[1]}.{form}')"
    )
    for seed, name in (("0", "a"), ("1", "b")):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", script, name], cwd=table, env=environment, check=True)
    for format_ in ("svg", "pdf", "png"):
        assert (table / f"a.{format_}").read_bytes() == (table / f"b.{format_}").read_bytes()


def test_settings_of_the_user_change_nothing(table):
    (table / "matplotlibrc").write_text("font.size: 30\nlines.linewidth: 9\nsvg.hashsalt: x\n", encoding="utf-8")
    run = ("plot", "roc", "a.csv", "--score", "score")
    process(*run, "-o", "a.svg", cwd=table)
    (table / "matplotlibrc").unlink()
    process(*run, "-o", "b.svg", cwd=table)
    assert (table / "a.svg").read_bytes() == (table / "b.svg").read_bytes()


def legend(figure):
    return shown_in(figure.axes[0])


@pytest.mark.parametrize(
    ("arguments", "entries"),
    [
        (("a.csv", "--score", "score", "--score", "other"), ["score", "other"]),
        (("--system", "one=a.csv", "--system", "two = b=c.csv", "--score", "other"), ["one", "two"]),
        (("--system", "one=a.csv", "--score", "other", "--by", "side"), ["one, side=l", "one, side=r"]),
        (("a.csv", "--score", "score", "--label", "label", "--by", "side", "--by", "side"), ["side=l", "side=r"]),
    ],
)
def test_several_systems(deciban, table, shown, arguments, entries):
    (table / " b=c.csv").write_text(GOOD, encoding="utf-8")
    ended = deciban("plot", "roc", *arguments, "-o", "fig.svg")
    assert ended.status == 0, ended.err
    assert legend(shown[0]) == entries


def test_groups_of_one_class_are_left_out(deciban, table, shown):
    (table / "b.csv").write_text(GOOD + "0.7,0.2,1,x\n", encoding="utf-8")
    ended = deciban("plot", "roc", "b.csv", "--score", "score", "--by", "side", "-o", "fig.svg")
    assert ended.status == 0
    assert "deciban: note: side=x: left out: " in ended.err
    assert legend(shown[0]) == ["side=l", "side=r"]
    ended = deciban("plot", "roc", "b.csv", "--score", "score", "--label", "label", "--by", "label", "-o", "no.svg")
    assert ended.status == 2
    assert "nothing to draw: label=0: left out" in ended.err
    assert not (table / "no.svg").exists()


SOURCED = "score,label,spk,w\n" + "".join(
    f"{x},{int(k < 5)},s{k % 4},{1 + k % 2}\n"
    for k, x in enumerate([2.5, 0.5, 3, 1, 2, -1, -2.5, 0, 1.5, -3, -0.5, -2])
)


def test_bands(deciban, table, shown):
    (table / "s.csv").write_text(SOURCED, encoding="utf-8")
    run = ("plot", "roc", "s.csv", "--score", "score", "--label", "label", "-o", "fig.svg")
    for more, entry in (
        (("--band", "--level", "0.9"), "90 % band (bootstrap or Wilson)\nat fixed false-alarm rate"),
        (("--band", "--source", "spk"), "95 % band (bootstrap of sources)\nat fixed false-alarm rate"),
        (("--band", "--weight", "w"), "95 % band (bootstrap)\nat fixed false-alarm rate"),
    ):
        ended = deciban(*run, *more, "--replicates", "40")
        assert ended.status == 0, ended.err
        assert legend(shown[-1]) == [entry]
    files = []
    for seed in ("0", "0", "7"):
        deciban(*run, "--band", "--replicates", "40", "--seed", seed)
        files.append((table / "fig.svg").read_bytes())
    assert files[0] == files[1] != files[2]


def test_a_system_without_a_band_is_drawn_and_told(deciban, table, shown):
    (table / "s.csv").write_text(SOURCED, encoding="utf-8")
    (table / "one.csv").write_text("score,label,spk\n2,1,a\n1,0,a\n", encoding="utf-8")
    run = ("plot", "roc", "--score", "score", "--label", "label", "-o", "fig.svg", "--band", "--replicates", "20")
    ended = deciban(*run, "--source", "spk", "--system", "A=s.csv", "--system", "B=one.csv")
    assert ended.status == 0, ended.err
    assert "deciban: note: B: without a band: roc: no point has a band" in ended.err
    assert legend(shown[0])[:2] == ["A", "B"]
    assert len(shown[0].axes[0].collections) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--source", "spk"), "--source: only a band depends on sources; add --band"),
        (("--band", "--level", "95"), "--level: expected a confidence level strictly between 0 and 1"),
        (("--band", "--replicates", "0"), "--replicates: expected at least 1"),
        (("--band", "--seed", "-1"), "--seed: expected a whole number >= 0"),
    ],
)
def test_what_cannot_be_asked_of_a_band_is_told_before_a_file_is_read(deciban, table, arguments, message):
    ended = deciban("plot", "roc", "absent.csv", "-o", "fig.svg", *arguments)
    assert ended.status == 2
    assert message in ended.err


def test_too_few_trials_of_a_group_are_left_out(deciban, table, shown):
    rows = "".join(f"{x},{label},{side}\n" for x in range(6) for label in (0, 1) for side in "ab") + "1,1,c\n2,0,c\n"
    (table / "g.csv").write_text("ln_lr,label,side\n" + rows, encoding="utf-8")
    ended = deciban("plot", "lr-overestimation", "g.csv", "--by", "side", "--band", "-o", "fig.svg")
    assert ended.status == 0, ended.err
    assert "deciban: note: side=c: left out: lr_overestimation: a bin needs 5 trials" in ended.err
    assert legend(shown[0]) == ["side=a", "side=b", "95 % band (Jeffreys)"]


def test_marks(deciban, table, shown):
    run = ("plot", "roc", "a.csv", "--score", "score", "-o", "fig.svg")
    ended = deciban(*run, "--mark", "eer", "--mark", "threshold=0.35", "--mark", "p_fa=0.1", "--hull")
    assert ended.status == 0, ended.err
    assert legend(shown[0])[-3:] == ["eer", "threshold 0.35", "p_fa=0.1"]
    assert shown[0].axes[0].lines[-2].get_xdata()[0] == 0.0
    ended = deciban("plot", "tippett", "a.csv", "--score", "score", "-o", "fig.svg", "--scale", "lr", "--mark", "eer")
    assert ended.status == 0, ended.err
    ended = deciban(
        *("plot", "tippett", "a.csv", "--score", "score", "-o", "fig.svg"),
        *("--scale", "lr", "--mark", "threshold=100", "--mark", "threshold=-1"),
    )
    assert ended.status == 0, ended.err
    assert 2.0 in [line.get_xdata()[0] for line in shown[-1].axes[0].lines]


def test_a_mark_of_reversed_scores_is_for_the_scores_as_given(deciban, table, shown):
    run = ("plot", "threshold", "a.csv", "--score", "score", "-o", "fig.svg", "--mark", "threshold=0.35")
    ended = deciban(*run, "--higher", "nontarget")
    assert ended.status == 0, ended.err
    assert "deciban: note: scores reversed: an axis of scores shows the reversed ones" in ended.err
    assert -0.35 in [line.get_xdata()[0] for line in shown[0].axes[0].lines]
    assert "reversed" not in deciban(*run).err
    assert 0.35 in [line.get_xdata()[0] for line in shown[1].axes[0].lines]


def test_a_mark_that_no_threshold_reaches_says_so(deciban, table):
    (table / "b.csv").write_text("score,label\n0.9,1\n0.5,1\n0.8,0\n0.7,0\n0.1,0\n", encoding="utf-8")
    ended = deciban("plot", "det", "b.csv", "-o", "fig.svg", "--mark", "eer")
    assert ended.status == 0
    assert "deciban: note: no threshold has exactly eer; the nearest one is marked\n" in ended.err


def test_options_of_single_plots(deciban, table, shown):
    good = {
        "tippett": ("--type", "2"),
        "cross-entropy": ("--x", "probability"),
        "bayes-error": ("--normalise",),
        "reliability": ("--bins", "corp", "--p-target", "0.2"),
        "histogram": ("--n-bins", "3"),
        "threshold": ("--ratio", "mcc", "--ratio", "f1"),
        "net-benefit": ("--p-target", "0.2"),
    }
    for kind, arguments in good.items():
        ended = deciban("plot", kind, "a.csv", "--score", "score", "--scale", "ln_lr", "-o", "fig.svg", *arguments)
        assert ended.status == 0, ended.err
    labels = [figure.axes[0].get_xlabel() for figure in shown]
    assert labels[1] == "Prior probability of target"
    assert legend(shown[5]) == ["Matthews correlation", "F1"]
    ended = deciban("plot", "cross-entropy", "a.csv", "--score", "score", "--scale", "lr", "-o", "f.svg", "--x", "odds")
    assert ended.status == 0, ended.err


def test_title_size_and_panels(deciban, table, shown):
    run = ("plot", "tippett", "a.csv", "--score", "score", "--score", "other", "--scale", "ln_lr", "-o", "fig.svg")
    ended = deciban(*run, "--title", "a $ b_$ \x1b", "--size", "150x100mm", "--panels", "--mark", "threshold=0.5")
    assert ended.status == 0, ended.err
    (figure,) = shown
    assert figure.get_suptitle() == "a $ b_$ \\x1b"
    assert figure.get_size_inches() == pytest.approx([150 / 25.4, 100 / 25.4])
    assert [panel.get_title() for panel in figure.axes] == ["score", "other"]


@pytest.mark.parametrize(
    ("text", "size"),
    [("6x4", (6, 4)), (" 6 X 4.5 in ", (6, 4.5)), ("254x127mm", (10, 5)), ("25.4×12.7cm", (10, 5))],
)
def test_sizes(text, size):
    assert parse_size(text) == pytest.approx(size)


@pytest.mark.parametrize("text", ["6", "6x", "x4", "6x4pt", "0x4", "6x1000", "-6x4", "1.2.3x4", "nanxnan", "20x10mm"])
def test_sizes_that_are_none(text):
    with pytest.raises(OptionError, match="--size: expected"):
        parse_size(text)


def test_letters_that_the_font_lacks_are_told(deciban, table):
    ended = deciban("plot", "roc", "--system", "日=a.csv", "--score", "score", "-o", "fig.svg")
    assert ended.status == 0
    assert r"deciban: note: the font of the figure has not all letters of '日': written \u65e5" in ended.err


def test_more_systems_than_one_figure_holds(deciban, table):
    rows = "".join(f"{k / 20},{k % 2},g{k // 2}\n" for k in range(26))
    (table / "many.csv").write_text("score,label,group\n" + rows, encoding="utf-8")
    run = ("plot", "roc", "many.csv", "--score", "score", "--by", "group", "-o", "fig.svg")
    ended = deciban(*run)
    assert ended.status == 2
    assert "expected at most 12 systems on one set of axes, found 13" in ended.err
    assert not (table / "fig.svg").exists()
    assert deciban(*run, "--panels").status == 0


def test_a_column_of_groups_is_not_taken_for_the_label(deciban, table):
    (table / "s.csv").write_text("score,same_source\n0.5,1\n0.1,0\n", encoding="utf-8")
    ended = deciban("plot", "roc", "s.csv", "--by", "same_source", "-o", "fig.svg")
    assert ended.status == 2
    assert (
        "no other column has a usual name for the label: 'same_source' is asked for as conditions (--by)" in ended.err
    )


def test_list(deciban):
    ended = deciban("plot", "--list")
    assert (ended.status, ended.err) == (0, "")
    assert [line.split()[0] for line in ended.out.splitlines()[1:]] == list(KINDS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ece", "a.csv", "-o", "f.svg"), "'ece' names two quantities: say cross-entropy (empirical cross-entropy of"),
        (("ECE", "a.csv", "-o", "f.svg"), "or reliability (the diagram behind the expected calibration error"),
        (("tipett", "a.csv", "-o", "f.svg"), "no plot 'tipett'; did you mean 'tippett'?"),
        (("zzz", "a.csv", "-o", "f.svg"), "no plot 'zzz'; known: roc, rocch, det"),
        (("roc", "a.csv"), "where to: expected -o FILE, e.g. -o roc.svg"),
        (("roc", "a.csv", "-o", "f.jpg"), "f.jpg: expected a name that ends in .svg, .pdf or .png"),
        (("roc", "a.csv", "-o", "none/f.svg", "--score", "score"), "none/f.svg: cannot be written"),
        (("roc", "-o", "f.svg"), "expected a file, or --system NAME=FILE"),
        (("roc", "no.csv", "-o", "f.svg"), "no.csv: no such file"),
        (
            ("roc", "a.csv", "-o", "f.svg", "--system", "x=a.csv"),
            "--system: expected NAME=FILE only, found also the file",
        ),
        (("roc", "--system", "a.csv", "-o", "f.svg"), "--system: expected NAME=FILE, found 'a.csv'"),
        (("roc", "--system", "x=a.csv", "--system", "x=a.csv", "-o", "f.svg"), "--system: a name is given twice"),
        (("roc", "--system", "x=-", "--system", "y=-", "-o", "f.svg"), "standard input (-) is named for x and for y"),
        (("roc", "-", "--score", "a", "--score", "b", "-o", "f.svg"), "standard input (-) is named for a and for b"),
        (
            ("roc", "--system", "x=a.csv", "--score", "score", "--score", "other", "-o", "f.svg"),
            "--score: expected one column, which all systems have",
        ),
        (("roc", "a.csv", "--score", "score", "--score", "score", "-o", "f.svg"), "--score: the same column is given"),
        (("roc", "a.csv", "-o", "f.svg", "--type", "2"), "--type: no option of the roc plot; it takes hull"),
        (("det", "a.csv", "-o", "f.svg", "--hull"), "--hull: no option of the det plot; it takes none"),
        (
            ("tippett", "a.csv", "-o", "f.svg", "--type", "3", "--scale", "lr", "--score", "score"),
            "--type: expected 1 or 2",
        ),
        (("tippett", "a.csv", "-o", "f.svg", "--type", "b"), "expected a whole number, found 'b'"),
        (("cross-entropy", "a.csv", "-o", "f.svg", "--scale", "lr", "--score", "score", "--x", "p"), "--x: expected"),
        (("reliability", "a.csv", "-o", "f.svg", "--score", "score"), "the scores have scale 'score'"),
        (("tippett", "a.csv", "-o", "f.svg", "--score", "score"), "needs likelihood ratios"),
        (("histogram", "a.csv", "-o", "f.svg", "--score", "score", "--n-bins", "0"), "expected at least 1, found 0"),
        (("threshold", "a.csv", "-o", "f.svg", "--score", "score", "--ratio", "auc"), "--ratio: 'auc' is no ratio"),
        (("pav", "a.csv", "-o", "f.svg", "--mark", "eer"), "--mark: the pav plot has no operating points"),
        (("roc", "a.csv", "-o", "f.svg", "--mark", "threshold=x"), "--mark: expected threshold=T with a number T"),
        (("roc", "a.csv", "-o", "f.svg", "--mark", "threshold"), "--mark: expected threshold=T with a number T"),
        (("roc", "a.csv", "-o", "f.svg", "--mark", "zzz", "--score", "score"), "zzz"),
        (("roc", "a.csv", "-o", "f.svg", "--vocabulary", "x"), "--vocabulary: 'x' is unknown; known: neutral"),
        (("roc", "a.csv", "-o", "f.svg", "--size", "9"), "--size: expected WxH"),
        (("roc", "a.csv", "-o", "f.svg", "--by", "none", "--score", "score"), "no condition column 'none'"),
    ],
)
def test_wrong_use_is_one_line_and_writes_nothing(deciban, table, arguments, message):
    before = sorted(table.iterdir())
    ended = deciban("plot", *arguments)
    assert (ended.status, ended.out) == (2, "")
    *_, last = ended.err.splitlines()
    assert last.startswith("deciban: error: ")
    assert message in last
    assert ended.err.count("deciban: error") == 1
    assert sorted(table.iterdir()) == before


def test_a_figure_that_was_there_stays_when_drawing_fails(deciban, table):
    (table / "f.svg").write_text("old", encoding="utf-8")
    (table / "b.csv").write_text("score,label\n1e306,1\n-1e306,0\n", encoding="utf-8")
    ended = deciban("plot", "histogram", "b.csv", "-o", "f.svg")
    assert ended.status == 2
    assert "which is as far as an axis reaches, found values from -1e+306 to 1e+306" in ended.err
    assert (table / "f.svg").read_text(encoding="utf-8") == "old"
    assert len(list(table.iterdir())) == 3


def test_matplotlib_absent(deciban, table, monkeypatch):
    monkeypatch.setattr(canvas, "find_spec", lambda name: None)
    ended = deciban("plot", "roc", "a.csv", "--score", "score", "-o", "f.svg")
    assert ended.status == 2
    assert ended.err == 'deciban: error: drawing needs matplotlib: pip install "deciban[report]"\n'


@pytest.mark.parametrize("code", ["import deciban.cli.main", "import deciban; deciban.plots"])
def test_matplotlib_is_loaded_only_to_draw(code):
    script = f"import sys; {code}; print(any(name.startswith('matplotlib') for name in sys.modules))"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert out.stdout == "False\n"


def test_pyplot_is_never_loaded(table):
    script = (
        "import sys; sys.argv = ['deciban', 'plot', 'det', 'a.csv', '--score', 'score', '-o', 'f.svg']\n"
        "from deciban.__main__ import run\n"
        "try: run()\n"
        "except SystemExit as end: print(end.code, 'matplotlib.pyplot' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=table)
    assert out.stdout == "0 False\n"


def test_options_of_a_band_need_one(deciban, tmp_path):
    scores = tmp_path / "a.csv"
    scores.write_text("score,label\n2,1\n1,0\n3,1\n0,0\n")
    ended = deciban("plot", "roc", scores, "--level", 0.9, "-o", tmp_path / "a.svg")
    assert ended.status == 2
    assert "only a band depends on them; add --band" in ended.err
