"""How far stated probabilities, or posteriors of LRs at a prior, can be relied on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from deciban.plots.stated_probabilities import reliability
from deciban.records.display import number
from deciban.report.callouts import callouts
from deciban.report.drawing import beside, curve_figure
from deciban.report.section import Block, Cell, Prose, Section, TableBlock, prose
from deciban.report.spoken import spoken
from deciban.report.subject import Subject, System
from deciban.report.tabled import named, with_interval

CODES = ("ECE-FEW",)

PARTS = {
    "brier": "mean squared difference of probability and outcome: the sum of the parts below",
    "brier_corp.miscalibration": "what recalibration would gain",
    "brier_corp.discrimination": "what the forecasts tell, to be taken from the others",
    "brier_corp.uncertainty": "of the outcomes themselves",
}


def probability(subject: Subject) -> Section | None:
    """Make the section; None where the scores state no probability."""
    binned, corp = subject.curves("reliability"), subject.curves("corp")
    if not binned and not corp:
        return None
    words = subject.words
    drawn = beside(
        curve_figure(
            "reliability",
            "Reliability in ten bins",
            f"Observed share of {words.targets} against the mean of what was stated; calibrated forecasts lie on the "
            "dotted diagonal, up to chance. Above: trials in each bin.",
            spoken(subject, "calibration_error", "brier"),
            reliability,
            binned,
            words,
        ),
        curve_figure(
            "corp",
            "Reliability without bins (CORP)",
            f"Observed share of {words.targets} in the blocks of pooling adjacent violators, which need no choice of "
            "bins.",
            spoken(subject, "brier", "brier_corp.miscalibration"),
            reliability,
            corp,
            words,
        ),
    )
    blocks: list[Block] = [*callouts(subject, CODES), *_prior(subject), *drawn]
    if subject.alone:
        (system,) = subject.systems.values()
        blocks += _decomposition(system)
    return Section("probability", "Probabilities", tuple(blocks))


def _prior(subject: Subject) -> Iterator[Prose]:
    """At which prior LRs became posteriors."""
    (first, *_) = subject.systems.values()
    trials = first.trials
    if trials.p_target is None:
        return
    origin = f"the share of {subject.words.targets} in the data" if trials.p_target_origin == "data" else "as asked for"
    yield prose(
        f"Posteriors at the prior {number(trials.p_target)}, {origin}. At another prior the same LRs give other "
        "probabilities, and every figure of this section changes."
    )


def _decomposition(system: System) -> Iterator[TableBlock]:
    """The Brier score as miscalibration − discrimination + uncertainty."""
    if not set(PARTS) <= set(system.metrics):
        return
    sign = {
        "brier": "",
        "brier_corp.miscalibration": "",
        "brier_corp.discrimination": "−",
        "brier_corp.uncertainty": "+",
    }
    rows = []
    for key, said in PARTS.items():
        cell = with_interval(system.metrics[key])
        rows.append((named(key), replace(cell, text=f"{sign[key]} {cell.text}".strip()), Cell(said)))
    yield TableBlock(
        "brier-parts", "Brier score taken apart", ("Figure", "Value", "What it is"), tuple(rows), worded=(2,)
    )
