"""The criteria file: what it says, what wins over it, and one clear error for everything else."""

import re
from importlib.resources import files

import pytest

import deciban as db
from deciban.errors import InputError, OptionError
from deciban.workflow.validation.criteria import read_criteria
from deciban.workflow.validation.defaults import DEFAULTS
from tests.validation_data import criterion, system, write_criteria

TEMPLATE = (files("deciban") / "workflow" / "validation" / "criteria_template.toml").read_text(encoding="utf-8")


@pytest.fixture
def read(tmp_path):
    return lambda text, **options: read_criteria(write_criteria(tmp_path, text), **options)


def by_id(criteria):
    return {one.id: one for one in criteria.used}


def test_defaults(read):
    found = read("")
    assert [one.id for one in found.used] == [default.id for default in DEFAULTS]
    assert [one.id for one in found.used] == ["A1", "A2", "C1", "C2", "C3", "D1", "R1", "N1", "N2", "X1", "S1"]
    assert all(one.reason and one.fixed_on == "2026-03-01" and one.origin == "default" for one in found.used)
    assert by_id(found)["A1"].says == "upper end of the 95 % interval of cllr < 1"
    assert {name for name, one in by_id(found).items() if one.rule == "point"} == {"C1", "C3", "N1", "N2", "X1", "S1"}


def test_level_and_rule_are_in_the_words_of_criteria(read):
    assert "99 %" in by_id(read("[decision]\nlevel = 0.99"))["A1"].says
    assert "90 %" in by_id(read("[decision]\nlevel = 0.99", level=0.9))["A1"].says
    found = by_id(read("[decision]\nrule = 'point'"))
    assert found["A1"].says == "cllr < 1"
    assert found["A2"].says.startswith("the gain in cllr")
    assert found["R1"].says.startswith("the change of cllr")


def test_what_the_laboratory_changes(read):
    text = criterion("A1", limit="< 0.8", reason="the method in use") + criterion("D1", limit="<= 0.05")
    text += criterion("S1", use=False, reason="nothing was fitted") + criterion("N1", fixed_on="2026-02-02")
    found = read(text)
    used = by_id(found)
    assert (used["A1"].origin, used["A1"].settings["limit"], used["A1"].reason) == (
        "changed",
        "< 0.8",
        "the method in use",
    )
    assert (used["D1"].origin, used["D1"].settings["metric"]) == ("completed", "eer")
    assert (used["N1"].origin, used["N1"].fixed_on) == ("default", "2026-02-02")
    assert "S1" not in used
    assert [(one.id, one.reason) for one in found.switched_off] == [("S1", "nothing was fitted")]


def test_a_criterion_of_ones_own(read):
    text = criterion("L1", characteristic="discrimination", metric="eer:method=rocch", limit="<=0.05", rule="point")
    own = by_id(read(text))["L1"]
    assert (own.origin, own.metric, own.says, own.rule) == ("laboratory", "eer", "eer <= 0.05", "point")
    assert own.reason is None


OWN = {"characteristic": "d", "metric": "eer", "limit": "<= 0.05"}

BAD = {
    "no reason": (criterion("A1", limit="< 0.8"), r"\[\[criterion\]\] 1 \(id 'A1'\): expected a reason, since limit"),
    "off without reason": (criterion("A1", use=False), "expected a reason, since use differs"),
    "rule without reason": (criterion("A1", rule="point"), "expected a reason, since rule differs"),
    "metric without reason": (criterion("R1", metric="eer"), "expected a reason, since metric differs"),
    "unknown key": (criterion("A1", limt="< 1"), "unknown key 'limt'; did you mean 'limit'"),
    "key of another kind": (criterion("A1", margin=1), "unknown key 'margin'"),
    "rule that is not to be chosen": (criterion("C1", rule="bound"), "unknown key 'rule'"),
    "no id": ("[[criterion]]\nlimit = '< 1'", "id: expected a name such as 'A1' or one of your own, found none"),
    "id twice": (criterion("A1") * 2, r"\[\[criterion\]\] 2 id: 'A1' is given twice"),
    "unknown table": ("[laboratry]\nname = 'x'", "unknown key 'laboratry'; did you mean 'laboratory'"),
    "unknown field": ("[laboratory]\nnames = 'x'", r"\[laboratory\]: unknown key 'names'; did you mean 'name'"),
    "text expected": ("[laboratory]\nname = 3", r"\[laboratory\] name: expected a text in quotes, found 3"),
    "table expected": ("laboratory = 3", "laboratory: expected a table"),
    "tables expected": ("[criterion]\nid = 'A1'", r"criterion: expected tables \[\[criterion\]\]"),
    "bad date": ("[decision]\nfixed_on = 'soon'", "fixed_on: expected a date such as 2026-03-01, found 'soon'"),
    "time for a date": ("[decision]\nfixed_on = 2026-03-01T10:00:00", "expected a date such as 2026-03-01, found"),
    "number for a date": ("[decision]\nfixed_on = 2026", "expected a date such as 2026-03-01, found 2026"),
    "bad rule": ("[decision]\nrule = 'bounds'", "rule: expected one of 'bound', 'point', found 'bounds'"),
    "bad level": ("[decision]\nlevel = 95", "level: expected a confidence level strictly between 0 and 1, found 95"),
    "bad replicates": ("[decision]\nreplicates = 0", "replicates: expected a whole number >= 1, found 0"),
    "bad interval": ("[decision]\ninterval = 'closed'", "interval: expected one of 'auto', 'bootstrap', 'none'"),
    "thresholds": ("[decision]\nthresholds = ['a']", "thresholds: expected a number, found 'a'"),
    "limit without sign": (criterion("D1", limit="0.05"), "limit: expected a comparison with a number, e.g. '<= 0.05'"),
    "limit without number": (criterion("D1", limit="<= x"), "limit: expected a number after <=, found 'x'"),
    "limit not text": (criterion("D1", limit=0.05), "limit: expected a text in quotes, found 0.05"),
    "equal by bound": (criterion("D1", limit="== 0"), "criterion D1 limit: no end of an interval is decided by =="),
    "errors the wrong way": (criterion("N1", limit="<= 30", reason="r"), "expected a smallest number such as '>= 30'"),
    "unknown metric": (criterion("D1", metric="err", limit="< 1"), "metric: .*did you mean"),
    "several figures": (
        criterion("D1", metric="elub", limit="< 1"),
        "'elub' is several figures: name one of elub.lower",
    ),
    "metric option": (criterion("D1", metric="p_miss_at", limit="< 1"), "metric: .*p_fa"),
    "no direction": (
        criterion("A2", metric="baseline_accuracy", reason="r"),
        "expected a figure of which more or less is better",
    ),
    "no null band": (criterion("C1", metric="cllr", reason="r"), "expected one of 'cllr_cal', 'devpav', found 'cllr'"),
    "margin below 0": (criterion("R1", margin=-1), "margin: expected a finite number of at least 0, found -1"),
    "margin without end": (criterion("R1", margin=float("inf")), "margin: expected a finite number of at least 0"),
    "no strengths": (criterion("C3", k=[]), r"k: expected at least one number; leave the key out .*, found \[\]"),
    "no thresholds": ("[decision]\nthresholds = []", "thresholds: expected at least one number"),
    "alpha that nothing misses": (criterion("C3", alpha=0, reason="r"), "alpha: expected a number strictly between 0"),
    "alpha that all miss": (criterion("C3", alpha=1.0, reason="r"), "alpha: expected a number strictly between 0"),
    "limit without end": (criterion("A1", limit="> inf", reason="r"), "limit: expected a comparison with a finite"),
    "limit that nothing misses": (criterion("D1", limit="<= 1"), "every value of eer, .* from 0 to 1, meets <= 1"),
    "limit that all miss": (criterion("D1", metric="auc", limit="> 1"), "every value of auc, .*, misses > 1"),
    "errors of any number": (criterion("N1", limit=">= 0", reason="r"), "expected a smallest number such as '>= 30'"),
    "date of long ago": ("[decision]\nfixed_on = 0001-01-01", "fixed_on: expected a date .*, not before 1900"),
    "strength": (criterion("C3", k=[0.5], reason="r"), r"k: expected LRs above 1, found \[0.5\]"),
    "cap": (criterion("X1", upper=0.5), "upper: expected an LR of at least 1, found 0.5"),
    "own without metric": (criterion("L1", characteristic="d", limit="< 1"), "metric: expected one such as 'eer'"),
    "own without limit": (criterion("L1", characteristic="d", metric="eer"), "limit: expected one such as '<= 0.05'"),
    "own without characteristic": (criterion("L1", metric="eer", limit="< 1"), "characteristic: expected a text"),
    "own switched off": (criterion("L1", use=False, **OWN), "is not used when its table is left out"),
    "case of an id": (criterion("a1", limit="< 1"), "did you mean 'A1'"),
    "scale and file": ("[verbal]\nscale = 'nfc'\nfile = 'x.toml'", r"\[verbal\]: expected scale or file, found both"),
    "no such scale": ("[verbal]\nscale = 'ensfi'", "scale: expected one of 'enfsi', 'afsp', 'nfc', found 'ensfi'"),
    "no TOML": ("[decision", "expected TOML"),
}


@pytest.mark.parametrize("name", BAD)
def test_one_clear_error(read, name, tmp_path):
    text, said = BAD[name]
    with pytest.raises(OptionError, match=said) as raised:
        read(text)
    assert str(tmp_path / "criteria.toml") in str(raised.value) or said.startswith(("criterion D1", "every value"))


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_criteria(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe9'")
    with pytest.raises(InputError, match="it is not UTF-8 text"):
        read_criteria(tmp_path / "latin.toml")


def test_the_template_is_valid_and_changes_nothing(read):
    found, plain = read(TEMPLATE), read("")
    assert [(one.id, one.says, one.origin, one.settings) for one in found.used] == [
        (one.id, one.says, one.origin, dict(one.settings)) for one in plain.used
    ]
    assert found.laboratory == plain.laboratory
    assert found.data == found.baseline == found.development == {}


def test_every_example_of_the_template_is_valid(read):
    lines = [re.sub(r"^#(?=[a-z\[])", "", line) for line in TEMPLATE.splitlines()]
    left_out = ('file = "our_scale.toml"', "calibration =")
    text = "\n".join(line for line in lines if not line.startswith(left_out))
    assert not re.search(r"^#[a-z\[]", text, re.MULTILINE)
    found = read(text)
    used = by_id(found)
    assert used["L1"].origin == "laboratory"
    assert used["D1"].settings == {"metric": "p_miss_at:p_fa=0.01", "limit": "<= 0.05"}
    assert used["X1"].settings == {"bounds": "elub", "lower": 0.01, "upper": 100.0}
    assert [one.id for one in found.switched_off] == ["S1"]
    assert found.verbal.name == "enfsi"
    assert found.data["sources"] == ("speaker_1", "speaker_2")
    assert found.laboratory.date == "2026-03-31"
    assert found.decision.fixed_on == "2026-03-01"


def test_every_key_is_explained_in_the_template():
    for key in ("fixed_on", "graph", "reason", "rule", "margin", "alpha", "bounds", "lower", "upper", "use"):
        assert re.search(rf"\b{key}\b", TEMPLATE)
    assert all(f"#   {default.id}  " in TEMPLATE for default in DEFAULTS)


def codes(result):
    return [finding.code for finding in result.findings]


def test_dates_and_fields_that_are_missing_are_told(tmp_path):
    data = system()
    bare = db.validate(data, criteria=write_criteria(tmp_path, "", dated=False), interval="none")
    assert {"CRITERIA-DATE", "CONDITION", "NOT-STATED"} <= set(codes(bare))
    assert "They were fixed on a date NOT STATED BY THE LABORATORY." in bare.statements[3]
    assert "| NOT STATED BY THE LABORATORY |" in bare.to_markdown()
    text = "[laboratory]\ndate = 2026-01-01\ncasework_conditions = 'x'"
    late = db.validate(data, criteria=write_criteria(tmp_path, text), interval="none")
    assert "CRITERIA-LATE" in codes(late)
    assert not {"CRITERIA-DATE", "CONDITION"} & set(codes(late))
    some = criterion("A1", fixed_on="2026-01-01")
    partly = db.validate(data, criteria=write_criteria(tmp_path, some, dated=False), interval="none")
    (finding,) = [finding for finding in partly.findings if finding.code == "CRITERIA-DATE"]
    assert finding.data["criteria"] == [default.id for default in DEFAULTS[1:]]
    assert "on a date NOT STATED BY THE LABORATORY (A2" in partly.statements[3]


CSV = "llr,old,same,channel,speaker\n" + "".join(
    f"{s},{s / 2},{same},{'ab'[i % 2]},s{i}\n"
    for same, signs in ((1, 1), (0, -1))
    for i, s in enumerate(x * signs for x in (2.0, 1.0, 3.0, -0.5, 0.7, 1.2, 2.2, -0.1, 1.9, 0.3))
)


def test_data_of_the_file_and_what_wins_over_it(tmp_path):
    (tmp_path / "scores.csv").write_text(CSV)
    text = """
[data]
file = "scores.csv"
score = "llr"
label = "same"
scale = "log10_lr"
conditions = ["channel"]
[baseline]
score = "old"
scale = "ln_lr"
[decision]
level = 0.9
seed = 3
""" + criterion("A2", margin=0.5)
    path = write_criteria(tmp_path, text)
    result = db.validate(criteria=path, replicates=50)
    assert result.evaluation.trials.scale == "log10_lr"
    assert result.level == 0.9
    assert result.evaluation.provenance.seed == 3
    assert [group.name for group in result.evaluation.groups] == ["channel=a", "channel=b"]
    assert result.comparison.pairing.by == "rows"
    assert "column 'old'" in result.row("A2").data
    assert "GIVEN-INSTEAD" not in codes(result)
    given = db.validate(criteria=path, declared={"scale": "ln_lr"}, level=0.8, seed=3, replicates=50)
    assert given.evaluation.trials.scale == "ln_lr"
    said = [finding.message for finding in given.findings if finding.code == "GIVEN-INSTEAD"]
    assert said == [
        "[decision] level: '0.8' was given beside the criteria file, which says '0.9'",
        "[data] scale: 'ln_lr' was given beside the criteria file, which says 'log10_lr'",
    ]
    assert "80 %" in given.row("A1").criterion.says
    in_memory = db.validate(system(), criteria=path, interval="none", baseline=system(2.0))
    assert [f.data["key"] for f in in_memory.findings if f.code == "GIVEN-INSTEAD"] == ["[data] file"]


def test_development_file(tmp_path):
    (tmp_path / "scores.csv").write_text(CSV)
    (tmp_path / "dev.csv").write_text("who,x\ns3,1\ns4,2\nz,3\n")
    data = '[data]\nfile = "scores.csv"\nscore = "llr"\nlabel = "same"\nscale = "ln_lr"\nsources = "speaker"\n'

    def run(development):
        text = f"{data}[development]\n{development}"
        return db.validate(criteria=write_criteria(tmp_path, text), interval="none").row("S1")

    row = run('file = "dev.csv"\nsources = "who"')
    assert (row.decision, row.results[0].value) == ("fail", 2)
    assert "developed on the very file" in run('file = "scores.csv"').why
    with pytest.raises(InputError, match=r"\[development\]: .*dev.csv: no source column 'speaker'"):
        run('file = "dev.csv"')
    with pytest.raises(OptionError, match=r"expected file .* or calibration .*, found both"):
        run('file = "dev.csv"\ncalibration = "c.json"')
    with pytest.raises(OptionError, match="found neither"):
        run('sources = "who"')
    with pytest.raises(OptionError, match=r"\[development\]: unknown key 'score'"):
        run('file = "dev.csv"\nscore = "x"')


def test_unknown_declarations(tmp_path):
    (tmp_path / "scores.csv").write_text(CSV)
    with pytest.raises(OptionError, match="declared: unknown key 'scor'; did you mean 'score'"):
        db.validate(tmp_path / "scores.csv", criteria=write_criteria(tmp_path, ""), declared={"scor": "llr"})
    text = "[baseline]\nscale = 'ln_lr'\n"
    with pytest.raises(OptionError, match=r"\[baseline\]: expected the score column of the baseline, or its file"):
        db.validate(
            tmp_path / "scores.csv",
            criteria=write_criteria(tmp_path, text),
            declared={"score": "llr", "label": "same", "scale": "ln_lr"},
            interval="none",
        )
