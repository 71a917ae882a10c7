"""Findings about LRs: each on both sides of its limit, with the trials it names."""

import math
from typing import Any

import numpy as np
import pytest

import deciban as db
from deciban.records.finding import Finding
from tests.test_lr_bounds import INF, nfi

LN10 = math.log(10)


def findings(data: db.Counts | db.Trials, code: str) -> list[Finding]:
    return [finding for finding in db.evaluate(data, interval="none").findings if finding.code == code]


# --- LR-SUPPORT


def test_cartridge_cases_claim_more_than_they_support():
    (finding,) = findings(nfi(), "LR-SUPPORT")
    assert finding.severity == "warn"
    assert finding.data["above"] == 120
    assert "120 of 665 LRs exceed 35.7" in finding.message
    assert "largest claimed being 10^76.6" in finding.message
    assert "strongest misleading 10^15.9 for a nontarget" in finding.message


@pytest.mark.parametrize("scale", ["lr", "ln_lr", "log10_lr", "probability"])
@pytest.mark.parametrize(("lr", "beyond"), [(50.0, 0), (50.0001, 101)])
def test_lr_support_on_both_sides_of_its_limit(scale, lr, beyond):
    # 100 targets and one of 100 nontargets at the top: (100/101) / (2/101) = 50 is the most that this supports.
    conversions: dict[str, Any] = {
        "lr": lambda x: x,
        "ln_lr": np.log,
        "log10_lr": np.log10,
        "probability": lambda x: x / (x + 1),
    }
    convert = conversions[scale]
    prior = 0.5 if scale == "probability" else None
    lrs = convert(np.array([0.02, lr]))
    counts = db.Counts(score=lrs, n_target=[0, 100], n_nontarget=[99, 1], scale=scale, prior=prior)
    found = findings(counts, "LR-SUPPORT")
    assert [finding.data["above"] for finding in found] == ([beyond] if beyond else [])
    assert all(finding.data["below"] == 0 for finding in found)


def test_lr_support_below_one_and_infinite():
    counts = db.Counts.from_classes([INF] * 40, [0.0] * 30, scale="lr")
    (finding,) = findings(counts, "LR-SUPPORT")
    assert (finding.data["above"], finding.data["below"]) == (40, 30)
    assert "the largest claimed being inf" in finding.message
    assert "the smallest claimed being 0" in finding.message
    assert "none of the LRs misleads" in finding.message


def test_raw_scores_and_weights():
    assert not findings(db.Counts.from_classes([9.0] * 40, [0.0] * 40), "LR-SUPPORT")
    weighted = db.Counts(score=[-9, 9], n_target=[0.0, 40], n_nontarget=[40.5, 0], scale="ln_lr", weighted=True)
    (finding,) = findings(weighted, "LR-SUPPORT")
    assert finding.data["below"] == 40.5


def test_weights_that_add_up_to_less_than_one_trial():
    weighted = db.Counts(score=[-1, 1], n_target=[0.0, 0.4], n_nontarget=[0.3, 0], scale="ln_lr", weighted=True)
    assert "no bound: the trials are weighted" in findings(weighted, "ZERO-ERR")[0].message


# --- MISLEAD


@pytest.mark.parametrize(("x", "found"), [(14, False), (15, False), (16, True)])
def test_misleading_on_both_sides_of_its_limit(x, found):
    # P(X >= 15) = .0726 and P(X >= 16) = .0399 for X ~ Bin(100, 1/10).
    counts = db.Counts(score=[0.5, 10.0], n_target=[40, 60], n_nontarget=[100 - x, x], scale="lr")
    results = findings(counts, "MISLEAD")
    assert bool(results) == found
    if found:
        assert results[0].data["k"] == [10.0]
        assert results[0].data["p_value"][0] == pytest.approx(0.0399, abs=1e-4)
        assert "16 of 100 have LR >= 10, 10 expected at most" in results[0].message


def test_misleading_names_the_trials():
    ln = [3.0, -4.0, 9.0, 1.0, 8.0, 8.5]
    labels = [1, 1, 0, 0, 0, 0]
    trials = db.Trials.from_arrays(ln, labels, scale="ln_lr", ids=["a", "b", "c", "d", "e", "f"])
    (finding,) = findings(trials, "MISLEAD")
    assert finding.data["k"] == [10.0, 100.0, 1000.0]
    assert "10^3.9 for a nontarget (trial c)" in finding.message
    assert "0.0183 for a target (trial b)" in finding.message
    (finding,) = findings(db.Trials.from_arrays(ln, labels, scale="ln_lr"), "MISLEAD")
    assert "for a nontarget (row 3) and 0.0183 for a target (row 2)" in finding.message
    assert finding.severity == "warn"
    (finding,) = findings(db.Trials.from_arrays(ln, labels, scale="ln_lr", sources=list("abcabc")), "MISLEAD")
    assert finding.severity == "note"
    assert "p takes trials as independent, and sources recur" in finding.message
    weight = [1.0] * 6
    assert not findings(db.Trials.from_arrays(ln, labels, scale="ln_lr", weight=weight), "MISLEAD")


def test_a_trial_of_weight_zero_is_not_named():
    ln, labels = [3.0, 9.0, 9.0, 1.0], [1, 0, 0, 0]
    trials = db.Trials.from_arrays(ln, labels, scale="ln_lr", weight=[1.0, 0.0, 1.0, 1.0])
    (finding,) = findings(trials, "LR-SUPPORT")
    assert "for a nontarget (row 3)" in finding.message


# --- UNITS


def sloped(slope: float, scale: str = "ln_lr", infinite: int = 0) -> db.Counts:
    """Counts at ±1 whose logistic line has exactly this slope, up to the rounding of counts."""
    share = 1 / (1 + math.exp(-slope))
    right = round(share * 10**6)
    n_target, n_nontarget = [10**6 - right, right], [right, 10**6 - right]
    score = np.array([-1.0, 1.0]) * {"ln_lr": 1.0, "log10_lr": 1 / LN10, "deciban": 10 / LN10}[scale]
    if infinite:
        score, n_target, n_nontarget = np.append(score, INF), [*n_target, infinite], [*n_nontarget, 0]
    return db.Counts(score=score, n_target=n_target, n_nontarget=n_nontarget, scale=scale)


@pytest.mark.parametrize("factor", [LN10, 1 / LN10])
@pytest.mark.parametrize("scale", ["ln_lr", "log10_lr", "deciban"])
@pytest.mark.parametrize(("off", "found"), [(0.89, False), (0.91, True), (1.0, True), (1.09, True), (1.11, False)])
def test_units_on_both_sides_of_its_limits(factor, scale, off, found):
    results = findings(sloped(factor * off, scale), "UNITS")
    assert bool(results) == found
    if found:
        assert results[0].severity == "warn"
        assert results[0].data["slope"] == pytest.approx(factor * off, rel=1e-4)
        assert ("log10 LRs read as natural-log" in results[0].message) == (factor > 1)
        assert scale in results[0].advice


def test_units_leaves_infinite_lrs_out_and_says_so():
    (finding,) = findings(sloped(LN10, infinite=7), "UNITS")
    assert finding.data["infinite"] == 7
    assert "7 infinite LRs left out" in finding.message


def test_units_of_many_scores_and_of_none_that_can_be_fitted():
    generator = np.random.default_rng(41)
    ln = generator.normal(2, 2, 20_000), generator.normal(-2, 2, 30_000)
    assert not findings(db.Counts.from_classes(*ln, scale="ln_lr"), "UNITS")
    (finding,) = findings(db.Counts.from_classes(*(x / LN10 for x in ln), scale="ln_lr"), "UNITS")
    assert finding.data["slope"] == pytest.approx(LN10, rel=0.05)
    (finding,) = findings(db.Counts.from_classes(*ln, scale="log10_lr"), "UNITS")
    assert "natural-log LRs read as log10" in finding.message
    assert not findings(db.Counts.from_classes([1.0, 2.0], [-1.0], scale="ln_lr"), "UNITS")
    assert not findings(db.Counts.from_classes([INF], [-INF], scale="ln_lr"), "UNITS")


def test_groups_repeat_what_is_theirs():
    ln = np.concatenate([np.full(40, 9.0), np.full(40, -9.0)])
    trials = db.Trials.from_arrays(ln, [1] * 40 + [0] * 40, scale="ln_lr", conditions={"room": ["a", "b"] * 40})
    result = db.evaluate(trials, by="room", interval="none")
    assert all("LR-SUPPORT" in {f.code for f in group.findings} for group in result.groups)
