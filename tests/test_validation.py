"""Every kind of criterion passes, fails and is not assessable where it should."""

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, OptionError, SingleClassError
from tests.shared_data import shared
from tests.validation_data import N0, N1, criterion, ln_lrs, sources, system, write_criteria


@pytest.fixture
def decided(tmp_path):
    """The rows of a validation by id, with few replicates."""

    def run(data, text="", **options):
        options = {"replicates": 40, **options}
        return db.validate(data, criteria=write_criteria(tmp_path, text), **options)

    return run


def reasons(row):
    return {result.reason for result in row.results if result.decision == "not assessable"}


def test_a_calibrated_system(decided):
    text = criterion("D1", limit="<= 0.25") + criterion("X1", lower=0.2, upper=5)
    result = decided(system(), text)
    found = {row.criterion.id: row.decision for row in result.rows}
    assert found == {
        "A1": "pass",
        "A2": "not assessable",
        "C1": "pass",
        "C2": "pass",
        "C3": "pass",
        "D1": "pass",
        "R1": "not assessable",
        "N1": "pass",
        "N2": "not assessable",
        "X1": "pass",
        "S1": "not assessable",
    }
    assert result.verdict == "11 criteria: 7 pass, 0 fail, 4 not assessable"
    assert result.cap.rule == "laboratory"
    assert result.cap.says == "LRs above 5 are reported as 5, LRs below 0.2 as 0.2"


def test_an_overstating_system(decided):
    result = decided(system(4.0))
    found = {row.criterion.id: row.decision for row in result.rows}
    assert [found[name] for name in ("C1", "C2", "C3", "X1")] == ["fail"] * 4
    assert "calibrated LRs of independent trials go" in result.row("C1").why
    assert result.row("C2").results[0].interval.high < 1
    assert result.cap.rule == "elub"
    assert result.cap.upper <= result.evaluation["elub.upper"].value
    assert result.cap.lower >= result.evaluation["elub.lower"].value


def test_accuracy_without_and_with_its_interval(decided):
    failing = decided(system(20.0)).row("A1")
    assert failing.decision == "fail"
    bare = decided(system(), interval="none").row("A1")
    assert (bare.decision, reasons(bare)) == ("not assessable", {"no_interval"})
    assert "whose end is to be < 1" in bare.why
    # What misses the limit itself needs no interval to fail.
    assert decided(system(20.0), interval="none").row("A1").decision == "fail"
    by_point = criterion("A1", rule="point", reason="few trials")
    assert decided(system(), by_point, interval="none").row("A1").decision == "pass"


def test_an_infinite_lr_on_the_wrong_side_fails(decided):
    target, nontarget = ln_lrs()
    trials = db.Trials.from_classes([*target, -np.inf], nontarget, scale="ln_lr")
    result = decided(trials)
    assert result.row("A1").decision == "fail"
    assert result.row("C1").decision == "fail"
    assert (result.row("C2").decision, reasons(result.row("C2"))) == ("not assessable", {"infinite_end"})
    assert result.row("X1").decision == "fail"


def test_wrong_scale(decided):
    trials = db.Trials.from_classes(*ln_lrs())
    result = decided(trials, criterion("D1", limit="<= 0.25"), thresholds=0.0)
    for name in ("A1", "C1", "C2", "C3", "X1"):
        assert (result.row(name).decision, reasons(result.row(name))) == ("not assessable", {"scale"}), name
        assert "no likelihood ratios" in result.row(name).why
    assert result.row("D1").decision == "pass"
    assert result.row("N1").decision == "pass"
    assert result.cap is None
    assert reasons(decided(trials).row("N1")) == {"no_threshold"}


def test_one_class_is_nothing_to_validate_by(decided):
    with pytest.raises(SingleClassError, match="needs both classes"):
        decided(db.Trials.from_arrays([1.0, 2.0], [1, 1], target=1, nontarget=0, scale="ln_lr"))


def test_few_errors(decided):
    strong = system(sigma=4.0)
    text = criterion("D1", limit="<= 0.1") + criterion(
        "L1", characteristic="discrimination", metric="eer", limit="<= 0.1", rule="point"
    )
    result = decided(strong, text)
    assert (result.row("N1").decision, reasons(result.row("N1"))) == ("not assessable", {"few_errors"})
    assert ">= 30 wanted" in result.row("N1").why
    # With the bound the interval knows how few errors there are; the point alone does not.
    assert result.row("D1").decision == "pass"
    assert (result.row("L1").decision, reasons(result.row("L1"))) == ("not assessable", {"few_errors"})
    assert "a rate is not judged by fewer than 30" in result.row("L1").why
    fewer = criterion("N1", limit=">= 1", reason="exploratory")
    assert decided(strong, fewer).row("N1").decision == "pass"


@pytest.mark.parametrize(
    ("metric", "few"), [("p_miss_at:p_fa=0.1", False), ("p_miss_at:p_fa=0.9", True), ("p_fa:threshold=3", True)]
)
def test_errors_behind_a_rate(decided, metric, few):
    text = criterion("L1", characteristic="d", metric=metric, limit="< 1", rule="point")
    assert (decided(system(), text).row("L1").decision == "not assessable") == few


def test_numbers_that_the_laboratory_did_not_give(decided):
    trials = system(sources=sources(60), conditions={"channel": ["a", "b"] * ((N1 + N0) // 2)})
    result = decided(trials, baseline=system(1.5))
    assert reasons(result.row("D1")) == {"no_limit"}
    assert reasons(result.row("N2")) == {"no_limit"}
    assert reasons(result.row("A2")) == {"no_margin"}
    assert result.row("D1").results[0].value == result.evaluation["eer"].value
    for name in ("A2", "D1", "N2", "R1"):
        assert "NOT STATED BY THE LABORATORY" in result.row(name).criterion.says


def test_baseline_on_the_same_trials(decided):
    better = decided(system(), criterion("A2", margin=0.05), baseline=system(4.0)).row("A2")
    assert better.decision == "pass"
    assert better.results[0].value > 0
    assert "paired by row" in better.data
    worse = decided(system(4.0), criterion("A2", margin=0.05), baseline=system()).row("A2")
    assert worse.decision == "fail"
    by_auc = criterion("A2", margin=0.05, metric="auc", reason="ranks decide")
    assert decided(system(), by_auc, baseline=system(1.0, 1.0)).row("A2").results[0].name == "gain in auc"


def test_baselines_that_do_not_do(decided):
    text = criterion("A2", margin=0.05)
    none = decided(system(), text)
    assert reasons(none.row("A2")) == {"no_baseline"}
    assert none.comparison is None
    others = db.Trials.from_classes([1, 2, 0.5] * 5, [-1, 0, 1] * 5, scale="ln_lr")
    assert reasons(decided(system(), text, baseline=others).row("A2")) == {"not_paired"}
    raw = db.Trials.from_classes(*ln_lrs())
    assert reasons(decided(system(), text, baseline=raw).row("A2")) == {"scale"}


def test_the_null_band_and_dependent_trials(decided):
    dependent = system(1.35, sources=sources(20))
    independent = system(1.35)
    band = decided(independent).row("C1").results[0].null_band
    assert band is not None
    row = decided(dependent).row("C1")
    result = row.results[0]
    above = result.value > band.high
    assert above
    clear = result.interval is not None and result.interval.low > band.high
    assert row.decision == ("fail" if clear else "not assessable")
    assert decided(independent).row("C1").decision == "fail"
    assert reasons(decided(system(), interval="none").row("C1")) == {"no_null_band"}


def test_devpav_stands_beside_and_may_decide(decided):
    row = decided(system()).row("C1")
    assert [one.name for one in row.results] == ["cllr_cal", "devpav"]
    assert row.results[1].decision is None
    changed = decided(system(), criterion("C1", metric="devpav", reason="our choice")).row("C1")
    assert [(one.name, one.decision is None) for one in changed.results] == [("devpav", False), ("cllr_cal", True)]


def test_misleading_evidence_on_both_sides(decided):
    target, nontarget = ln_lrs()
    at_nontargets = db.Trials.from_classes(target, [*nontarget, *[8.0] * 12], scale="ln_lr")
    row = decided(at_nontargets).row("C3")
    failed = {one.name for one in row.results if one.decision == "fail"}
    assert failed == {"rmep:k=100", "rmep:k=1000"}
    assert "expected at most" in row.why
    at_targets = db.Trials.from_classes([*target, *[-8.0] * 12], nontarget, scale="ln_lr")
    assert {one.name for one in decided(at_targets).row("C3").results if one.decision == "fail"} >= {"rmed:k=1000"}
    weaker = criterion("C3", k=[10], alpha=0.01, reason="one strength is enough")
    assert len(decided(at_nontargets, weaker).row("C3").results) == 2


def test_the_p_value_is_that_of_turing(decided):
    result = decided(system(4.0))
    for one in result.row("C3").results:
        if one.name == "rmep:k=100":
            assert one.p_value == pytest.approx(db.turing(db.count(system(4.0)), k=100).p_value, rel=1e-12)


def test_change_between_conditions(decided):
    half = {"channel": ["a", "b"] * ((N1 + N0) // 2)}
    calm = system(conditions=half)
    assert decided(calm, criterion("R1", margin=0.5)).row("R1").decision == "pass"
    assert decided(calm, criterion("R1", margin=0.0001)).row("R1").decision == "fail"
    by_point = criterion("R1", margin=0.2, rule="point", reason="as agreed")
    assert decided(calm, by_point).row("R1").decision == "pass"
    row = decided(calm, criterion("R1", margin=0.5)).row("R1")
    assert "targets / nontargets of channel=a 150/300; channel=b 150/300" in row.data


def test_conditions_that_cannot_be_compared(decided):
    text = criterion("R1", margin=0.5)
    assert reasons(decided(system(), text).row("R1")) == {"no_conditions"}
    one = system(conditions={"channel": ["a"] * (N1 + N0)})
    assert reasons(decided(one, text).row("R1")) == {"one_condition"}
    by_class = system(conditions={"channel": ["a"] * N1 + ["b"] * N0})
    row = decided(by_class, text).row("R1")
    assert reasons(row) == {"single_class"}
    assert "channel=a: there are trials of one class only" in row.why
    shared_sources = system(conditions={"channel": ["a", "b"] * ((N1 + N0) // 2)}, sources=sources(45))
    assert reasons(decided(shared_sources, text).row("R1")) == {"dependent"}
    many = system(conditions={"day": [str(i % 11) for i in range(N1 + N0)]})
    assert reasons(decided(many, text, interval="none").row("R1")) == {"too_many_conditions"}
    channel = system(conditions={"channel": ["a", "b"] * ((N1 + N0) // 2)})
    assert reasons(decided(channel, text, interval="none").row("R1")) == {"no_interval"}


def test_sources_of_each_class(decided):
    trials = system(sources=sources(40))
    result = decided(trials, criterion("N2", limit=">= 40"))
    assert result.row("N2").decision == "pass"
    assert decided(trials, criterion("N2", limit=">= 41")).row("N2").decision == "fail"
    assert reasons(decided(system(), criterion("N2", limit=">= 40")).row("N2")) == {"no_sources"}
    (column,) = result.sources
    assert (column.n, column.n_target, column.fewest, column.most) == (40, 40, 22, 23)
    codes = [finding.code for finding in decided(system(sources=sources(12))).findings]
    assert "FEW-SOURCES" in codes
    assert "FEW-SOURCES" not in [finding.code for finding in result.findings]


def test_of_two_source_columns_the_one_with_fewer_counts(decided):
    trials = system(sources=(sources(40), sources(300)))
    row = decided(trials, criterion("N2", limit=">= 41")).row("N2")
    assert row.decision == "fail"
    assert [one.value for one in row.results] == [40, 40]


def test_overlap_with_development(decided):
    ours = system(sources=sources(40))
    apart = db.Trials.from_arrays([1.0, -1, 0.5, 0], [1, 0, 1, 0], scale="ln_lr", sources=["x", "y", "x", "z"])
    overlapping = db.Trials.from_arrays([1.0, -1, 0.5, 0], [1, 0, 1, 0], scale="ln_lr", sources=["x", "s3", "s4", "z"])
    assert decided(ours, development=apart).row("S1").decision == "pass"
    row = decided(ours, development=overlapping).row("S1")
    assert (row.decision, row.results[0].value) == ("fail", 2)
    assert decided(ours, development=ours).row("S1").decision == "fail"
    without = db.Trials.from_arrays([1.0, -1], [1, 0], scale="ln_lr")
    assert reasons(decided(ours, development=without).row("S1")) == {"no_development_sources"}
    assert reasons(decided(system(), development=apart).row("S1")) == {"no_sources"}
    assert reasons(decided(ours).row("S1")) == {"no_development"}
    assert "developed on the very trials" in decided(system(), development=system()).row("S1").why


def test_overlap_with_a_calibration(decided, tmp_path):
    scores = db.Trials.from_arrays([3.0, 1, 0, -2, 2, -1], [1, 1, 0, 0, 0, 1], sources=["p", "q", "r", "p", "q", "s1"])
    calibration = db.LogisticCalibrator().fit(scores)
    ours = system(sources=sources(40))
    row = decided(ours, development=calibration).row("S1")
    assert (row.decision, row.results[0].value) == ("fail", 1)
    calibration.save(tmp_path / "cal.json")
    named = decided(ours, "[development]\ncalibration = 'cal.json'\n")
    assert named.row("S1").decision == "fail"
    assert "cal.json, 4 sources" in named.row("S1").data


def test_the_cap_of_the_laboratory(decided):
    high = decided(system(), criterion("X1", lower=0.2, upper=1e6)).row("X1")
    assert high.decision == "fail"
    assert "largest LR reported 10^6.0" in high.why
    by_bound = criterion("X1", lower=0.2, upper=5, rule="bound", reason="cautious")
    assert decided(system(), by_bound).row("X1").decision == "pass"
    iv = criterion("X1", bounds="iv_bounds", reason="as published")
    result = decided(system(4.0), iv)
    assert result.row("X1").criterion.origin == "changed"
    assert result.cap.rule == "iv_bounds"


def test_lrs_that_end_at_the_bound_are_inside_it(decided):
    counts = db.count(system())
    lower, upper = db.elub(counts).lower, db.elub(counts).upper
    clipped = db.Trials.from_arrays(
        np.clip(system().score, np.log(lower), np.log(upper)), system().is_target.astype(int), scale="ln_lr"
    )
    assert decided(clipped, interval="none").row("X1").decision == "pass"


def test_counts_and_weights(decided):
    counts = db.count(system())
    result = decided(counts, criterion("N2", limit=">= 3"))
    assert result.row("A1").decision == "pass"
    assert reasons(result.row("N2")) == {"no_sources"}
    weighted = system(weight=np.full(N1 + N0, 0.5))
    result = decided(weighted)
    assert reasons(result.row("N1")) == {"weighted"}
    assert reasons(result.row("C3")) == {"weighted"}
    assert reasons(result.row("C1")) == {"no_null_band"}


def test_what_is_not_data(decided):
    with pytest.raises(InputError, match="data: expected paths, Trials, Counts or a Table from scan, found dict"):
        decided({"a": 1})
    with pytest.raises(OptionError, match="declared: expected nothing beside data in memory"):
        decided(system(), declared={"score": "llr"})
    with pytest.raises(OptionError, match=r"\[data\]: expected a file"):
        decided(None)
    with pytest.raises(OptionError, match="interval: expected one of auto, bootstrap, none, found 'closed'"):
        decided(system(), interval="closed")


def test_statements_are_filled_in(decided):
    text = """
[laboratory]
casework_conditions = "telephone speech"
proposition_1 = "same speaker"
[decision]
fixed_on = 2026-03-01
"""
    result = decided(system(), text + criterion("D1", fixed_on="2026-02-01"))
    assert len(result.statements) == 6
    assert "meant to reflect: telephone speech." in result.statements[0]
    assert "Proposition 1: same speaker. Proposition 2: NOT STATED BY THE LABORATORY." in result.statements[1]
    assert "assume independent trials" in result.statements[2]
    assert "on 2026-03-01 (A1, A2, C1" in result.statements[3]
    assert "on 2026-02-01 (D1)" in result.statements[3]
    assert "does not certify conformity with any standard" in result.statements[4]
    assert "optimistic" in result.statements[5]
    assert "assume independent sources" in decided(system(sources=sources(40))).statements[2]
    assert decided(system(), interval="none").statements[2] == "No intervals were computed."


def test_cartridge_cases(tmp_path):
    text = criterion("D1", limit="<= 0.2") + criterion(
        "L1", characteristic="discrimination", metric="auc", limit=">= 0.95", reason="wanted"
    )
    path = shared("data/nfi_cartridges.csv")
    result = db.validate(path, criteria=write_criteria(tmp_path, text), replicates=200)
    found = {row.criterion.id: row.decision for row in result.rows}
    assert found == {
        **dict.fromkeys(("A1", "D1"), "pass"),
        **dict.fromkeys(("C1", "C2", "C3", "X1", "L1"), "fail"),
        **dict.fromkeys(("A2", "R1", "N1", "N2", "S1"), "not assessable"),
    }
    assert result.row("A1").results[0].value == pytest.approx(0.6487865136, abs=1e-10)
    assert result.evaluation["elub.upper"].value == pytest.approx(27007 / 756)
    assert result.cap.says == "LRs above 35.7 are reported as 35.7, LRs below 0.142 as 0.142"


def test_speakers_with_sources(tmp_path):
    text = """
[data]
score = "score"
label = "target"
scale = "ln_lr"
sources = ["model", "test"]
conditions = ["gender"]
""" + "".join(
        [
            criterion("D1", metric="p_miss_at:p_fa=0.01", limit="<= 0.5"),
            criterion("R1", margin=0.3),
            criterion("N2", limit=">= 50"),
            criterion("C1", use=False, reason="its simulations take long"),
        ]
    )
    path = shared("data/ru2009.csv.gz")
    result = db.validate(path, criteria=write_criteria(tmp_path, text), replicates=60)
    found = {row.criterion.id: row.decision for row in result.rows}
    assert {name for name, decision in found.items() if decision == "pass"} >= {"A1", "D1", "R1", "N1", "N2"}
    assert found["C2"] == found["X1"] == "fail"
    assert [column.n for column in result.sources] == [100, 4142]
    assert result.verdict.endswith("; 1 switched off by the laboratory")
