"""What stands first: title, what was read, one sentence of numbers, warnings, headline figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from deciban.records.comparison import Comparison
from deciban.records.display import several, shortened
from deciban.records.evaluation import Evaluation
from deciban.records.figures import MetricValue
from deciban.report.callouts import warnings_of
from deciban.report.cards import Card, Cards, Gauge
from deciban.report.naming import expression_of, headline_keys, is_rate, short_title, target_of
from deciban.report.section import Block, Callouts, TableBlock
from deciban.report.subject import Subject
from deciban.report.tabled import in_columns
from deciban.report.wording import THIN, both_classes, count_text, exact_or_reason, interval_text, null_text, value_text

SAID: Final = {"auc": "AUC", "eer": "EER", "cllr": "Cllr", "brier": "Brier score"}
"""Figures of the one sentence, and what it calls them."""


@dataclass(frozen=True, slots=True)
class Top:
    """The top of the page."""

    kind: str
    title: str
    verdict: str
    blocks: tuple[Block, ...]


def heading(subject: Subject) -> Top:
    """Say in numbers what was found, and what a reader must know beside them."""
    kind = "Comparison" if isinstance(subject.record, Comparison) else "Evaluation"
    verdict = f"{sentence(subject)}; {warned(subject)}."
    return Top(kind, subject.title or title(subject), verdict, (*told_first(subject), *headline(subject)))


def told_first(subject: Subject) -> tuple[Callouts, ...]:
    """Every warning in few words."""
    warnings = warnings_of(subject)
    return (Callouts(warnings),) if warnings else ()


def headline(subject: Subject) -> tuple[Cards | TableBlock, ...]:
    """The main figures, of one system or of each."""
    return tuple(_cards(subject) if isinstance(subject.record, Evaluation) else _systems(subject))


def sentence(subject: Subject) -> str:
    """The main numbers in a sentence, which has no end yet."""
    record = subject.record
    return _compared(record, subject) if isinstance(record, Comparison) else _evaluated(record, subject)


def title(subject: Subject) -> str:
    """Files, or systems, by name."""
    if isinstance(subject.record, Comparison):
        return " · ".join(shortened(name) for name in list(subject.systems)[:6]) + (
            f" and {len(subject.systems) - 6} more" if len(subject.systems) > 6 else ""
        )
    names = [shortened(PurePath(one.path).name or one.path, 60) for one in subject.record.provenance.inputs]
    if not names:
        return f"{count_text(subject.record.trials.n)} trials"
    return names[0] if len(names) == 1 else f"{names[0]} and {several(len(names) - 1, 'more file')}"


def _evaluated(record: Evaluation, subject: Subject) -> str:
    trials = record.trials
    said = [f"{word} {_with_interval(key, record.metrics[key])}" for key, word in SAID.items() if _has(record, key)]
    return f"{', '.join(said) or 'No figure'} over {both_classes(trials.n_target, trials.n_nontarget, subject.words)}"


def _has(record: Evaluation, key: str) -> bool:
    """Whether the sentence says a figure: the Brier score of LRs depends on a prior, and is left to its section."""
    if key == "brier" and record.trials.scale != "probability":
        return False
    return key in record.metrics and record.metrics[key].value is not None


def _with_interval(key: str, figure: MetricValue) -> str:
    rate = is_rate(key)
    unit = f" {figure.unit}" if figure.unit else ""
    return f"{value_text(figure, rate=rate)} {interval_text(figure.interval, rate=rate)}".strip() + unit


def warned(subject: Subject) -> str:
    """How many warnings there are."""
    number = sum(finding.severity == "warn" for finding in subject.findings)
    return several(number, "warning") if number else "no warnings"


def _compared(record: Comparison, subject: Subject) -> str:
    key = next((key for key in SAID if any(key in system.metrics for system in record.systems.values())), None)
    first = next(iter(record.systems.values())).trials
    if key is None:
        said = f"{len(record.systems)} systems"
    else:
        values = (
            f"{shortened(name)} {value_text(system.metrics[key], rate=is_rate(key))}"
            for name, system in list(record.systems.items())[:6]
            if key in system.metrics
        )
        said = f"{SAID[key]}: {', '.join(values)}{_apart(record, key)}"
    if record.pairing.n is None:
        return f"{said}; each system has trials of its own"
    return f"{said}, over the same {both_classes(first.n_target, first.n_nontarget, subject.words)}"


def _apart(record: Comparison, key: str) -> str:
    """The difference of two systems."""
    if len(record.systems) != 2:
        return ""
    one = next((one for one in record.differences if one.metric == key and one.value is not None), None)
    if one is None:
        return ""
    rate = is_rate(key)
    figure = MetricValue(value=one.value, interval=one.interval)
    p_value = "" if one.p_value is None else f", p = {one.p_value:.2g}"
    return f" (difference {value_text(figure, rate=rate)} {interval_text(one.interval, rate=rate)}{p_value})"


def _cards(subject: Subject) -> Iterator[Cards]:
    (system,) = subject.systems.values()
    keys = headline_keys(system.metrics, system.trials.scale, subject.carries_lr)
    if keys:
        yield Cards(tuple(_card(key, system.metrics[key]) for key in keys))


def _systems(subject: Subject) -> Iterator[TableBlock]:
    """Headline figures of each system."""
    first = next(iter(subject.systems.values())).trials
    keys = headline_keys(subject.figures(), first.scale, subject.carries_lr)
    yield from in_columns("headline", "Headline figures", keys, subject.by_name())


def _card(key: str, figure: MetricValue) -> Card:
    rate, interval = is_rate(key), figure.interval
    note = f"If calibrated: {null_text(figure.null_band)}" if figure.null_band else exact_or_reason(figure)
    return Card(
        label=short_title(key),
        target=target_of(key),
        value=value_text(figure, rate=rate),
        unit=figure.unit,
        level=f"{100 * interval.level:g}{THIN}% interval" if interval else "",
        interval=interval_text(interval, rate=rate),
        note=note[:1].upper() + note[1:],
        gauge=_gauge(key, figure),
    )


def _gauge(key: str, figure: MetricValue) -> Gauge | None:
    """Where the value lies from no information to perfect; None where these depend on the data."""
    found = expression_of(key)
    if found is None or figure.value is None:
        return None
    perfect, none = found.spec.anchors
    if perfect is None or none is None or perfect == none:
        return None
    ends = (figure.value, figure.value) if figure.interval is None else (figure.interval.low, figure.interval.high)
    value, *limits = (min(max((at - none) / (perfect - none), 0.0), 1.0) for at in (figure.value, *ends))
    return Gauge(value, min(limits), max(limits), f"no information {none:g}", f"perfect {perfect:g}")
