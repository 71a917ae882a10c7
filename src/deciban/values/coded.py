"""A column of few different values, as most labels and conditions are: the values, and which of them each row has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from deciban.values.arrays import AnyArray, locked


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column whose values are held once each; as an array (``np.asarray``) it has one for each row.

    Attributes
    ----------
    values
        What occurs, None for nothing. The same value may be there twice, and one that no row has.
    codes
        For each row the place of its value in ``values``.
    """

    values: AnyArray
    codes: AnyArray

    def __len__(self) -> int:
        return int(self.codes.size)

    def __getitem__(self, rows: AnyArray) -> Coded:
        return replace(self, codes=self.codes[rows])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        whole: AnyArray = locked(self.values[self.codes])
        return whole if dtype is None else whole.astype(dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many rows there are."""
        return self.codes.shape

    def with_values(self, values: AnyArray) -> Coded:
        """The column with other values in the same places."""
        return replace(self, values=values)

    def present(self) -> AnyArray:
        """How many rows have each of the values."""
        return np.bincount(self.codes, minlength=self.values.size)


Column = AnyArray | Coded
"""What is fetched of a column: a value for each row, or which of few values each row has."""


def whole(column: Column) -> AnyArray:
    """A column as an array with a value for each row."""
    return np.asarray(column) if isinstance(column, Coded) else column


def as_coded(column: Column) -> Coded:
    """A column as values and codes; an array has a value of its own in each row."""
    return column if isinstance(column, Coded) else Coded(column, np.arange(column.size))
