"""What a rule looks at: one evaluated table and what it was computed from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deciban.counts.counts import Counts
from deciban.counts.tally import Known
from deciban.errors import SHOWN, listing
from deciban.records.figures import GroupRecord
from deciban.trials.trials import Trials
from deciban.workflow.intervals.ways import How


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One table with what it was computed from.

    ``trials`` is None when only counts are known, and a tally, which names none, where an engine counted them;
    ``score_column`` is None when the scores have no name; ``interval`` is how intervals were asked for.
    """

    counts: Counts
    trials: Known | None
    record: GroupRecord
    score_column: str | None = None
    interval: How = "auto"

    @property
    def counts_by_class(self) -> tuple[tuple[str, int | float], ...]:
        """Class names with how many trials each has."""
        return ("target", self.counts.total_target), ("nontarget", self.counts.total_nontarget)

    def named(self, score: float, *, target: bool) -> list[str]:
        """The first few trials of one class with a score, by id or row; none when only counts are known."""
        return (
            [self.trials.named(i) for i in self._rows(score, target)[:SHOWN]] if isinstance(self.trials, Trials) else []
        )

    def who(self, score: float, *, target: bool) -> str:
        """The same in brackets after a space, with how many there are."""
        if not isinstance(self.trials, Trials):
            return ""
        rows = self._rows(score, target)
        return f" ({listing([self.trials.named(i) for i in rows[:SHOWN]], len(rows))})"

    def _rows(self, score: float, target: bool) -> list[int]:
        if not isinstance(self.trials, Trials):
            return []
        hits = (self.trials.score == score) & (self.trials.is_target == target)
        if self.trials.weight is not None:
            hits &= self.trials.weight > 0
        return np.flatnonzero(hits).tolist()
