"""What a rule looks at: one evaluated table and what it was computed from."""

from __future__ import annotations

from dataclasses import dataclass

from deciban.counts import Counts
from deciban.records.evaluation import GroupRecord
from deciban.trials import Trials


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One table with what it was computed from.

    ``trials`` is None when only counts are known, ``score_column`` when the scores have no name.
    """

    counts: Counts
    trials: Trials | None
    record: GroupRecord
    score_column: str | None = None

    @property
    def counts_by_class(self) -> tuple[tuple[str, int | float], ...]:
        """Class names with how many trials each has."""
        return ("target", self.counts.total_target), ("nontarget", self.counts.total_nontarget)
