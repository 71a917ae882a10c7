"""How well the two classes are told apart, at every threshold."""

from __future__ import annotations

from typing import Any

from deciban.plots.det_plane import det
from deciban.plots.looks import MOST
from deciban.plots.precision_plane import precision_recall
from deciban.plots.roc_plane import roc
from deciban.plots.score_distribution import score_histogram
from deciban.records.display import exact_digits
from deciban.report.callouts import callouts
from deciban.report.drawing import beside, curve_figure
from deciban.report.from_points import det_of, precision_recall_of, roc_of
from deciban.report.section import Block, FigureBlock, Prose, Section, prose
from deciban.report.spoken import spoken
from deciban.report.subject import Subject

CODES = ("DIRECTION", "POOLING")


def discrimination(subject: Subject) -> Section | None:
    """Make the section."""
    drawn = [figure for figure in (_histogram(subject), *_over_thresholds(subject)) if figure is not None]
    if not drawn:
        return None
    blocks: list[Block] = [*callouts(subject, CODES)]
    if len(subject.systems) > MOST:
        blocks.append(
            prose(
                f"No more than {MOST} systems can be told apart in one drawing: of {len(subject.systems)} the first "
                f"{MOST} are drawn and explored. Tables and the numbers behind each drawing (CSV) have all of them."
            )
        )
    return Section("discrimination", "Discrimination", (*blocks, *beside(*drawn)))


def marks_of(subject: Subject) -> dict[str, dict[str, float]]:
    """Thresholds that the record has, by what the legend calls them: the first two of each system."""
    found: dict[str, dict[str, float]] = {}
    for name, system in subject.systems.items():
        for at, row in enumerate(system.thresholds[:2], 1):
            label = f"threshold {exact_digits(row.shown)}" if subject.alone else f"threshold {at}"
            found.setdefault(label, {})[name] = row.threshold
    return found


def _over_thresholds(subject: Subject) -> list[FigureBlock | Prose | None]:
    words, points = subject.words, subject.curves("operating_points")
    drawn = list(points)[:MOST]
    mark = {
        label: {name: at for name, at in places.items() if name in drawn} for label, places in marks_of(subject).items()
    }
    mark = {label: places for label, places in mark.items() if places}
    return [
        curve_figure(
            "roc",
            "ROC curve",
            f"{words.recall.capitalize()} against {words.p_fa}; the dotted diagonal is what scores without information "
            "give.",
            spoken(subject, "auc", "eer"),
            roc,
            {name: roc_of(one) for name, one in points.items()},
            words,
            mark=mark,
        ),
        curve_figure(
            "det",
            "DET curve",
            f"{words.p_miss.capitalize()} against {words.p_fa} on normal-deviate axes, in per cent. Below the lines "
            "at one error nothing was measured.",
            spoken(subject, "eer"),
            det,
            {name: det_of(one) for name, one in points.items()},
            words,
            mark=mark,
        ),
        curve_figure(
            "precision-recall",
            "Precision and recall",
            f"{words.precision.capitalize()} against {words.recall}. It holds for the share of {words.targets} "
            "in these data, which is the dotted line.",
            spoken(subject, "average_precision"),
            precision_recall,
            {name: precision_recall_of(one) for name, one in points.items()},
            words,
            mark=mark,
        ),
    ]  # fmt: skip


def _histogram(subject: Subject) -> FigureBlock | Prose | None:
    words, curves = subject.words, subject.curves("score_histogram")
    if not curves:
        return None
    reversed_ = any(system.trials.reversed for system in subject.systems.values())
    options: dict[str, Any] = {"mark": marks_of(subject)} if subject.alone else {}
    return curve_figure(
        "histogram",
        "Distribution of the scores",
        "Share of each class in each bin." + (" The scores are those evaluated, reversed." if reversed_ else ""),
        f"Histogram of the scores of {words.targets} and {words.nontargets}.",
        score_histogram,
        curves,
        words,
        **options,
    )
