"""Trials that an engine has counted: rows that differ, and how many trials each of them stands for.

A table in a database may hold more trials than memory, and few distinct scores. Its engine groups them, and what comes
here are the groups. Their rows go through the one validator as if each were a trial.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deciban.counts.buckets import MAX_BLOCKS
from deciban.errors import InputError, Places
from deciban.trials.trials import Trials, validated
from deciban.values.arrays import AnyArray, Floats, read_only

MOST_FETCHED: Final = MAX_BLOCKS
"""Rows that an engine may hand over: groups where it counts, trials where they are read one by one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tally:
    """Rows that differ in score, class, condition, source or weight, and how many trials each stands for.

    Attributes
    ----------
    rows
        The rows as trials: one each, in no order that means anything, without numbers and ids.
    times
        How many trials each row stands for, int64, >= 1.
    resolution
        Width of the buckets that the engine counted in, None for the scores themselves.
    """

    rows: Trials
    times: NDArray[np.int64]
    resolution: float | None = None

    @classmethod
    def from_columns(
        cls, scores: object, labels: object, times: AnyArray, resolution: float | None = None, **options: Any
    ) -> Tally:
        """Validate grouped rows; options as in ``Trials.from_arrays``."""
        counted = times.astype(np.int64)
        rows = validated(scores, labels, ids=(), places=Places(counted), **options)
        kept = counted if rows.row is None else counted[rows.row]
        return cls(rows=rows, times=read_only(kept), resolution=resolution)

    def __len__(self) -> int:
        return int(self.times.sum())

    def __repr__(self) -> str:
        return f"Tally(n={len(self)}, rows={len(self.rows)}, scale={self.rows.scale!r})"

    @property
    def sources(self) -> tuple[AnyArray, ...]:
        """Source columns of the rows."""
        return self.rows.sources

    @property
    def ids(self) -> tuple[AnyArray, ...]:
        """No columns: what names a trial is not fetched."""
        return ()

    @property
    def conditions(self) -> Mapping[str, AnyArray]:
        """Condition columns of the rows."""
        return self.rows.conditions

    @property
    def weight(self) -> Floats | None:
        """Weight of each trial of a row, or None."""
        return self.rows.weight

    @property
    def dropped(self) -> int:
        """How many trials with a missing score were dropped."""
        return self.rows.dropped

    @property
    def assumed(self) -> tuple[str, ...]:
        """What was recognised rather than given."""
        return self.rows.assumed

    @property
    def n_failed(self) -> tuple[int, int]:
        """How many targets and nontargets had a missing score and count as never accepted."""
        if self.rows.failed is None:
            return 0, 0
        failed, target = self.rows.failed, self.rows.is_target
        return int(self.times[failed & target].sum()), int(self.times[failed & ~target].sum())

    def select(self, keep: AnyArray) -> Tally:
        """Return the rows where ``keep`` (a mask or an index) says so."""
        return replace(self, rows=self.rows.select(keep), times=read_only(self.times[keep]))

    def trials(self) -> Trials:
        """Return every trial as a row of its own, which has no number; for what counts cannot tell.

        Raises
        ------
        InputError
            When there are more than 20 million.
        """
        if len(self) > MOST_FETCHED:
            raise InputError(too_many_trials("table", len(self), MOST_FETCHED))
        return self.rows.select(np.repeat(np.arange(self.times.size), self.times))


def too_many_trials(what: str, rows: int, most: int) -> str:
    """Why so many rows are not read one by one, and what can be done."""
    return (
        f"{what}: {rows} rows are too many to be read one by one (at most {most}), which ids (--id), weights that are "
        "resampled and comparisons of the same trials need: leave those out, so that rows are counted where they are "
        "(scores that hardly repeat in buckets, with resolution='auto' or --resolution auto), or draw a sample"
    )


Known = Trials | Tally
"""What is known of trials beside their counts."""
