"""The four counts and every ratio of them at each threshold."""

from __future__ import annotations

from collections.abc import Iterator

from deciban.metrics.biometric import FAILURES
from deciban.records.display import exact_digits
from deciban.records.figures import MetricValue, ThresholdRow
from deciban.report.callouts import callouts
from deciban.report.naming import title_of
from deciban.report.section import Block, Cell, Prose, Section, TableBlock, prose
from deciban.report.subject import Subject
from deciban.report.tabled import ACROSS, named, with_interval
from deciban.report.wording import capital, count_text, value_text
from deciban.trials.direction import reversal

OWN = ("p_miss", "p_fa", "recall", "specificity", "precision")
"""Ratios that fields have words of their own for."""
CODES = ("RES-30", "RES-FPR", "RES-FNR", "ZERO-ERR", "POST-HOC")


def thresholds(subject: Subject) -> Section | None:
    """Make the section; None where there is no threshold."""
    columns = {
        (f"{subject.names[name]}: {row.accept}" if name else row.accept or f"score >= {exact_digits(row.shown)}"): row
        for name, system in subject.systems.items()
        for row in system.thresholds
    }
    if not columns:
        return None
    blocks: list[Block] = [*callouts(subject, CODES), *_origins(subject), *_tables(subject, columns)]
    return Section("thresholds", "At each threshold", tuple(blocks))


def cell_names(subject: Subject) -> dict[str, str]:
    """The four counts in the reader's words."""
    words = subject.words
    return {
        "tp": f"{words.targets} accepted",
        "fp": f"{words.nontargets} accepted",
        "fn": f"{words.targets} rejected",
        "tn": f"{words.nontargets} rejected",
    }


def _origins(subject: Subject) -> Iterator[Prose]:
    """Where the thresholds come from."""
    rows = [row for system in subject.systems.values() for row in system.thresholds]
    origins = dict.fromkeys(row.origin for row in rows)
    said = {"given": "given beforehand", "default": "the default of the scale"}
    yield prose(f"Thresholds: {'; '.join(said.get(origin, f'chosen by {origin}') for origin in origins)}.")
    if any(row.post_hoc for row in rows):
        yield prose("A threshold that was chosen on these very trials flatters the figures at it.")
    if any(system.trials.reversed for system in subject.systems.values()) and subject.alone:
        yield prose(f"{capital(reversal(subject.record.provenance.columns))}: thresholds are for the scores as given.")


def _tables(subject: Subject, columns: dict[str, ThresholdRow]) -> Iterator[TableBlock]:
    names = list(columns)
    for start in range(0, len(names), ACROSS):
        part = names[start : start + ACROSS]
        rows = [
            (Cell(capital(said), code=cell), *(Cell(cell_text(columns[n].cell(cell))) for n in part))
            for cell, said in cell_names(subject).items()
        ]
        ratios = dict.fromkeys(key for name in part for key in columns[name].metrics)
        rows += [_ratio(subject, key, [columns[name] for name in part]) for key in ratios]
        failures = dict.fromkeys(key for name in part for key in columns[name].acquisition)
        rows += [
            (Cell(FAILURES[key], code=key), *(with_interval(columns[name].acquisition.get(key)) for name in part))
            for key in failures
        ]
        caption = "Accepted when" + (" (continued)" if start else "")
        yield TableBlock(f"threshold-table-{start // ACROSS + 1}", caption, ("", *part), tuple(rows))


def cell_text(cell: MetricValue) -> str:
    """A count, or between what it lies where scores are in buckets."""
    return value_text(cell) if cell.value is None else count_text(cell.value)


def _ratio(subject: Subject, key: str, rows: list[ThresholdRow]) -> tuple[Cell, ...]:
    """One ratio, called as the reader's field does where it has a word of its own."""
    own = subject.words.ratio(key) if key in OWN else title_of(key)
    head = named(key)
    return (
        Cell(capital(own), code=key, target=head.target),
        *(with_interval(row.metrics.get(key)) for row in rows),
    )
