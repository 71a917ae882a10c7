"""``deciban asvspoof``: tables in, records out, errors that say what to give."""

import pytest

import deciban as db
from tests.test_tandem_evaluation import simulated

FORMATS = ("table", "json", "csv", "markdown", "plain")


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    table = simulated()
    rows = zip(*table.values(), strict=True)
    path.write_text("\n".join([",".join(table), *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("command", ["cm", "asv", "tandem", "sasv"])
def test_formats(deciban, scores, command, form):
    further = {"sasv": ("--score", "cm_score"), "asv": ("--against", "spoof")}.get(command, ())
    ended = deciban("asvspoof", command, scores, *further, "--by", "attack", "--interval", "none", "--format", form)
    assert ended.status == 0
    assert "deciban:" not in ended.out
    assert all(line.startswith("deciban: ") for line in ended.err.splitlines())


def test_countermeasure(deciban, scores):
    ended = deciban("asvspoof", "cm", scores, "--scale", "ln_lr", "--interval", "none", "--format", "plain")
    counts = db.count_tandem(db.scan_tandem(scores).trials()).cm
    assert ended.plain["eer:method=asvspoof"] == f"{db.eer(counts, method='asvspoof'):.6f}"
    assert {"cllr", "cllr_min", "min_dcf:preset=asvspoof5", "act_dcf:preset=asvspoof5"} <= set(ended.plain)
    unitless = deciban("asvspoof", "cm", scores, "--interval", "none", "--format", "plain")
    assert "cllr" not in unitless.plain
    assert "--scale ln_lr" in unitless.err
    further = deciban("asvspoof", "cm", scores, "--metric", "youden", "--interval", "none", "--format", "plain")
    assert "youden" in further.plain


def test_tandem_of_one_table_and_of_two(deciban, scores):
    one = deciban("asvspoof", "tandem", scores, "--by", "attack", "--interval", "none", "--format", "plain")
    two = deciban(
        *("asvspoof", "tandem", "--asv", scores, "--cm", scores, "--by", "attack"),
        *("--interval", "none", "--format", "plain"),
    )
    assert one.out == two.out
    record = db.evaluate_tandem(db.scan_tandem(scores), interval="none")
    assert one.plain["t_eer"] == f"{record['t_eer'].value:.6f}"


def test_verifier_without_scores(deciban, scores):
    fixed = deciban("asvspoof", "tandem", "--cm", scores, "--asv-rates", "asvspoof5", "--format", "json")
    assert db.TandemEvaluation.from_json(fixed.out).asv.p_miss == 0.01880141010575793
    given = deciban(
        *("asvspoof", "tandem", scores, "--asv-rates", "p_miss=0.1,p_fa=0.1,p_fa_spoof=0.5", "--interval", "none"),
        *("--cm-threshold", "0.5", "--format", "plain"),
    )
    assert "act_t_dcf:cost=asvspoof2021" in given.plain
    assert "t_eer" not in given.plain


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tandem", "--cm", "{scores}"], "expected a table with both scores"),
        (["tandem", "{scores}", "--cm", "{scores}"], "not both"),
        (["tandem", "{scores}", "--asv-rates", "0.1"], "--asv-rates: expected"),
        (["tandem", "{scores}", "--asv-rates", "p_miss=x,p_fa=0,p_fa_spoof=1"], "--asv-rates"),
        (["tandem", "{scores}", "--asv-rates", "asvspoof5", "--asv-threshold", "1"], "not both"),
        (["tandem", "{scores}", "--asv-threshold", "nan"], "--asv-threshold: expected a threshold"),
        (["tandem", "{scores}", "--cm-threshold", "nan"], "--cm-threshold: expected a number"),
        (["sasv", "{scores}", "--score", "asv_score", "--threshold", "nan"], "--threshold: expected a number"),
        (["tandem", "--asv", "-", "--cm", "-"], "standard input (-) is named for --asv and for --cm"),
        (["tandem", "{scores}", "--by", "codec"], "no column 'codec'"),
        (["cm", "{scores}", "--class", "attack"], "unknown label '-' (100), 'A07' (30)"),
        (["cm", "{scores}", "--format", "xml"], "--format"),
        (["sasv", "{scores}"], "--score"),
        (["asv", "{scores}", "--against", "bonafide"], "against"),
        (["tandem", "{scores}", "--plot", "x.gif"], ".svg, .pdf or .png"),
    ],
)
def test_wrong_use(deciban, scores, arguments, words):
    ended = deciban("asvspoof", *(text.format(scores=scores) for text in arguments))
    assert ended.status == 2
    assert ended.out == ""
    assert words in ended.err


def test_plot(deciban, scores, tmp_path):
    ended = deciban("asvspoof", "tandem", scores, "--interval", "none", "--plot", tmp_path / "t.svg")
    assert ended.status == 0
    assert "Normalised t-DCF" in (tmp_path / "t.svg").read_text()


@pytest.mark.parametrize("nothing", ["-", ""])
@pytest.mark.parametrize("command", ["cm", "asv", "tandem", "sasv"])
def test_a_spoof_without_an_attack_is_refused_where_attacks_make_groups(deciban, scores, command, nothing):
    lines = scores.read_text().splitlines()
    for at in (103, 106):
        lines[at] = lines[at].replace("A07", nothing)
    scores.write_text("\n".join(lines) + "\n")
    further = {"sasv": ("--score", "cm_score"), "asv": ("--against", "spoof")}.get(command, ())
    ended = deciban("asvspoof", command, scores, *further, "--by", "attack", "--interval", "none")
    assert ended.status == 2
    assert "2 spoofs without a value of 'attack' at rows 103, 106 would count in every group" in ended.err
    assert deciban("asvspoof", command, scores, *further, "--interval", "none").status == 0
