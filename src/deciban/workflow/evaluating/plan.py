"""What an evaluation is to compute, for the whole and for every group alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from deciban.counts.counts import Counts
from deciban.errors import OptionError, SingleClassError
from deciban.metrics.expression import Expression
from deciban.passes.confusion_matrix import confusion
from deciban.records.display import several
from deciban.records.threshold import ChosenThreshold
from deciban.trials.direction import reversed_threshold, threshold_as_given
from deciban.values.option_checks import check_choice, check_flag, check_level, check_whole
from deciban.values.scale import Scale, carries_lr, carries_probability, check_prior, threshold_of_lr
from deciban.workflow.evaluating.acquisition import NONE_GIVEN, Failures
from deciban.workflow.evaluating.request import asked_expressions, cost_expressions, default_expressions, unique
from deciban.workflow.intervals.ways import HOW, Ways

PriorOrigin = Literal["given", "data"]


@dataclass(frozen=True, slots=True)
class At:
    """A threshold of the table: where it comes from, whether these very trials chose it, and as what it was given.

    ``as_given`` is the threshold for the scores before they were reversed, None when they were not.
    """

    threshold: float
    origin: str
    post_hoc: bool = False
    as_given: float | None = None

    @property
    def shown(self) -> float:
        """The threshold for the scores as they were given."""
        return self.threshold if self.as_given is None else self.as_given


@dataclass(frozen=True, slots=True)
class Plan:
    """Figures, thresholds and the prior of posteriors.

    Attributes
    ----------
    expressions, thresholds
        What is computed, thresholds for the scores as they are evaluated.
    names
        The key that a figure gets in the record where it is not that of its expression: thresholds as they were given.
    p_target, p_target_origin
        Prior at which posteriors are taken, and where it comes from; None where there are none.
    exact
        Whether count-based figures are given as fractions too.
    score_column
        Name of the column the scores come from, where there is one.
    ways
        How intervals are made.
    failures
        Rates of failure to acquire and to enrol that were given.
    """

    expressions: list[Expression]
    names: Mapping[str, list[str]]
    thresholds: list[At]
    p_target: float | None
    p_target_origin: PriorOrigin | None
    exact: bool
    score_column: str | None
    ways: Ways
    failures: Failures = NONE_GIVEN

    @property
    def at(self) -> list[float]:
        """The thresholds, for the scores as they are evaluated."""
        return [each.threshold for each in self.thresholds]


def make_plan(
    counts: Counts,
    *,
    metrics: Sequence[str],
    costs: Sequence[str],
    thresholds: Sequence[float | ChosenThreshold],
    p_target: float | None,
    exact: bool,
    score_column: str | None,
    ways: Ways,
    asked_only: bool = False,
    failures: Failures = NONE_GIVEN,
) -> Plan:
    """Settle what is asked against what the scale of the scores carries; ``asked_only`` leaves out what is not."""
    prior, origin = _prior_of(counts, p_target)
    expressions, names = _expressions(counts, metrics, costs, asked_only)
    return Plan(expressions, names, _thresholds(counts, thresholds), prior, origin, exact, score_column, ways, failures)


def check_options(
    interval: str, level: float, replicates: int, seed: int, exact: bool, how: Sequence[str] = HOW
) -> None:
    """Raise :class:`OptionError` for an option that is not legal."""
    check_choice("interval", interval, how)
    check_level(level)
    check_whole("replicates", replicates, 1, "at least 1 replicate")
    check_whole("seed", seed, 0)
    check_flag("exact", exact)


def require_both_classes(counts: Counts, what: str) -> None:
    """Raise :class:`SingleClassError` for data of one class: no figure of the whole would have a value."""
    if counts.total_target == 0 or counts.total_nontarget == 0:
        found = f"{several(counts.total_target, 'target')} and {several(counts.total_nontarget, 'nontarget')}"
        raise SingleClassError(
            f"{what}: an evaluation needs both classes, found {found}; say which label is the target with target= "
            "(--target), or add trials of the other class"
        )


def _prior_of(counts: Counts, p_target: float | None) -> tuple[float | None, PriorOrigin | None]:
    """The prior at which posteriors are taken, and where it comes from."""
    check_prior(p_target, "p_target")
    if p_target is not None:
        if not carries_probability(counts.scale):
            raise OptionError("p_target: raw scores have no posteriors; say what they are with scale= (--scale)")
        if counts.scale == "probability" and counts.prior is None:
            raise OptionError(
                "p_target: probabilities are re-weighted to another prior only when the one they were made under is "
                "known: give it with prior= (--prior)"
            )
        return p_target, "given"
    if carries_lr(counts.scale, counts.prior) and counts.scale != "probability":
        return counts.total_target / counts.total, "data"
    return None, None


def _expressions(
    counts: Counts, metrics: Sequence[str], costs: Sequence[str], asked_only: bool
) -> tuple[list[Expression], dict[str, list[str]]]:
    """What is computed, and the given keys of what was asked for at a threshold of reversed scores."""
    scale, prior = counts.scale, counts.prior
    asked = asked_expressions(metrics, scale, prior)
    names: dict[str, list[str]] = {}
    evaluated = [_turned(expression, scale) if counts.reversed else expression for expression in asked]
    for given, computed in zip(asked, evaluated, strict=True):
        for mine, theirs in zip(given.parts(), computed.parts(), strict=True):
            if mine.key != theirs.key:
                names.setdefault(theirs.key, []).append(mine.key)
    of_costs = cost_expressions(costs, scale, prior)
    if asked_only:
        return unique([*evaluated, *of_costs]), names
    return unique([*default_expressions(scale, prior), *of_costs, *evaluated]), names


def _turned(expression: Expression, scale: Scale) -> Expression:
    """The expression with a threshold of scores turned round with them; probabilities at which one acts stay."""
    if confusion not in expression.spec.passes or "threshold" not in expression.options:
        return expression
    at = reversed_threshold(float(str(expression.options["threshold"])), scale)
    return replace(expression, options={**expression.options, "threshold": at})


def _thresholds(counts: Counts, given: Sequence[float | ChosenThreshold]) -> list[At]:
    """The thresholds asked for, each once, else the default of the scale."""
    asked = [_chosen(counts, at) if isinstance(at, ChosenThreshold) else _given(counts, at) for at in given]
    if not asked and counts.scale == "probability":
        asked = [_evaluated(counts, 0.5, "default")]
    elif not asked and carries_lr(counts.scale, counts.prior):
        asked = [_evaluated(counts, threshold_of_lr(1.0, counts.scale, counts.prior), "default")]
    first: dict[float, At] = {}
    for at in asked:
        first.setdefault(at.shown, at)
    return list(first.values())


def _given(counts: Counts, threshold: float) -> At:
    """A threshold for the scores as given."""
    if not counts.reversed:
        return At(threshold, "given")
    return At(reversed_threshold(threshold, counts.scale), "given", as_given=threshold)


def _evaluated(counts: Counts, threshold: float, origin: str, post_hoc: bool = False) -> At:
    """A threshold for the scores as they are evaluated."""
    as_given = threshold_as_given(threshold, counts.scale) if counts.reversed else None
    return At(threshold, origin, post_hoc, as_given)


def _chosen(counts: Counts, chosen: ChosenThreshold) -> At:
    """A threshold chosen on other trials, which must have been of the same unit and direction."""
    said = f"the threshold of {chosen.rule} was chosen on"
    if chosen.scale != counts.scale:
        raise OptionError(
            f"{said} scores of scale {chosen.scale!r}, and these have scale {counts.scale!r}: give both the same "
            "scale= (--scale)"
        )
    if chosen.reversed != counts.reversed:
        first, second = ("reversed scores", "not") if chosen.reversed else ("scores as given", "reversed")
        raise OptionError(
            f"{said} {first}, and these are {second}: give both the same higher= (--higher) and swap= (--swap)"
        )
    if chosen.prior != counts.prior:
        first, second = ("an unknown prior" if p is None else f"prior {p}" for p in (chosen.prior, counts.prior))
        raise OptionError(
            f"{said} probabilities made under {first}, and these were made under {second}: give both the same prior= "
            "(--prior)"
        )
    return _evaluated(counts, chosen.threshold, chosen.rule, chosen.counts_sha256 == counts.sha256())
