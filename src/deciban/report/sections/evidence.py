"""How strong the evidence is that likelihood ratios claim, and how much of it the data support."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from deciban.plots.lr_distribution import tippett
from deciban.plots.priors import cross_entropy
from deciban.plots.transformation import pav_map
from deciban.records.figures import MetricValue
from deciban.records.finding import Finding
from deciban.report.callouts import callouts
from deciban.report.drawing import beside, curve_figure
from deciban.report.section import Block, Cell, Prose, Section, TableBlock, prose
from deciban.report.spoken import spoken
from deciban.report.subject import Subject, System
from deciban.report.tabled import in_columns, named, with_interval
from deciban.report.wording import count_text, value_text
from deciban.workflow.findings.evidence import lr_text

CODES = ("LR-SUPPORT", "MISLEAD", "INF-LR", "UNITS")

BOUNDS: Final = (
    ("elub", "empirical bounds (ELUB)"),
    ("elub-one-sided", "empirical bounds, each side by itself"),
    ("iv_bounds", "invariance verification"),
)
STRENGTHS: Final = ("", ":k=10", ":k=100", ":k=1000")


def evidence(subject: Subject) -> Section | None:
    """Make the section; None where the scores are no likelihood ratios."""
    if not subject.carries_lr:
        return None
    blocks: list[Block] = [*callouts(subject, CODES)]
    if subject.alone:
        (system,) = subject.systems.values()
        blocks += [*_support(system, _finding(subject)), *_misleading(system, subject), *_taken_apart(system)]
    else:
        keys = [key for key in subject.figures() if key.partition(":")[0] in ("rmep", "rmed") or key.startswith("elub")]
        blocks += (
            in_columns("evidence-figures", "Supported and misleading LRs", keys, subject.by_name()) if keys else []
        )
    return Section("evidence", "Strength of evidence", (*blocks, *_drawn(subject)))


def _finding(subject: Subject) -> Finding | None:
    return next((one for one in subject.findings if one.code == "LR-SUPPORT" and one.group is None), None)


def _support(system: System, beyond: Finding | None) -> Iterator[TableBlock | Prose]:
    """What LRs the data can support, beside what the trials claim."""
    rows = [
        (Cell(f"Supported: {said}"), *(_bound(system.metrics.get(f"{name}.{part}")) for part in ("lower", "upper")))
        for name, said in BOUNDS
        if f"{name}.lower" in system.metrics or f"{name}.upper" in system.metrics
    ]
    if not rows:
        return
    if beyond is not None:
        rows += list(_claimed(beyond.data, system))
    yield TableBlock("lr-support", "Range of the likelihood ratios", ("", "Smallest LR", "Largest LR"), tuple(rows))
    if beyond is None and system.trials.resolution is None:
        yield prose("No LR of these trials lies beyond the bounds that they support.")


def _bound(figure: MetricValue | None) -> Cell:
    if figure is None or figure.value is None:
        return with_interval(figure)
    cell = with_interval(figure)
    log10 = math.log10(figure.value) if 0.0 < figure.value < math.inf else None
    small = "" if log10 is None else f"log₁₀ LR {_signed(log10)}"
    return Cell(lr_text(log10) if log10 is not None else cell.text, f"{small}; {cell.small}".strip("; "))


def _claimed(data: Mapping[str, Any], system: System) -> Iterator[tuple[Cell, ...]]:
    """Ends of what the trials claim, as the finding about them holds them."""
    yield (
        Cell("Claimed by these trials"),
        *(_lr_cell(data[end]) for end in ("log10_smallest", "log10_largest")),
    )
    yield (
        Cell("Strongest misleading", "smallest of a target, largest of a nontarget"),
        *(_lr_cell(data[end]) for end in ("log10_smallest_target", "log10_largest_nontarget")),
    )
    n = count_text(system.trials.n)
    yield (
        Cell("Trials beyond the empirical bounds"),
        *(Cell(f"{count_text(data[side])} of {n}") for side in ("below", "above")),
    )


def _lr_cell(log10: float) -> Cell:
    """A likelihood ratio with its logarithm, where it is not written as a power of ten already."""
    text = lr_text(log10)
    return Cell(text, "" if "^" in text or math.isinf(log10) else f"log₁₀ LR {_signed(log10)}")


def _misleading(system: System, subject: Subject) -> Iterator[TableBlock]:
    """How often LRs are strong for the wrong side, beside what calibrated ones never exceed."""
    rows = []
    for option in STRENGTHS:
        towards = [system.metrics.get(f"{name}{option}") for name in ("rmep", "rmed")]
        if any(figure is not None for figure in towards):
            k = option.rpartition("=")[2]
            rows.append((
                Cell("LR on the wrong side of 1" if not k else f"by a factor of {k} or more"),
                *map(with_interval, towards),
                Cell("–" if not k else f"{1 / float(k):g}"),
            ))  # fmt: skip
    if rows:
        words = subject.words
        head = ("", f"Share of {words.nontargets}", f"Share of {words.targets}", "Calibrated LRs: at most")
        yield TableBlock("misleading", "Misleading evidence", head, tuple(rows))


def _taken_apart(system: System) -> Iterator[TableBlock]:
    """Cllr as what discrimination and what calibration leave unknown."""
    keys = [
        key
        for key in ("cllr", "cllr_min", "cllr_cal", "cllr.target_half", "cllr.nontarget_half")
        if key in system.metrics
    ]
    if not {"cllr", "cllr_min", "cllr_cal"} <= set(keys):
        return
    said = {
        "cllr": "the whole; 1 bit is what LR = 1 for every trial costs",
        "cllr_min": "left by discrimination, after the best calibration",
        "cllr_cal": "lost by calibration: the difference of the two",
        "cllr.target_half": "mean over targets; the whole is the mean of both halves",
        "cllr.nontarget_half": "mean over nontargets",
    }
    rows = tuple((named(key), with_interval(system.metrics[key]), Cell(said[key])) for key in keys)
    yield TableBlock("cllr-parts", "Cllr taken apart (bits)", ("Figure", "Value", "What it is"), rows, worded=(2,))


def _drawn(subject: Subject) -> list[Block]:
    words = subject.words
    bounds = _bound_marks(subject)
    return [*beside(
        curve_figure(
            "tippett",
            "Tippett plot",
            f"Share of the trials of each class with at least the LR below. Where {words.nontargets} lie right of "
            f"0, and {words.targets} left of it, the evidence misleads."
            + (" Upright: what the data support." if bounds else ""),
            spoken(subject, "rmep", "rmed", "elub.lower", "elub.upper"),
            tippett,
            subject.curves("tippett"),
            words,
            mark=bounds,
        ),
        curve_figure(
            "cross-entropy",
            "Empirical cross-entropy",
            "What the LRs leave unknown at each prior: as they are, after the best increasing map (PAV), and with "
            "LR = 1 always. Above the dotted line LRs do more harm than good.",
            spoken(subject, "cllr", "cllr_min"),
            cross_entropy,
            subject.curves("cross_entropy"),
            words,
        ),
        curve_figure(
            "pav",
            "LR after PAV against LR as given",
            "Calibrated LRs lie near the dotted identity. PAV is fitted to the trials that it judges.",
            spoken(subject, "devpav", "cllr_cal"),
            pav_map,
            subject.curves("pav"),
            words,
        ),
    )]  # fmt: skip


def _bound_marks(subject: Subject) -> dict[str, float]:
    """Empirical bounds as places on the axis of log10 LR, for one system."""
    if not subject.alone:
        return {}
    (system,) = subject.systems.values()
    found = {}
    for part, word in (("lower", "smallest"), ("upper", "largest")):
        figure = system.metrics.get(f"elub.{part}")
        if figure is not None and figure.value is not None and 0.0 < figure.value < math.inf:
            found[f"{word} supported LR, {value_text(figure)}"] = math.log10(figure.value)
    return found


def _signed(value: float) -> str:
    return f"{value:.3g}".replace("-", "−").replace("inf", "∞")
