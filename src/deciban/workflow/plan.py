"""What an evaluation is to compute, for the whole and for every group alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from deciban.counts import Counts
from deciban.errors import OptionError, SingleClassError
from deciban.metrics.expression import Expression
from deciban.records.display import several
from deciban.records.threshold import ChosenThreshold
from deciban.scale import carries_lr, carries_probability, check_prior, threshold_of_lr
from deciban.workflow.intervals import HOW, Ways
from deciban.workflow.request import asked_expressions, cost_expressions, default_expressions, unique

PriorOrigin = Literal["given", "data"]


@dataclass(frozen=True, slots=True)
class At:
    """A threshold of the table: where it comes from, and whether these very trials chose it."""

    threshold: float
    origin: str
    post_hoc: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """Figures, thresholds and the prior of posteriors.

    Attributes
    ----------
    expressions, thresholds
        What is computed.
    p_target, p_target_origin
        Prior at which posteriors are taken, and where it comes from; None where there are none.
    exact
        Whether count-based figures are given as fractions too.
    score_column
        Name of the column the scores come from, where there is one.
    ways
        How intervals are made.
    """

    expressions: list[Expression]
    thresholds: list[At]
    p_target: float | None
    p_target_origin: PriorOrigin | None
    exact: bool
    score_column: str | None
    ways: Ways


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
) -> Plan:
    """Settle what is asked against what the scale of the scores carries."""
    prior, origin = _prior_of(counts, p_target)
    return Plan(
        _expressions(counts, metrics, costs), _thresholds(counts, thresholds), prior, origin, exact, score_column, ways
    )


def check_options(interval: str, level: float, replicates: int, seed: int) -> None:
    """Raise :class:`OptionError` for an option of uncertainty that is not legal."""
    if interval not in HOW:
        raise OptionError(f"interval: expected one of {', '.join(HOW)}, found {interval!r}")
    if not 0.0 < level < 1.0:
        raise OptionError(f"level: expected a confidence level strictly between 0 and 1, found {level!r}")
    if replicates < 1:
        raise OptionError(f"replicates: expected at least 1, found {replicates!r}")
    if seed < 0:
        raise OptionError(f"seed: expected a whole number >= 0, found {seed!r}")


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


def _expressions(counts: Counts, metrics: Sequence[str], costs: Sequence[str]) -> list[Expression]:
    scale, prior = counts.scale, counts.prior
    return unique(
        [
            *default_expressions(scale, prior),
            *cost_expressions(costs, scale, prior),
            *asked_expressions(metrics, scale, prior),
        ]
    )


def _thresholds(counts: Counts, given: Sequence[float | ChosenThreshold]) -> list[At]:
    """The thresholds asked for, each once, else the default of the scale."""
    if given:
        asked = [_chosen(counts, at) if isinstance(at, ChosenThreshold) else At(float(at), "given") for at in given]
        first: dict[float, At] = {}
        for at in asked:
            first.setdefault(at.threshold, at)
        return list(first.values())
    if counts.scale == "probability":
        return [At(0.5, "default")]
    if carries_lr(counts.scale, counts.prior):
        return [At(threshold_of_lr(1.0, counts.scale, counts.prior), "default")]
    return []


def _chosen(counts: Counts, chosen: ChosenThreshold) -> At:
    """A threshold chosen on other trials, which must have been of the same unit."""
    if chosen.scale != counts.scale:
        raise OptionError(
            f"the threshold of {chosen.rule} was chosen on scores of scale {chosen.scale!r}, and these have scale "
            f"{counts.scale!r}: give both the same scale= (--scale)"
        )
    return At(chosen.threshold, chosen.rule, post_hoc=chosen.counts_sha256 == counts.sha256())
