"""Findings about a comparison: which trials are the same, how many tests there are, what they take for granted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from deciban.errors import counted
from deciban.records.comparison import Pairing
from deciban.records.differences import Difference, ErrorsCompared
from deciban.records.finding import Finding
from deciban.workflow.comparing.compared import Compared


def find_in_comparison(
    systems: Sequence[Compared],
    paired: Pairing,
    differences: Sequence[Difference],
    errors: Sequence[ErrorsCompared],
) -> tuple[Finding, ...]:
    """What a reader must know beside the numbers, warnings first."""
    found = [
        *_of_systems({one.name: one.record.findings for one in systems}),
        *_shares(systems),
        *_pairing(paired),
        *_dependent_errors(any(one.sourced for one in systems), errors),
        *_many_tests(len(systems), differences, errors),
    ]
    return tuple(sorted(found, key=lambda finding: finding.severity != "warn"))


def _shares(systems: Sequence[Compared]) -> Iterator[Finding]:
    """Figures that hold for the share of targets in the data, of systems whose data have different shares."""
    shares = {one.name: one.counts.total_target / one.counts.total for one in systems}
    told = [f.data["metrics"] for one in systems for f in one.record.findings if f.code == "PREVALENCE"]
    shown = [key for key in dict.fromkeys(chain(*told)) if all(key in one.record.metrics for one in systems)]
    if shown and max(shares.values()) > min(shares.values()):
        found = ", ".join(f"{share * 100:.4g} % of {name}" for name, share in shares.items())
        yield Finding(
            code="SHARES",
            severity="warn",
            message=f"targets are {found}: by that alone the systems differ in {', '.join(shown)}",
            advice="compare figures that do not depend on the share of targets, or trials with the same share",
            data={"shares": shares, "metrics": shown},
        )


def _pairing(done: Pairing) -> Iterator[Finding]:
    """How trials were paired, where a reader could take it for something else, and which were left out."""
    if done.by != "ids":
        yield Finding(
            code="PAIRED-ROWS" if done.by == "rows" else "UNPAIRED",
            severity="note",
            message=done.why,
            advice="name the trials with ids= (--id), so that the same ones are compared"
            if done.by == "rows"
            else "on the same trials smaller differences can be seen: name them with ids= (--id) if they are the same",
            data={"by": done.by},
        )
    left_out = {name: n for name, n in done.left_out.items() if n}
    if left_out:
        shown = ", ".join(f"{counted(n, 'trial')} of {name}" for name, n in left_out.items())
        yield Finding(
            code="UNMATCHED",
            severity="note",
            message=f"left out, since another system lacks them: {shown}",
            advice="say of which trials the comparison holds; trials on which a system fails may be the hard ones",
            data=left_out,
        )


def _many_tests(systems: int, differences: Sequence[Difference], errors: Sequence[ErrorsCompared]) -> Iterator[Finding]:
    """How many tests there are, and for which of them p-values were adjusted."""
    figures = dict.fromkeys(one.metric for one in differences if one.p_value is not None)
    at_thresholds = sum(one.p_exact is not None for one in errors)
    tests = sum(one.p_value is not None for one in differences) + at_thresholds
    if tests < 2:
        return
    pairs = systems * (systems - 1) // 2
    kinds = [counted(len(figures), "figure")] if figures else []
    kinds += [f"errors at {counted(at_thresholds // pairs, 'threshold')}"] if at_thresholds else []
    adjusted = (
        "p-values are not adjusted: each figure has one test"
        if pairs == 1
        else f"p-values are adjusted (Holm) for the {pairs} pairs of each figure, not for the figures"
    )
    yield Finding(
        code="MULTI",
        severity="note",
        message=f"{tests} tests: {counted(pairs, 'pair')} of systems by {' and '.join(kinds)}; {adjusted}",
        advice="choose beforehand the figure that decides",
        data={"tests": tests, "pairs": pairs, "adjustment": "none" if pairs == 1 else "holm"},
    )


def _dependent_errors(sourced: bool, errors: Sequence[ErrorsCompared]) -> Iterator[Finding]:
    """McNemar's test of trials that share sources."""
    if sourced and errors:
        yield Finding(
            code="DEP-SOURCE",
            severity="warn",
            message="McNemar's test takes trials to be independent, and these share sources: its p-values are too "
            "small",
            advice="rest on figures whose intervals resample sources, such as accuracy:threshold=…",
            data={},
        )


def _of_systems(findings: Mapping[str, Sequence[Finding]]) -> list[Finding]:
    """Findings of each system under its name; what holds for all of them alike is said once."""
    first, *others = findings.values()
    common = [one for one in first if all(one in other for other in others)]
    own = [replace(one, group=name) for name, of_system in findings.items() for one in of_system if one not in common]
    return [*common, *own]
