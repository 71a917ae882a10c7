"""What a reader must know beside the figures of submissions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from deciban.pan.profiles import Profile
from deciban.pan.record import PanEvaluation
from deciban.records.display import several
from deciban.records.finding import Finding


def remarks(by: Profile, evaluations: Mapping[str, PanEvaluation], *, intervals: bool) -> Iterator[Finding]:
    """Missing answers, answers outside [0, 1], figures without a value; what the intervals take for granted."""
    for name, one in evaluations.items():
        yield from _of_submission(by, name if len(evaluations) > 1 else None, one)
    if by.name == "pan20-published":
        yield Finding(
            code="F05U",
            severity="note",
            metric="f_05_u",
            message="f_05_u takes every answer of 0.5 for a yes, as the published table of 2020 does; the documented "
            "formula takes it for a missed pair",
            advice="use it to reproduce that table only; the documented formula is profile='pan20' (--profile pan20)",
        )
    if intervals:
        yield Finding(
            code="DEP-UNKNOWN",
            severity="note",
            message="the intervals take problems as independent; they are not part of the official evaluation",
            advice="where problems share authors or texts, take the intervals as too narrow",
        )


def _of_submission(by: Profile, name: str | None, one: PanEvaluation) -> Iterator[Finding]:
    n = one.n_target + one.n_nontarget
    if one.missing:
        yield Finding(
            code="MISSING",
            severity="warn",
            group=name,
            message=f"{several(one.missing, 'problem')} of {n} without an answer: each counts as 0.5",
            advice="say how many there were; a non-answer is a choice of the system, a missing line may be a failure",
            data={"missing": one.missing, "problems": n},
        )
    if one.outside:
        cut = "cut to it" if by.clips else "cut to it for the Brier score only"
        yield Finding(
            code="OUTSIDE",
            severity="warn",
            group=name,
            message=f"{several(one.outside, 'answer')} outside [0, 1]: {cut}, as the evaluator of the year does",
            advice="look at what the system writes: such answers are no probabilities",
            data={"outside": one.outside, "problems": n},
        )
    undefined = {key: figure.reason for key, figure in one.metrics.items() if figure.value is None}
    if undefined:
        said = ", ".join(f"{key} ({reason})" for key, reason in undefined.items())
        yield Finding(
            code="NO-VALUE",
            severity="warn",
            group=name,
            message=f"no value: {said}",
            advice="the official evaluator may write 0 or stop there; do not report 0 as a measurement",
            data={"reasons": undefined},
        )
