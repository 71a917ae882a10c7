"""Columns of dataframes of any library (through Narwhals), and of plain mappings and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays import AnyArray, as_column
from deciban.columns import refuse_duplicates
from deciban.errors import InputError
from deciban.files.duck import Role, register

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class MappingSource:
    """Columns by name: a dict of arrays, or what a NumPy or Arrow file yields."""

    first_line = 0

    def __init__(self, columns: Mapping[str, object], what: str, naming: str = "") -> None:
        self.naming = naming
        self.columns = {str(name): column for name, column in columns.items()}
        self.names = tuple(str(name) for name in columns)
        if not self.names:
            raise InputError(f"{what}: expected columns, found none")
        refuse_duplicates(self.names, what)

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> dict[tuple[str, Role], object]:
        """The wanted columns, as they are."""
        return {(name, role): self.columns[name] for name, role in wanted}

    def give_all(self, db: DuckDBPyConnection, view: str) -> None:
        """Give a database all columns, as they are."""
        register(db, view, [as_column(column, name) for name, column in self.columns.items()])


class FrameSource:
    """A dataframe or lazy frame of a library that Narwhals knows."""

    naming = ""
    first_line = 0

    def __init__(self, native: object, what: str) -> None:
        import narwhals as nw

        # Narwhals refuses duplicates with a message of its own; ours comes first where names are cheap to see.
        _refuse_native_duplicates(native, what)
        try:
            self.frame: Any = nw.from_native(native)
        except TypeError:
            raise InputError(
                f"expected a path, a dataframe (pandas, Polars, PyArrow, …) or a mapping of columns, found {what}"
            ) from None
        self.own = {str(name): name for name in self.frame.collect_schema().names()}
        self.names = tuple(self.own)
        self.what = what

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> dict[tuple[str, Role], object]:
        """The wanted columns, collected when the frame is lazy."""
        import narwhals as nw

        chosen = self.frame.select(*[nw.col(self.own[name]) for name in dict.fromkeys(name for name, _ in wanted)])
        if isinstance(chosen, nw.LazyFrame):
            chosen = chosen.collect()
        return {(name, role): _array(chosen.get_column(self.own[name])) for name, role in wanted}


def frame_source(source: object) -> MappingSource | FrameSource:
    """The columns of anything that is not a file."""
    from deciban.files.array_files import array_columns, naming_of

    if isinstance(source, Mapping):
        return MappingSource(source, "mapping")
    if isinstance(source, np.ndarray):
        return MappingSource(array_columns(source, "array"), "array", naming_of(source))
    kind = type(source)
    return FrameSource(source, f"{kind.__module__.split('.')[0]} {kind.__name__}")


def _refuse_native_duplicates(native: object, what: str) -> None:
    # Others cannot have duplicates, and asking a lazy frame for its names may cost a lot.
    attribute = {"pandas": "columns", "pyarrow": "column_names"}.get(type(native).__module__.split(".")[0])
    refuse_duplicates([str(name) for name in getattr(native, attribute or "", [])], what)


def _array(series: Any) -> AnyArray:
    """One column as a NumPy array, nulls kept apart from values: masked numbers, None among objects."""
    import narwhals as nw

    if series.dtype in (nw.Categorical, nw.Enum):
        series = series.cast(nw.String)
    absent = series.is_null().to_numpy()
    if not absent.any():
        return as_column(series.to_numpy(), series.name)
    if series.dtype.is_float():
        return np.asarray(series.to_numpy(), dtype=np.float64)
    # Through Python objects: a library may turn integers with nulls into floats, and lose digits on the way.
    values = series.to_list()
    column = np.empty(len(values), dtype=object)
    column[:] = [None if gone else value for value, gone in zip(values, absent, strict=True)]
    return column
