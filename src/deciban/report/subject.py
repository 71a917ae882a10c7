"""What a page is about, whichever record it is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from deciban.records.comparison import Comparison, SystemRecord
from deciban.records.evaluation import Evaluation
from deciban.records.figures import GroupRecord, MetricValue
from deciban.records.finding import Finding
from deciban.records.reading import Readable
from deciban.records.validation import Validation
from deciban.report.wording import distinct
from deciban.values.scale import carries_lr, check_scale
from deciban.vocabulary import Vocabulary

System = Evaluation | SystemRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A record and how it is read.

    Attributes
    ----------
    record
        The record of the figures: an evaluation, that within a validation, or a comparison.
    systems
        Each system by name; the only one of an evaluation has the empty name.
    groups
        Groups of an evaluation.
    words
        The reader's words.
    title
        Title of the page; None for one made of the record.
    validation
        The validation that the figures belong to, if any.
    """

    record: Evaluation | Comparison
    systems: Mapping[str, System]
    groups: tuple[GroupRecord, ...]
    words: Vocabulary
    title: str | None = None
    validation: Validation | None = None

    @property
    def whole(self) -> Readable:
        """The record that the page is made of."""
        return self.record if self.validation is None else self.validation

    @property
    def findings(self) -> Sequence[Finding]:
        """Every finding, of groups too."""
        return self.whole.all_findings()

    @property
    def alone(self) -> bool:
        """Whether there is one system only."""
        return len(self.systems) == 1

    @property
    def carries_lr(self) -> bool:
        """Whether the scores of all systems are, or become by their prior, likelihood ratios."""
        trials = [system.trials for system in self.systems.values()]
        return all(carries_lr(check_scale(one.scale), one.prior) for one in trials)

    @property
    def names(self) -> dict[str, str]:
        """What tables call each system."""
        return distinct(self.systems)

    def by_name(self) -> dict[str, Mapping[str, MetricValue]]:
        """Figures of each system by what tables call it."""
        return {short: self.systems[name].metrics for name, short in self.names.items()}

    def curves(self, name: str) -> dict[str, Any]:
        """The curves of one kind of those systems that have one; a drawing shows the first of many."""
        found = {system: getattr(record.curves, name) for system, record in self.systems.items()}
        return {system: curve for system, curve in found.items() if curve is not None}

    def figures(self) -> list[str]:
        """Expressions of the figures of any system, in order."""
        return list(dict.fromkeys(key for system in self.systems.values() for key in system.metrics))


def subject_of(record: Readable, words: Vocabulary, title: str | None) -> Subject:
    """Make of a record what a page is about."""
    if isinstance(record, Validation):
        return replace(subject_of(record.evaluation, words, title), validation=record)
    if isinstance(record, Comparison):
        return Subject(record=record, systems=record.systems, groups=(), words=words, title=title)
    return Subject(record=record, systems={"": record}, groups=record.groups, words=words, title=title)
