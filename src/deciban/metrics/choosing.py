"""Rules that choose a threshold on one set of trials, to be applied to another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from deciban.counts.counts import Counts
from deciban.errors import OptionError, UndefinedMetricError, did_you_mean
from deciban.metrics.crossing import step_crossing
from deciban.metrics.decision import min_dcf
from deciban.metrics.discrimination import p_fa_at, p_miss_at, rate_limit
from deciban.metrics.eer import METHODS, eer
from deciban.metrics.expected_cost import check_costs, expected_cost
from deciban.metrics.expression import express, parse_options
from deciban.metrics.presets import costs_of
from deciban.metrics.spec import Spec
from deciban.passes.cumulative import Cumulative, cumulate
from deciban.passes.pool import pool
from deciban.values.option_checks import check_text
from deciban.values.scale import check_prior


@dataclass(frozen=True, slots=True)
class Choice:
    """A threshold and whether the quantity it was chosen for is reached exactly there."""

    threshold: float
    exact: bool = True


def best(points: Cumulative, loss: Any) -> Choice:
    """The threshold of least loss; among exact ties the highest."""
    first = _first(points)
    return Choice(points.threshold_at(first + int(np.argmin(loss[first:]))))


def _first(points: Cumulative) -> int:
    """The first point that a threshold reaches: not reject-all, when inf is itself a score."""
    return 0 if points.reject_all_reachable else 1


def at_eer(counts: Counts, method: str) -> Choice:
    """Where p_miss = p_fa; when only randomising reaches that, the nearest point, the higher of two alike."""
    points = cumulate(counts)
    found = METHODS[method](points, pool(counts))
    if found.threshold is not None:
        return Choice(found.threshold)
    cross = step_crossing(points)
    lax, strict = abs(cross.gap(cross.lax)), abs(cross.gap(cross.strict))
    threshold = cross.lax.threshold if lax < strict or cross.strict.threshold is None else cross.strict.threshold
    return Choice(_reached(threshold, "p_miss = p_fa"), exact=False)


def _reached(threshold: float | None, what: str) -> float:
    if threshold is None:
        raise UndefinedMetricError(f"no threshold has {what}: a score of inf is accepted by every one", "infinite_end")
    return threshold


def at_min_dcf(counts: Counts, options: Mapping[str, Any]) -> Choice:
    """Where the detection cost is least."""
    costs = costs_of(options["preset"], options["p_target"], options["c_miss"], options["c_fa"])
    if len(costs) > 1:
        raise OptionError(f"min_dcf: preset {options['preset']} has {len(costs)} costs, each with its own threshold")
    points = cumulate(counts)
    return best(points, costs[0].weight_miss * points.p_miss + costs[0].weight_fa * points.p_fa)


def at_cost(counts: Counts, options: Mapping[str, Any]) -> Choice:
    """Where the expected cost of any cost matrix is least."""
    points = cumulate(counts)
    miss, fa, prior = points.p_miss, points.p_fa, options["p_target"]
    target = options["c_miss"] * miss + options["c_hit"] * (1 - miss)
    nontarget = options["c_fa"] * fa + options["c_reject"] * (1 - fa)
    return best(points, prior * target + (1 - prior) * nontarget)


def at_p_fa(counts: Counts, rate: float) -> Choice:
    """The lowest threshold with p_fa at most the rate."""
    points = cumulate(counts)
    at = int(np.searchsorted(points.p_fa, rate, side="right")) - 1
    return Choice(_reached(None if at < _first(points) else points.threshold_at(at), f"p_fa at most {rate:g}"))


def at_p_miss(counts: Counts, rate: float) -> Choice:
    """The highest threshold with p_miss at most the rate."""
    points = cumulate(counts)
    at = int(np.searchsorted(-points.p_miss, -rate, side="left"))
    return Choice(points.threshold_at(max(at, _first(points))))


def at_f1(counts: Counts) -> Choice:
    """Where F1 = 2TP / (TP + FP + N1) is largest."""
    points = cumulate(counts)
    return best(points, -(2 * points.tp / (points.tp + points.fp + points.total_target)))


def at_youden(counts: Counts) -> Choice:
    """Where recall − p_fa is largest."""
    points = cumulate(counts)
    n1, n0 = points.total_target, points.total_nontarget
    # In whole pairs, so that equal sums of rates are equal numbers.
    return best(points, (n1 - points.tp) * n0 + points.fp * n1)


RULES: Final = ("eer", "min_dcf", "p_fa", "p_miss", "f1", "youden", "cost")


def choose(counts: Counts, rule: str) -> tuple[str, Choice]:
    """Apply a rule to counts of both classes.

    Parameters
    ----------
    counts
        Development trials.
    rule
        ``eer`` (``eer:method=interpolated``), ``min_dcf:preset=voxsrc`` or with its three parameters, ``p_fa=0.01``,
        ``p_miss=0.01``, ``f1``, ``youden``, ``cost:p_target=0.1,c_miss=5,c_fa=1`` (also ``c_hit``, ``c_reject``).

    Returns
    -------
    str, Choice
        The rule in its canonical form, and the threshold.

    Raises
    ------
    OptionError
        When there is no such rule, or an option of it is not legal.
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        When no threshold does what is asked, since a score of inf is accepted by every one (``infinite_end``).
    """
    check_text("at", rule, "a rule such as 'eer' or 'p_fa=0.01'")
    try:
        return _chosen(counts, rule)
    except OptionError as error:
        text = str(error)
        raise OptionError(text if text.startswith("at: ") else f"at: {rule.strip()}: {text}") from None


def _chosen(counts: Counts, rule: str) -> tuple[str, Choice]:
    """The canonical rule and its threshold; an error does not say yet that it is about a rule."""
    name, _, tail = rule.strip().partition(":")
    head, _, value = name.partition("=")
    if head in ("p_fa", "p_miss") and value:
        return _at_rate(counts, head, value)
    if name == "eer":
        options = _read(eer.spec, tail)
        return express(eer.spec, options).key, at_eer(counts, str(options["method"]))
    if name == "min_dcf":
        options = _read(min_dcf.spec, tail)
        return express(min_dcf.spec, options).key, at_min_dcf(counts, options)
    if name == "cost":
        return _at_cost(counts, tail)
    if rule.strip() in ("f1", "youden"):
        return rule.strip(), at_f1(counts) if rule.strip() == "f1" else at_youden(counts)
    raise OptionError(f"at: no rule {rule!r}; {did_you_mean(head, RULES)}; e.g. eer, p_fa=0.01, min_dcf:preset=voxsrc")


def _read(spec: Spec, text: str) -> dict[str, object]:
    return spec.complete(parse_options(spec, text))


def _at_rate(counts: Counts, name: str, text: str) -> tuple[str, Choice]:
    """The rules ``p_fa=…`` and ``p_miss=…``, whose value is read as that of the metric beside them."""
    spec, find = (p_miss_at.spec, at_p_fa) if name == "p_fa" else (p_fa_at.spec, at_p_miss)
    rate = rate_limit(name, float(str(parse_options(spec, f"{name}={text}")[name])))
    return express(spec, {name: rate}).key.partition(":")[2], find(counts, rate)


def _at_cost(counts: Counts, text: str) -> tuple[str, Choice]:
    """The rule ``cost:…``: the options of expected_cost, whose threshold is what is sought."""
    options = parse_options(expected_cost.spec, text)
    if "threshold" in options:
        raise OptionError("cost: the threshold is what is sought; leave it out")
    key = express(expected_cost.spec, {**options, "threshold": 0.0}).key
    complete = expected_cost.spec.complete({**options, "threshold": 0.0})
    check_prior(complete["p_target"], "p_target")  # type: ignore[arg-type]
    check_costs(**{name: float(str(complete[name])) for name in ("c_miss", "c_fa", "c_hit", "c_reject")})
    canonical = ",".join(part for part in key.partition(":")[2].split(",") if not part.startswith("threshold="))
    return f"cost:{canonical}", at_cost(counts, complete)
