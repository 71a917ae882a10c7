"""The bracket of any figure of bucketed counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from deciban.counts.argument import as_counts
from deciban.counts.counts import Counts
from deciban.errors import OptionError
from deciban.metrics.brackets.ends import Bracket, Ends, bucketed
from deciban.metrics.brackets.ranking import ON_THE_CURVE, ordered
from deciban.metrics.brackets.rules import RULES
from deciban.metrics.brackets.view import View, view_of
from deciban.metrics.expression import Expression, express, parse
from deciban.metrics.spec import Spec, run_body, run_pass, takes


def bracket(expression: str, counts: Counts) -> Bracket:
    """Bracket a figure of counts in buckets: compute a range that provably holds its exact value.

    Parameters
    ----------
    expression
        The figure, e.g. ``"auc"``, ``"eer:method=interpolated"``, ``"precision:threshold=0.5"``.
    counts
        Counts made with ``resolution=``; of others both ends are the value.

    Returns
    -------
    Bracket
        ``low`` and ``high``, rounded outward and in the unit of the figure. Both ends are one where buckets leave
        nothing open: no bucket holds targets and nontargets, or a threshold is at an edge.

    Raises
    ------
    UndefinedMetricError
        Reason ``bucketed`` for a figure of which buckets do not say between which values it lies; ``weighted`` when
        weights are not whole numbers; any other reason for which the figure has no value.
    OptionError
        When there is no such figure, or the expression is several.

    Notes
    -----
    Within its bucket a trial may have had any score, so the ends are those of the best and the worst order of targets
    and nontargets, of the lower and upper edge, or of accepting none and all of a bucket. Infinite scores are known.

    Examples
    --------
    >>> import deciban as db
    >>> trials = db.Trials.from_classes([0.9, 0.6, 0.4], [0.8, 0.45, 0.1])
    >>> db.bracket("auc", db.count(trials, resolution=0.25))
    Bracket(low=0.5555555555555555, high=0.7777777777777778)
    >>> round(db.auc(db.count(trials)), 6)
    0.666667
    """
    asked = _one(expression)
    as_counts(counts, "bracket")
    if counts.resolution is None:
        value = float(_value(asked, counts))
        return Bracket(low=value, high=value)
    return ends_of(view_of(counts), asked).bracket(asked.range)


def _one(expression: str) -> Expression:
    found = [part for asked in parse(expression) for part in asked.parts()]
    if len(found) > 1:
        raise OptionError(f"{expression!r} is several figures: name one of {', '.join(each.key for each in found)}")
    return found[0]


def ends_of(view: View, asked: Expression, p_target: float | None = None) -> Ends:
    """Find the ends of a figure; ``p_target`` is the prior of posteriors where the expression has none."""
    spec, options = asked.spec, asked.spec.complete(asked.options)
    if any(takes(function, "p_target") for function in spec.passes) and options["p_target"] is None:
        options["p_target"] = p_target
    if view.settled:
        value = _value(replace(asked, options=options), view.at_low())
        return Ends(value, value, settled=True)
    rule = RULES.get(asked.key.partition(":")[0])
    if rule is None:
        raise bucketed(asked.key, "buckets do not say between which values it lies")
    return rule(view, spec, options)


def of_orders(asked: Expression) -> bool:
    """Whether the bracket is that of the best and the worst order, which many figures can be computed from at once."""
    options = asked.spec.complete(asked.options)
    if asked.spec.name == "eer":
        return options["method"] in ON_THE_CURVE
    return RULES.get(asked.spec.name) is ordered and not options.get("laplace")


def _value(asked: Expression, counts: Counts) -> Any:
    """The figure of counts that are not in buckets, as a fraction where it is one."""
    spec, options = asked.spec, asked.spec.complete(asked.options)
    exact = spec.exact and not counts.weighted
    results = [run_pass(function, counts, options, exact) for function in spec.passes]
    value = run_body(spec, results, options, exact)
    return value if asked.part is None else getattr(value, asked.part)


def of_buckets(spec: Spec, counts: Counts, options: Mapping[str, object], exact: bool) -> Any:
    """Give the value of a metric where buckets leave nothing open.

    Raises
    ------
    UndefinedMetricError
        Reason ``bucketed`` where they do, which says how to have the bracket.
    """
    view = view_of(counts)
    if view.settled:
        results = [run_pass(function, view.at_low(), options, exact) for function in spec.passes]
        return run_body(spec, results, options, exact)
    asked = express(spec, options)
    if spec.parts:
        keys = " or ".join(repr(part.key) for part in asked.parts())
        raise bucketed(spec.name, f"of counts in buckets deciban.bracket has one part at a time, where it can: {keys}")
    ends = ends_of(view, asked)
    if not ends.settled:
        raise bucketed(
            spec.name,
            f"these counts are in buckets of width {counts.resolution!r}, which give it no value but a bracket: "
            f"deciban.bracket({asked.key!r}, counts)",
        )
    if exact and not isinstance(ends.low, Fraction):
        raise bucketed(
            spec.name, "there is no fraction of counts in buckets, though there is a value without exact=True"
        )
    return ends.low if exact else float(ends.low)
