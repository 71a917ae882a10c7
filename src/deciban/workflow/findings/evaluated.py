"""What a rule looks at: one evaluated table and what it was computed from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deciban.counts import Counts
from deciban.errors import listing
from deciban.records.evaluation import GroupRecord
from deciban.trials import Trials


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One table with what it was computed from; ``trials`` is None when only counts are known."""

    counts: Counts
    trials: Trials | None
    record: GroupRecord

    @property
    def counts_by_class(self) -> tuple[tuple[str, int | float], ...]:
        """Class names with how many trials each has."""
        return ("target", self.counts.total_target), ("nontarget", self.counts.total_nontarget)

    def who(self, score: float, *, target: bool) -> str:
        """The trials of one class with a score, in brackets after a space; nothing when only counts are known."""
        if self.trials is None:
            return ""
        hits = (self.trials.score == score) & (self.trials.is_target == target)
        if self.trials.weight is not None:
            hits &= self.trials.weight > 0
        where = np.flatnonzero(hits)
        return f" ({listing([self.trials.named(int(i)) for i in where[:5]], where.size)})"
