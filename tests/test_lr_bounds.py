"""Bounds of LRs against stored values, against brute force in exact fractions, and as mirror images."""

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import deciban as db
from deciban.errors import OptionError, ScaleError, SingleClassError
from tests.shared_data import shared

INF = math.inf
RULES = {"elub": db.elub, "elub-one-sided": db.elub_one_sided, "iv": db.iv_bounds}
HALF = Fraction(1, 2)


def nfi() -> db.Counts:
    rows = np.loadtxt(shared("data/nfi_cartridges.csv"), delimiter=",", skiprows=1)
    return db.Counts.from_arrays(rows[:, 1], rows[:, 0].astype(int), scale="log10_lr")


def vectors(function: str) -> list[dict[str, Any]]:
    return [v for v in json.loads(shared("vectors.json").read_text())["vectors"] if v["function"] == function]


def number(text: Any) -> float:
    return float(Fraction(text)) if text not in ("inf", "-inf") else float(text)


def counts_of(given: dict[str, Any]) -> db.Counts:
    """The trials that a stored vector describes, in each of the ways that it does."""
    if "file" in given or "files" in given:
        return nfi()
    if "labels" in given:
        return db.Counts.from_arrays([number(lr) for lr in given["lr"]], given["labels"], scale="lr")
    if "target_lr_counts" in given:
        classes = [
            [number(lr) for lr, n in given[f"{kind}_lr_counts"].items() for _ in range(n)]
            for kind in ("target", "nontarget")
        ]
        return db.Counts.from_classes(*classes, scale="lr")
    for unit in ("ln_lr", "log10_lr"):
        if f"target_{unit}" in given or f"nontarget_{unit}" in given:
            return db.Counts.from_classes(given[f"target_{unit}"], given[f"nontarget_{unit}"], scale=unit)
    return db.Counts.from_classes(listed(given["target_lr"]), listed(given["nontarget_lr"]), scale="lr")


def listed(lrs: Any) -> list[float]:
    if isinstance(lrs, str):
        times, lr = lrs.split(" x ")
        return [number(lr)] * int(times)
    return [number(lr) for lr in lrs]


# --- stored values


@pytest.mark.parametrize(
    ("function", "metric"),
    [("elub", db.elub), ("elub_one_sided", db.elub_one_sided), ("invariance_verification_bounds", db.iv_bounds)],
)
def test_stored_vectors(function, metric):
    found = vectors(function)
    assert found
    for vector in found:
        grid = 0.01 if "grid" in vector["input"] else None
        bounds = metric(counts_of(vector["input"]), grid=grid)
        for part, expected in vector["expected"].items():
            side, _, log = part.partition("_")
            value = getattr(bounds, side)
            value = math.log10(value) if log else value
            assert value == pytest.approx(number(expected), abs=0, rel=max(vector["tolerance"], 1e-15)), vector["id"]


def test_nfi_cartridges():
    counts = nfi()
    assert db.elub(counts).upper == 27007 / 756
    assert db.elub(counts).lower == pytest.approx(0.1417854979, abs=1e-10)
    exact, grid = db.iv_bounds(counts), db.iv_bounds(counts, grid=0.001)
    assert (exact.lower, exact.upper) == pytest.approx((0.1411361866, 38.2737213404), abs=1e-10)
    assert (grid.lower, grid.upper) == pytest.approx((0.1412538, 38.1944271), abs=1e-7)
    assert math.log10(db.elub(counts, grid=0.01).lower) == pytest.approx(-0.84, abs=1e-12)
    assert math.log10(db.elub(counts, grid=0.01).upper) == pytest.approx(1.55, abs=1e-12)


@pytest.mark.parametrize(("n1", "n0"), [(1, 1), (3, 3), (1, 9), (9, 1), (50, 7), (188, 477)])
@pytest.mark.parametrize(("far", "scale"), [(INF, "log10_lr"), (5000.0, "ln_lr"), (1e300, "ln_lr"), (30.0, "log10_lr")])
def test_separated_closed_forms(n1, n0, far, scale):
    counts = db.Counts(score=[-far, far], n_target=[0, n1], n_nontarget=[n0, 0], scale=scale)
    a, b = n1 + 1, n0 + 1
    expected = {
        "elub": (min(b / (n0 * a), 1.0), max(n1 * b / a, 1.0)),
        "elub-one-sided": (1 / a, b),
        "iv": (b / (a * (2 * n0 + 1)), (2 * n1 + 1) * b / a),
    }
    for name, metric in RULES.items():
        bounds = metric(counts)
        assert (bounds.lower, bounds.upper) == pytest.approx(expected[name], rel=1e-15), name


def test_uninformative_lrs_support_nothing_but_themselves():
    for metric in RULES.values():
        for grid in (None, 0.01):
            bounds = metric(db.Counts.from_classes([1.0] * 3, [1.0] * 40, scale="lr"), grid=grid)
            assert (bounds.lower, bounds.upper) == (1.0, 1.0)


def test_misleading_lrs_support_nothing():
    counts = db.Counts.from_classes([0.01, 0.0, 0.1], [10.0, 100.0, INF], scale="lr")
    for metric in RULES.values():
        bounds = metric(counts)
        assert (bounds.lower, bounds.upper) == (1.0, 1.0)


def test_iv_stops_at_the_strongest_lr_that_is_right():
    counts = db.Counts.from_classes([2.0, 3.0, 3.0], [1.0] + [0.0] * 99, scale="lr")
    assert db.iv_bounds(counts).upper == 3.0
    assert db.iv_bounds(counts, grid=0.01).upper == 3.0


def test_a_root_equal_to_a_score_in_its_own_unit_is_reached():
    # 4 targets, 4 nontargets: beyond 4 the data bear out 4·5/5 = 4, the very LR of the last targets.
    for lr, scale in ((4.0, "lr"), (math.log(4), "ln_lr"), (2.0, "log2_lr"), (math.log10(4), "log10_lr")):
        counts = db.Counts.from_classes([lr] * 4, [0.0] * 4 if scale == "lr" else [-INF] * 4, scale=scale)
        assert db.elub(counts).upper == pytest.approx(4.0, rel=1e-15)


# --- brute force


@dataclass
class Data:
    """Small LR sets as fractions; None is an infinite LR."""

    target: list[Fraction | None]
    nontarget: list[Fraction | None]

    def below(self, lrs: list[Fraction | None], t: Fraction) -> int:
        return sum(lr is not None and lr < t for lr in lrs)


def borne_out(rule: str, data: Data, t: Fraction, rates_at: Fraction, *, above: bool) -> bool:
    """The inequality of the definition at t, with the rates of another threshold in the same stretch."""
    n1, n0 = len(data.target), len(data.nontarget)
    b1, b0 = data.below(data.target, rates_at), data.below(data.nontarget, rates_at)
    if rule == "elub":
        cost = Fraction(b1 + 1, n1 + 1) + t * Fraction(n0 - b0 + 1, n0 + 1)
        return cost <= (1 if above else t)
    if rule == "elub-one-sided":
        if above:
            return Fraction(b1, n1) + t * Fraction(n0 - b0 + 1, n0 + 1) <= 1
        return Fraction(b1 + 1, n1 + 1) / t + Fraction(n0 - b0, n0) <= 1
    if above:
        return (n1 - b1 + HALF) / (n1 + 1) / ((n0 - b0 + HALF) / (n0 + 1)) >= t
    return (b1 + HALF) / (n1 + 1) / ((b0 + HALF) / (n0 + 1)) <= t


def brute_upper(rule: str, data: Data) -> Fraction:
    """Largest T such that the inequality holds up to T, by bisection within the first stretch where it fails."""
    breaks = sorted({lr for lr in data.target + data.nontarget if lr is not None and lr > 1})
    start = Fraction(1)
    for end in [*breaks, Fraction(10**9)]:
        if not borne_out(rule, data, end, end, above=True):
            low, high = start, end
            for _ in range(90):
                middle = (low + high) / 2
                low, high = (middle, high) if borne_out(rule, data, middle, end, above=True) else (low, middle)
            start = low
            break
        start = end
    if rule == "iv":
        largest = Fraction(10**9) if None in data.target else max(lr for lr in data.target if lr is not None)
        start = min(start, max(largest, Fraction(1)))
    return start


def brute_lower(rule: str, data: Data) -> Fraction:
    breaks = sorted({lr for lr in data.target + data.nontarget if lr is not None and 0 < lr < 1}, reverse=True)
    end, rates_at = Fraction(1), Fraction(1)
    for start in [*breaks, Fraction(1, 10**9)]:
        # In (start, end] the rates are those at end; the worst place is just above start.
        if not borne_out(rule, data, start, rates_at, above=False):
            low, high = start, end
            for _ in range(90):
                middle = (low + high) / 2
                low, high = (low, middle) if borne_out(rule, data, middle, rates_at, above=False) else (middle, high)
            end = high
            break
        end = rates_at = start
    if rule == "iv":
        smallest = min((lr for lr in data.nontarget if lr is not None), default=Fraction(10**9))
        end = max(end, min(smallest, Fraction(1)))
    return end


GRID = [0.0, 0.125, 0.25, 0.375, 0.5, 0.75, 1.0, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 8.0, INF]


def random_data(generator: np.random.Generator) -> tuple[list[float], list[float]]:
    """Tied LRs that exact fractions and doubles hold alike; more or less in the right order."""
    classes = []
    for shift in (generator.integers(0, 6), -generator.integers(0, 6)):
        places = np.clip(generator.normal(7.5 + shift, generator.choice([1, 3, 6]), generator.integers(1, 25)), 0, 15)
        classes.append([GRID[int(place)] for place in places])
    return classes[0], classes[1]


def as_data(targets: list[float], nontargets: list[float]) -> Data:
    return Data(*([None if lr == INF else Fraction(lr) for lr in lrs] for lrs in (targets, nontargets)))


@pytest.mark.parametrize("name", RULES)
def test_bounds_equal_the_definition(name):
    generator = np.random.default_rng(3)
    inside = 0
    for _ in range(200):
        targets, nontargets = random_data(generator)
        bounds = RULES[name](db.Counts.from_classes(targets, nontargets, scale="lr"))
        data = as_data(targets, nontargets)
        assert bounds.upper == pytest.approx(float(brute_upper(name, data)), rel=1e-12), (targets, nontargets)
        assert bounds.lower == pytest.approx(float(brute_lower(name, data)), rel=1e-12), (targets, nontargets)
        inside += bounds.upper > 1.0 and bounds.lower < 1.0
    assert inside > 50


@pytest.mark.parametrize("name", RULES)
def test_grid_bounds_are_the_last_points_before_a_violation(name):
    generator = np.random.default_rng(4)
    for _ in range(60):
        targets, nontargets = random_data(generator)
        bounds = RULES[name](db.Counts.from_classes(targets, nontargets, scale="lr"), grid=0.05)
        data = as_data(targets, nontargets)
        for above, found in ((True, bounds.upper), (False, bounds.lower)):
            sign, steps = (1 if above else -1), 0
            while True:
                t = Fraction(10.0 ** (sign * (steps + 1) / 20))
                if not borne_out(name, data, t, t, above=above):
                    break
                steps += 1
            expected = 10.0 ** (sign * steps / 20)
            if name == "iv":
                strongest = max(targets) if above else min(nontargets)
                expected = min(expected, max(strongest, 1.0)) if above else max(expected, min(strongest, 1.0))
            assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("scale", ["ln_lr", "log2_lr", "log10_lr", "deciban"])
def test_exchanging_the_classes_mirrors_the_bounds(name, scale):
    generator = np.random.default_rng(5)
    for _ in range(60):
        targets, nontargets = random_data(generator)
        with np.errstate(divide="ignore"):
            logs = [np.log2(lrs) for lrs in (targets, nontargets)]
        bounds = RULES[name](db.Counts.from_classes(*logs, scale=scale))
        mirror = RULES[name](db.Counts.from_classes(-logs[1], -logs[0], scale=scale))
        assert (mirror.lower, mirror.upper) == pytest.approx((1 / bounds.upper, 1 / bounds.lower), rel=1e-15)


def test_every_unit_gives_the_same_bounds():
    generator = np.random.default_rng(6)
    for metric in RULES.values():
        for _ in range(30):
            ln = generator.normal(1.2, 2, 30), generator.normal(-1.2, 2, 50)
            first = metric(db.Counts.from_classes(*ln, scale="ln_lr"))
            others: dict[str, Any] = {
                "lr": np.exp,
                "log2_lr": lambda x: x / math.log(2),
                "log10_lr": lambda x: x / math.log(10),
                "deciban": lambda x: 10 * x / math.log(10),
                "probability": lambda x: 1 / (1 + 3 * np.exp(-x)),
            }
            for scale, convert in others.items():
                prior = 0.25 if scale == "probability" else None
                other = metric(db.Counts.from_classes(*(convert(x) for x in ln), scale=scale, prior=prior))
                assert (other.lower, other.upper) == pytest.approx((first.lower, first.upper), rel=1e-9)


def test_extreme_lrs_change_a_bound_only_as_their_rank_does():
    near = db.Counts.from_classes([3.0, 20.0, 21.0], [-30.0, -1.0, 22.0], scale="ln_lr")
    far = db.Counts.from_classes([3.0, 1e4, 1e5], [-1e300, -1.0, 1e300], scale="ln_lr")
    for metric in RULES.values():
        assert metric(near) == metric(far)


def test_weights_are_trials():
    counts = db.Counts(score=[-1, 1, 2], n_target=[1, 0, 6], n_nontarget=[9, 4, 1], scale="ln_lr")
    weighted = db.Counts(score=[-1, 1, 2], n_target=[1.0, 0, 6], n_nontarget=[9.0, 4, 1], scale="ln_lr", weighted=True)
    for metric in RULES.values():
        assert metric(weighted) == metric(counts)


def test_many_distinct_lrs_agree_with_every_edge_tried():
    generator = np.random.default_rng(7)
    ln = generator.normal(2, 2, 90_000), generator.normal(-2, 2, 150_000)
    counts = db.Counts.from_classes(*ln, scale="ln_lr")
    score = counts.score
    p_miss = (np.searchsorted(np.sort(ln[0]), score) + 1) / 90_001
    p_fa = (150_000 - np.searchsorted(np.sort(ln[1]), score) + 1) / 150_001
    failing = np.flatnonzero((score > 0) & (p_miss + np.exp(np.minimum(score, 700)) * p_fa > 1))[0]
    root = (1 - p_miss[failing]) / p_fa[failing]
    assert db.elub(counts).upper == pytest.approx(max(root, math.exp(score[failing - 1])), rel=1e-12)


def test_what_cannot_be_asked():
    with pytest.raises(SingleClassError):
        db.elub(db.Counts.from_arrays([1.0, 2.0], [1, 1], target=1, scale="lr"))
    with pytest.raises(ScaleError):
        db.iv_bounds(db.Counts.from_classes([1.0], [0.0]))
    for grid in (0.0, -1.0, 2.0, math.nan):
        with pytest.raises(OptionError, match="grid"):
            db.elub_one_sided(db.Counts.from_classes([2.0], [0.5], scale="lr"), grid=grid)


def test_as_figures_by_dotted_key():
    result = db.evaluate(nfi(), metrics=["elub-one-sided", "iv_bounds.upper:grid=0.001"], interval="none")
    assert result["elub.upper"].value == 27007 / 756
    assert result["elub-one-sided.lower"].value == db.elub_one_sided(nfi()).lower
    assert result["iv_bounds.upper:grid=0.001"].value == pytest.approx(38.1944271, abs=1e-7)
