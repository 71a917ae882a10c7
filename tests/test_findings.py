"""Each finding on both sides of its limit, with the numbers in its message and data."""

import math

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError
from tests.shared_data import shared

SEVERITY = {
    **dict.fromkeys(("DIRECTION", "FEW-TRIALS", "RES-30", "RES-FPR", "RES-FNR", "ZERO-ERR", "INF-LR"), "warn"),
    **dict.fromkeys(("DEP-SOURCE", "MULTI"), "note"),
    "COVERAGE": "warn",
    **dict.fromkeys(("LR-SUPPORT", "MISLEAD", "UNITS", "POOLING"), "warn"),
    **dict.fromkeys(
        ("SCALE-HINT", "PREVALENCE", "PAV-OPT", "ECE-FEW", "DEP-UNKNOWN", "DUP", "TIES", "ROW-ORDER", "SUBGROUP"),
        "note",
    ),
}


def found(data, code, **options):
    """The findings of one code, after checking what holds for every finding."""
    result = db.evaluate(data, **{"interval": "closed", **options})
    everything = [*result.findings, *(finding for group in result.groups for finding in group.findings)]
    for finding in everything:
        assert finding.severity == SEVERITY[finding.code]
        assert finding.advice
        assert not finding.message[0].isupper() or finding.message.startswith(("AUC", "Cllr"))
        assert not finding.message.endswith(".")
        assert "\n" not in finding.message + finding.advice
        assert "e+0" not in finding.message
    order = [finding.severity for finding in result.findings]
    assert order == sorted(order, reverse=True)
    return [finding for finding in everything if finding.code == code]


def spread(n_target, n_nontarget, **options):
    """Scores apart in no class, many of each, beyond [0, 1]."""
    scores = np.concatenate([np.linspace(-1, 3, n_target), np.linspace(-2, 2, n_nontarget) + 1e-3])
    return db.Trials.from_arrays(scores, np.arange(scores.size) < n_target, **options)


def test_direction():
    (finding,) = found(db.Trials.from_classes([0, 1], [2, 0]), "DIRECTION")
    assert finding.data == {"auc": 0.375}
    assert finding.metric == "auc"
    assert finding.message.startswith("AUC is 0.375: nontargets tend to score higher than targets")
    assert "--higher nontarget" in finding.advice
    assert found(db.Trials.from_classes([0, 1], [2, 3]), "DIRECTION")[0].data == {"auc": 0.0}
    assert not found(db.Trials.from_classes([0, 1], [0, 1]), "DIRECTION")


@pytest.mark.parametrize(
    ("n_target", "n_nontarget", "data", "message"),
    [
        (29, 30, {"target": 29}, "only 29 targets:"),
        (30, 1, {"nontarget": 1}, "only 1 nontarget:"),
        (3, 4, {"target": 3, "nontarget": 4}, "only 3 targets and 4 nontargets:"),
        (30, 30, None, None),
    ],
)
def test_few_trials(n_target, n_nontarget, data, message):
    findings = found(spread(n_target, n_nontarget), "FEW-TRIALS")
    assert [finding.data for finding in findings] == ([] if data is None else [data])
    assert message is None or findings[0].message.startswith(message)


def test_subgroup_says_it_for_groups_alone():
    groups = ["a"] * 30 + ["b"] * 30 + ["a"] * 29 + ["b"] * 31
    data = spread(60, 60, conditions={"g": groups})
    (finding,) = found(data, "SUBGROUP", by="g")
    assert (finding.group, finding.data) == ("g=a", {"n_target": 30, "n_nontarget": 29})
    assert finding.message == "the group has 30 targets and 29 nontargets: too few to be judged by itself"
    assert not found(data, "FEW-TRIALS", by="g")
    empty = spread(40, 40, conditions={"g": ["a"] * 40 + ["b"] * 40})
    assert [f.data for f in found(empty, "SUBGROUP", by="g")] == [
        {"n_target": 40, "n_nontarget": 0},
        {"n_target": 0, "n_nontarget": 40},
    ]


def errors_at(misses, false_alarms, **options):
    """Counts with so many misses and false alarms at threshold 0.5."""
    counts = db.Counts.from_classes([0] * misses + [1] * 100, [1] * false_alarms + [0] * 100)
    return found(counts, options.pop("code", "RES-30"), thresholds=[0.5], **options)


def test_rule_of_30():
    assert not errors_at(30, 30)
    (finding,) = errors_at(29, 30)
    assert finding.metric == "p_miss"
    assert finding.data == {"threshold": 0.5, "errors": 29, "trials": 129}
    assert finding.message == (
        "only 29 misses at threshold 0.5: the rate is known to about ±31 % of itself (90 % confidence, independent "
        "trials)"
    )
    (finding,) = errors_at(30, 1)
    assert finding.metric == "p_fa"
    assert finding.message.startswith("only 1 false alarm at threshold 0.5: the rate is known to about ±164 %")


def test_no_error_at_all():
    (finding,) = errors_at(30, 0, code="ZERO-ERR")
    assert finding.metric == "p_fa"
    assert finding.data["upper_bound"] == pytest.approx(0.0295130, abs=5e-8)
    assert finding.message == (
        "no false alarm in 100 nontargets at threshold 0.5; the rate may be as high as 0.029513 (one-sided 95 % bound)"
    )
    assert not errors_at(30, 1, code="ZERO-ERR")
    assert not errors_at(30, 0)
    many = db.Counts.from_classes([1] * 40, [0] * 10_000)
    bound = found(many, "ZERO-ERR", thresholds=[0.5])[1].data["upper_bound"]
    assert bound == pytest.approx(0.000299528, abs=5e-10)


def test_no_bound_where_none_holds():
    recurring = db.Trials.from_classes([1] * 40, [0] * 40)
    for options, why in (
        ({"sources": np.repeat(np.arange(40), 2)}, "sources recur, so the trials are not independent"),
        ({"weight": np.ones(80)}, "the trials are weighted"),
    ):
        data = db.Trials.from_arrays(recurring.score, recurring.is_target, **options)
        for finding in found(data, "ZERO-ERR", thresholds=[0.5]):
            assert finding.message.endswith(f"no bound: {why}")
            assert "upper_bound" not in finding.data
    once = db.Trials.from_arrays(recurring.score, recurring.is_target, sources=np.arange(80))
    assert all("upper_bound" in finding.data for finding in found(once, "ZERO-ERR", thresholds=[0.5]))
    default = db.Trials.from_arrays(recurring.score, recurring.is_target, scale="probability")
    assert all("upper_bound" in finding.data for finding in found(default, "ZERO-ERR"))


def test_resolution():
    data = spread(50, 200)
    (finding,) = found(data, "RES-FPR", metrics=["p_miss_at:p_fa=0.001", "p_miss_at:p_fa=0.005"])
    assert finding.metric == "p_miss_at:p_fa=0.001"
    assert finding.data == {"rate": 0.001, "trials": 200, "step": 0.005}
    assert finding.message.startswith("p_fa = 0.001 cannot be resolved with 200 nontargets (one step is 0.005)")
    (finding,) = found(data, "RES-FNR", metrics=["p_fa_at:p_miss=0.019", "p_fa_at:p_miss=0.02"])
    assert finding.data == {"rate": 0.019, "trials": 50, "step": 0.02}


def test_infinite_evidence_names_the_trials():
    scores = [math.inf, 1, -math.inf, math.nan, 2, math.inf, -math.inf, 0, 0, math.inf]
    labels = ["t", "t", "t", "t", "x", "n", "n", "n", "n", "n"]
    options = {"target": "t", "nontarget": "n", "ignore": "x", "scale": "ln_lr", "missing": "drop"}
    target, nontarget = found(db.Trials.from_arrays(scores, labels, **options), "INF-LR")
    assert target.message == "Cllr is infinite: 1 target with LR 0 (row 3)"
    assert target.data == {"class": "target", "lr": 0.0, "trials": 1, "named": ["row 3"]}
    assert nontarget.message == "Cllr is infinite: 2 nontargets with LR inf (row 6, row 10)"
    ids = [f"t{i}" for i in range(10)]
    target, nontarget = found(db.Trials.from_arrays(scores, labels, ids=ids, **options), "INF-LR")
    assert target.data["named"] == ["trial t2"]
    assert nontarget.message.endswith("(trial t5, trial t9)")


def test_infinite_evidence_in_groups_counts_and_on_other_scales():
    data = db.Trials.from_arrays(
        [1, 0, 2, 5, 0.5, 0.2], [1, 1, 1, 0, 0, 0], scale="lr", conditions={"g": list("aabbab")}
    )
    whole, group = found(data, "INF-LR", by="g")
    assert whole.message == "Cllr is infinite: 1 target with LR 0 (row 2)"
    assert (group.group, group.message) == ("g=a", whole.message)
    (finding,) = found(db.count(data), "INF-LR")
    assert finding.message == "Cllr is infinite: 1 target with LR 0"
    certain = db.Trials.from_arrays([1, 0.5, 1, 0.5], [1, 1, 0, 0], scale="probability", prior=0.5)
    assert found(certain, "INF-LR")[0].message == "Cllr is infinite: 1 nontarget with LR inf (row 3)"
    right_side = db.Trials.from_classes([math.inf, 1], [-math.inf, 0], scale="ln_lr")
    assert not found(right_side, "INF-LR")
    many = db.Trials.from_classes([-math.inf] * 7, [0], scale="ln_lr")
    assert found(many, "INF-LR")[0].message.endswith("(row 1, row 2, row 3, row 4, row 5, … (7 in all))")
    absent = db.Trials.from_arrays([-math.inf, -math.inf, 0], [1, 1, 0], scale="ln_lr", weight=[0, 1, 1])
    assert found(absent, "INF-LR")[0].data["named"] == ["row 2"]


def test_scale_hint():
    (finding,) = found(db.Trials.from_classes([0.25, 1], [0, 0.5]), "SCALE-HINT")
    assert finding.data == {"lowest": 0.0, "highest": 1.0}
    assert "--scale probability" in finding.advice
    for scores, scale in (([0.25, 1.01], "score"), ([-0.01, 1], "score"), ([0.25, 1], "probability"), ([0.2], "lr")):
        assert not found(db.Trials.from_classes(scores, [0.3, 0.5], scale=scale), "SCALE-HINT")


@pytest.mark.parametrize("name", ["llr", "LLR", "log_lr"])
def test_scale_hint_of_a_name(name):
    table = db.scan({name: [0.3, 0.1, 0.2], "label": [1, 0, 1]})
    (finding,) = found(table, "SCALE-HINT")
    assert finding.data == {"column": name}
    assert "--scale ln_lr" in finding.advice
    declared = db.scan({name: [0.3, 0.1, 0.2], "label": [1, 0, 1]}, scale="ln_lr")
    assert not found(declared, "SCALE-HINT")


def test_ties():
    def tied(n):
        return db.Counts.from_classes([0] + [2] * 9, [0] * n + [1] * (100 - n))

    assert not found(tied(10), "TIES")
    (finding,) = found(tied(11), "TIES")
    assert finding.data == {"share": 0.011}
    assert finding.message.startswith("1.1 % of the target–nontarget pairs have equal scores")


def test_row_order():
    mixed, apart = db.Trials.from_classes([1, 2], [0, 1]), db.Trials.from_classes([1, 2], [0, 3])
    assert [finding.metric for finding in found(mixed, "ROW-ORDER", metrics=["eer:all"])] == [
        "eer:method=asvspoof",
        "eer:method=nist",
    ]
    assert not found(mixed, "ROW-ORDER")
    assert not found(apart, "ROW-ORDER", metrics=["eer:all"])


def test_prevalence():
    data = db.Trials.from_classes([1, 2], [0, 1, 4])
    (finding,) = found(data, "PREVALENCE")
    assert finding.data == {"share_of_targets": 0.4, "metrics": ["average_precision"]}
    assert finding.message == "holds only where 40 % are targets, as in these data: average_precision"
    (finding,) = found(data, "PREVALENCE", thresholds=[1])
    assert finding.data["metrics"] == ["average_precision", "precision", "npv", "accuracy", "f1"]


def test_optimism():
    (finding,) = found(spread(3, 3, scale="ln_lr"), "PAV-OPT", costs=["preset=voxsrc"])
    corp = ["brier_corp.miscalibration", "brier_corp.discrimination"]
    keys = ["cllr_min", "cllr_cal", *corp, "min_dcf:preset=voxsrc"]
    assert finding.data == {"metrics": keys}
    assert finding.message.endswith(f"for these very trials: {', '.join(keys)}")


def test_few_forecasts():
    def forecasts(n):
        return db.Counts.from_arrays(np.linspace(0, 1, n), np.arange(n) % 2, scale="probability")

    (finding,) = found(forecasts(199), "ECE-FEW")
    assert finding.data == {"trials": 199}
    assert not found(forecasts(200), "ECE-FEW")
    assert not found(spread(9, 9), "ECE-FEW")


def test_dependence():
    assert found(spread(3, 3), "DEP-UNKNOWN")
    assert found(db.count(spread(3, 3)), "DEP-UNKNOWN")
    assert not found(spread(3, 3, sources=list("abcabc")), "DEP-UNKNOWN")


def test_duplicates():
    (finding,) = found(spread(3, 3, ids=list("aabccc")), "DUP")
    assert finding.data == {"repeats": 3}
    assert finding.message == "3 trials repeat the ids of an earlier one: trial a, trial c, trial c; all were counted"
    (finding,) = found(spread(2, 2, ids=(list("aabb"), [1, 1, 2, 3])), "DUP")
    assert finding.message.startswith("1 trial repeats the ids of an earlier one: trial a 1")
    assert not found(spread(2, 2, ids=(list("aabb"), [1, 2, 1, 2])), "DUP")
    assert not found(spread(2, 2), "DUP")


def test_label_conflict():
    with pytest.raises(InputError) as caught:
        db.evaluate(spread(2, 2, ids=list("abca")), interval="none")
    assert "LABEL-CONFLICT: trial a (rows 1 and 4) occurs both as target and as nontarget" in str(caught.value)
    ignored = db.Trials.from_arrays(
        [1, 2, 3, 4], ["x", "t", "n", "n"], target="t", nontarget="n", ignore="x", ids=list("bbcb")
    )
    with pytest.raises(InputError, match=r"trial b \(rows 2 and 4\)"):
        db.evaluate(ignored, interval="none")
    with pytest.raises(InputError, match=r"… \(6 in all\)"):
        db.evaluate(spread(6, 6, ids=list("abcdefabcdef")), interval="none")
    db.evaluate(spread(2, 2, ids=(list("abca"), [1, 1, 1, 2])), interval="none")


def test_published_file():
    data = db.read_trials(shared("data/nfi_cartridges.csv"))
    (finding,) = found(data, "RES-30")
    assert finding.data == {"threshold": 0.0, "errors": 27, "trials": 477}
    assert not found(data, "TIES")


@pytest.mark.parametrize(
    "ids",
    [
        ["a", None, "a", "b"],
        [1.0, np.nan, 2.0, 3.0],
        np.ma.masked_array([1, 2, 3, 4], [0, 1, 0, 0]),
        ["a", "", "b", "c"],
    ],
)
def test_missing_ids_are_refused(ids):
    trials = db.Trials.from_arrays([1, 2, 3, 4], [1, 0, 1, 0], ids=ids)
    with pytest.raises(InputError, match=r"1 missing id at row 2; give each trial an id, or leave ids= \(--id\) out"):
        db.evaluate(trials, interval="none")


def test_missing_ids_of_a_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("score,label,id\n,1,x\n1,1,\n2,0,\n3,1,a\n0,0,b\n")
    with pytest.raises(InputError, match=r"2 missing ids at rows 2, 3; .*\(row 1 is line 2\)"):
        db.evaluate(db.scan(path, ids="id", missing="drop"), interval="none")
    path.write_text("score,label,id\n1,1,a\n2,0,a\n")
    with pytest.raises(InputError, match=r"trial a \(rows 1 and 2\) occurs both .*\(row 1 is line 2\)"):
        db.evaluate(db.scan(path, ids="id"), interval="none")
