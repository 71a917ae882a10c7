"""Partitions that count the same: rates are means over them, and what cannot be weighed is refused."""

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, NeedsTrialsError


def simulated():
    generator = np.random.default_rng(0)
    sizes = {("f", 1): 40, ("f", 0): 90, ("m", 1): 10, ("m", 0): 300}
    score, label, sex = [], [], []
    for (name, is_target), n in sizes.items():
        score += generator.normal((3 if name == "f" else 1) * is_target, 1.5, n).round(1).tolist()
        label += [is_target] * n
        sex += [name] * n
    return score, label, sex


SCORE, LABEL, SEX = simulated()
TRIALS = db.Trials.from_arrays(SCORE, LABEL, scale="ln_lr", conditions={"sex": SEX})


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.7, 2.0])
def test_rates_are_means_over_partitions(threshold):
    whole = db.confusion(db.count(db.equalise(TRIALS, by="sex")), threshold=threshold)
    parts = [db.confusion(counts, threshold=threshold) for counts in db.count(TRIALS, by="sex").values()]
    assert whole.p_miss == pytest.approx(np.mean([part.p_miss for part in parts]), rel=1e-12)
    assert whole.p_fa == pytest.approx(np.mean([part.p_fa for part in parts]), rel=1e-12)


def test_costs_are_those_of_the_mean_rates():
    result = db.evaluate(TRIALS, costs=["preset=sre08", "preset=sre16"], equalise="sex", interval="none")
    groups = db.count(TRIALS, by="sex").values()
    actual = np.mean([db.act_dcf(counts, preset="sre16") for counts in groups])
    assert result["act_dcf:preset=sre16"].value == pytest.approx(actual, rel=1e-12)
    weighed = db.count(db.equalise(TRIALS, by="sex"))
    assert result["min_dcf:preset=sre08"].value == db.min_dcf(weighed, preset="sre08")
    rates = [
        np.mean([db.confusion(counts, threshold=t).p_miss for counts in groups])
        + 9.9 * np.mean([db.confusion(counts, threshold=t).p_fa for counts in groups])
        for t in [*sorted(set(SCORE)), np.inf]
    ]
    assert result["min_dcf:preset=sre08"].value == pytest.approx(min(rates), rel=1e-12)
    assert result.provenance.options["equalise"] == "sex"


def test_equal_partitions_change_nothing():
    trials = db.Trials.from_arrays([3, 1, 2, 0], [1, 0, 1, 0], conditions={"part": ["a", "a", "b", "b"]})
    assert db.equalise(trials, by="part").weight.tolist() == [1.0] * 4


def test_weights_that_were_there_are_kept_in_proportion():
    weight = [1.0, 3.0, 1.0, 1.0]
    trials = db.Trials.from_arrays([3, 4, 2, 0], [1, 1, 1, 0], weight=weight, conditions={"part": ["a", "a", "b", "b"]})
    assert db.equalise(trials, by="part").weight.tolist() == [0.625, 1.875, 2.5, 1.0]


def test_a_class_that_a_partition_lacks():
    trials = db.Trials.from_arrays([3, 4, 2, 0], [1, 1, 1, 0], conditions={"part": ["a", "a", "b", "b"]})
    weighed = db.equalise(trials, by="part")
    assert weighed.assumed[-1] == "no nontarget in partition a of part: the others count the same"
    assert weighed.weight.tolist() == [0.75, 0.75, 1.5, 1.0]


def test_every_trial_needs_a_partition():
    trials = db.Trials.from_arrays([3, 0, 1], [1, 0, 0], conditions={"part": ["a", "-", "b"]})
    with pytest.raises(InputError, match="1 trial without a value of 'part'"):
        db.equalise(trials, by="part")
    with pytest.raises(InputError, match="no condition column 'sex'"):
        db.equalise(trials, by="sex")
    with pytest.raises(NeedsTrialsError, match="equalise=sex"):
        db.evaluate(db.count(trials), equalise="sex")


def test_command(deciban, tmp_path):
    path = tmp_path / "scores.csv"
    rows = (f"{s},{y},{x}" for s, y, x in zip(SCORE, LABEL, SEX, strict=True))
    path.write_text("ln_lr,label,sex\n" + "\n".join(rows) + "\n")
    ended = deciban(
        "evaluate", path, "--cost", "preset=sre16", "--equalise", "sex", "--replicates", 20, "--format", "json"
    )
    record = db.Evaluation.from_json(ended.out)
    wanted = db.evaluate(TRIALS, costs="preset=sre16", equalise="sex", interval="none")
    assert record["act_dcf:preset=sre16"].value == wanted["act_dcf:preset=sre16"].value
    assert record["act_dcf:preset=sre16"].interval.resampled == "trials"
    assert db.verify(record).changes == ()
