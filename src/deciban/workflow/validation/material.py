"""What criteria are decided from: the evaluation, the trials, the baseline, the data of development."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.counts.counts import Counts
from deciban.counts.of_trials import present
from deciban.errors import OptionError
from deciban.records.comparison import Comparison
from deciban.records.display import amount
from deciban.records.evaluation import Evaluation
from deciban.records.figures import MetricValue
from deciban.records.validation_rows import Development, SourceColumn
from deciban.trials.source_keys import source_keys
from deciban.trials.trials import Trials
from deciban.values.arrays import absent


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What there is to decide by.

    Attributes
    ----------
    what
        What the validation data are called.
    evaluation, counts
        Every figure of the validation data, and what they were computed from.
    baseline, comparison
        What the baseline is called, and its comparison with the system; None where there is none.
    sources
        Sources of the validation data by column.
    development
        What the method was developed on, where that is known.
    """

    what: str
    evaluation: Evaluation
    counts: Counts
    baseline: str | None
    comparison: Comparison | None
    sources: tuple[SourceColumn, ...]
    development: Development | None

    @property
    def data(self) -> str:
        """The validation data in words, for the matrix."""
        n1, n0 = (amount(n) for n in (self.counts.total_target, self.counts.total_nontarget))
        return f"{self.what}: {n1} targets, {n0} nontargets"

    @property
    def recurring(self) -> bool:
        """Whether sources recur, so that what takes trials as independent says too much."""
        return any(column.most > 1 for column in self.sources)

    def figure(self, expression: str) -> MetricValue:
        """A figure of the evaluation; without a value where the scale of the scores does not carry it."""
        try:
            return self.evaluation[expression]
        except OptionError:
            return MetricValue(value=None, reason="scale")


def source_columns(trials: Trials | None, names: Sequence[str]) -> tuple[SourceColumn, ...]:
    """How many sources each column names, of all trials and of each class."""
    if trials is None:
        return ()
    trials = present(trials)
    called = list(names) or [f"source {number}" for number in range(1, len(trials.sources) + 1)]
    return tuple(_column(name, column, trials) for name, column in zip(called, trials.sources, strict=True))


def _column(name: str, column: Any, trials: Trials) -> SourceColumn:
    present = ~absent(column)
    (keys,) = source_keys([np.asarray(column)[present]])
    distinct, inverse, per_source = np.unique(keys, return_inverse=True, return_counts=True)
    is_target = trials.is_target[present]
    sizes = per_source if per_source.size else np.zeros(1, dtype=np.int64)
    return SourceColumn(
        column=name,
        n=distinct.size,
        n_target=np.unique(inverse[is_target]).size,
        n_nontarget=np.unique(inverse[~is_target]).size,
        fewest=int(sizes.min()),
        median=float(np.median(sizes)),
        most=int(sizes.max()),
    )
