"""The three columns that a calibrated table has more: log LRs in two units, and whether they are supported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deciban.calibration.crossfit import HeldOut
from deciban.errors import OptionError
from deciban.records.finding import Finding
from deciban.tables.column_names import ADDED
from deciban.tables.files.source import FileSource
from deciban.tables.table import Table
from deciban.values.arrays import AnyArray, Bools, Floats, undefined_where
from deciban.values.log_domain import LN10


@dataclass(frozen=True, slots=True)
class Cases:
    """A calibrated table.

    Attributes
    ----------
    source
        The table.
    added
        For each row the log LRs in natural and in base-10 logarithms, and whether the trials fitted support it. Rows
        without a score have none of the three; a score without an LR is not supported.
    findings
        What a reader must know of them.
    said
        What was settled without being given, or allowed, one sentence each.
    without
        How many rows have no score.
    unsupported
        How many have an LR that is not supported.
    """

    source: FileSource
    added: Mapping[str, AnyArray]
    findings: tuple[Finding, ...]
    said: tuple[str, ...]
    without: int
    unsupported: int


def cross_fitted_columns(table: Table, found: HeldOut, suffix: str) -> Mapping[str, AnyArray]:
    """The columns to add to a table whose trials were cross-fitted; rows that are no trial have none."""
    known = np.zeros(sum(file.rows for file in table.inputs), dtype=bool)
    known[found.rows] = True
    return added_columns(added_names(table.names, suffix), known, found.ln_lr, found.supported)


def added_names(columns: Sequence[str], suffix: str) -> tuple[str, ...]:
    """The names of the three columns, none of which the table may have."""
    names = tuple(name + suffix for name in ADDED)
    there = {column.casefold() for column in columns}
    taken = [name for name in names if name.casefold() in there]
    if taken:
        raise OptionError(
            f"suffix: the table has a column {taken[0]!r} already; say suffix='_cal' (--suffix _cal), or rename it"
        )
    return names


def added_columns(names: Sequence[str], known: Bools, ln_lr: Floats, supported: Bools) -> dict[str, AnyArray]:
    """The three columns, whose values are those given where ``known`` says so, in order; NaN is no LR."""
    whole = np.full(known.size, np.nan)
    whole[known] = ln_lr
    is_supported = np.zeros(known.size, dtype=bool)
    is_supported[known] = supported
    columns = (
        undefined_where(np.isnan(whole), whole),
        undefined_where(np.isnan(whole), whole / LN10),
        np.ma.MaskedArray(is_supported, ~known),
    )
    return dict(zip(names, columns, strict=True))
