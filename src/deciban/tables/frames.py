"""Columns of dataframes of any library (through Narwhals), and of plain mappings and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from deciban.counts.tally import MOST_FETCHED, too_many_trials
from deciban.errors import InputError
from deciban.tables.blanks import without_blanks
from deciban.tables.columns import refuse_duplicates
from deciban.tables.engines import LARGE, engine_faults, engine_name, scores_repeat
from deciban.tables.files.duck import SAMPLED, Fetched, Grouping, Role, TooManyRowsError, register
from deciban.values.arrays import AnyArray, as_column
from deciban.values.objects import CAST

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_NARROW: Final[Mapping[str, type[np.floating]]] = {"Float32": np.float32, "Float16": np.float16}
"""Floats that are widened while they are grouped, by the names that Narwhals has for them."""

_LOCAL: Final = ("polars", "dask")
"""Lazy frames that are computed in this process, where groups are no cheaper to count than to have."""


class MappingSource:
    """Columns by name: a dict of arrays, or what a NumPy or Arrow file yields."""

    first_line = 0
    engine = "numpy"
    fits = True

    def __init__(self, columns: Mapping[str, object], what: str, naming: str = "") -> None:
        self.naming = naming
        self.columns = {str(name): column for name, column in columns.items()}
        self.names = tuple(str(name) for name in columns)
        if not self.names:
            raise InputError(f"{what}: expected columns, found none")
        refuse_duplicates(self.names, what)

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> Fetched:
        """The wanted columns as they are, but for blanks around the texts of names."""
        return without_blanks({(name, role): self.columns[name] for name, role in wanted}, "name")

    def counts(self, score: str, *, in_buckets: bool) -> bool:
        """Whether the columns are better counted where they are: they are where NumPy counts."""
        return False

    def tally(self, wanted: Sequence[tuple[str, Role]], grouping: Grouping) -> Fetched:
        """The wanted columns; every row stands for itself."""
        fetched = self.fetch(wanted)
        found = Fetched({key: as_column(column, key[0]) for key, column in fetched.items()})
        found.notes = fetched.notes
        found.times = np.ones(found[wanted[0]].shape[0], dtype=np.int64)
        _refuse_many(found.times.size, grouping.most)
        return found

    def give_all(self, db: DuckDBPyConnection, view: str) -> None:
        """Give a database all columns, as they are."""
        register(db, view, [as_column(column, name) for name, column in self.columns.items()])


class FrameSource:
    """A dataframe, lazy frame or table of a database, of a library that Narwhals knows."""

    naming = ""
    first_line = 0

    def __init__(self, native: Any, what: str) -> None:
        import narwhals as nw

        # Narwhals refuses duplicates with a message of its own; ours comes first where names are cheap to see.
        _refuse_native_duplicates(native, what)
        self.what = what
        given = _by_position(native, what)
        try:
            with engine_faults(what):
                frame = nw.from_native(
                    native if given is None else _renamed(native, list(given.values())), pass_through=True
                )
        except InputError:
            frame = None
        if not isinstance(frame, (nw.DataFrame, nw.LazyFrame)):
            raise InputError(
                f"expected a path, a dataframe (pandas, Polars, PyArrow, …) or a mapping of columns, found {what}"
            )
        self.frame: Any = frame
        with engine_faults(what):
            self.own = given or {str(name): name for name in self.frame.collect_schema().names()}
        self.names = tuple(self.own)
        self.lazy = isinstance(self.frame, nw.LazyFrame)
        self.fits = not self.lazy
        self.engine = engine_name(self.frame.implementation.value, native)

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> Fetched:
        """The wanted columns, row by row; those of an engine when they are not too many, and that is noted."""
        import narwhals as nw

        found = Fetched()
        with engine_faults(self.what):
            if self.lazy and self.frame.implementation.value not in _LOCAL:
                rows = int(self.frame.select(nw.len()).collect().item())
                if rows > MOST_FETCHED:
                    raise InputError(too_many_trials(self.what, rows, MOST_FETCHED))
                found.notes.append(f"all {rows} rows were read one by one, not counted in {self.engine}")
            chosen = self.frame.select(*self._columns({name: self.own[name] for name, _ in wanted}))
            if self.lazy:
                chosen = chosen.collect()
            for name, role in wanted:
                found[name, role] = self._array(chosen, self.own[name], name, role)
        return without_blanks(found, "name")

    def counts(self, score: str, *, in_buckets: bool) -> bool:
        """Whether rows are better counted where they are: an engine holds them, or they are many and scores repeat."""
        if self.lazy:
            return True
        rows = len(self.frame)
        if rows <= LARGE:
            return False
        # Rows from everywhere, since a table may be sorted.
        looked_at = self.frame.get_column(self.own[score]).gather_every(max(rows // SAMPLED, 1))
        return scores_repeat(rows, len(looked_at), looked_at.n_unique())

    def tally(self, wanted: Sequence[tuple[str, Role]], grouping: Grouping) -> Fetched:
        """The wanted columns of rows that differ, with how many each stands for, by one grouped query."""
        import narwhals as nw

        keys = {name: f"k{position}" for position, name in enumerate(dict.fromkeys(name for name, _ in wanted))}
        with engine_faults(self.what):
            # Grouped by names that are ours: one that a table has could mean something to an engine.
            chosen, called = self.frame.select(*self._columns(keys)), list(keys.values())
            score = keys[wanted[0][0]]
            key = grouping.key if self._has_buckets(wanted) else None
            if key is not None:
                chosen = chosen.with_columns(key.narwhals(nw.col(score)).alias(score))
            grouped = nw.from_native(
                # Dask mixes up the groups of several partitions where keys are 0.0 and −0.0, or NaN and null.
                chosen.to_native().map_partitions(_grouped, called)
                if self.engine == "dask"
                else _grouped(chosen.to_native(), called)
            )
            if self.lazy and self.frame.implementation.value not in _LOCAL:
                # Counted before they are fetched: too many would fill the memory of this process.
                _refuse_many(int(grouped.select(nw.len()).collect().item()), grouping.most)
            table = grouped.collect() if self.lazy else grouped
            _refuse_many(len(table), grouping.most)
            found = Fetched({(name, role): self._array(table, keys[name], name, role) for name, role in wanted})
            found.resolution = None if key is None else key.resolution
            found.times = table.get_column("n").to_numpy().astype(np.int64)
        return without_blanks(found, "name")

    def _has_buckets(self, wanted: Sequence[tuple[str, Role]]) -> bool:
        """Whether scores can be counted in buckets here: they are floats, and the column is read for nothing else."""
        score, *others = (name for name, _ in wanted)
        return bool(self.frame.collect_schema()[self.own[score]].is_float()) and score not in others

    def _columns(self, called: Mapping[str, str]) -> list[Any]:
        """Columns by names of ours, narrow floats widened.

        Some drivers hand over the shortest digits of 32 bits instead, and pandas groups nothing by 16.
        """
        import narwhals as nw

        schema = self.frame.collect_schema()
        columns = []
        for name, key in called.items():
            column, kind = nw.col(self.own[name]), schema[self.own[name]]
            if kind.is_float() and kind != nw.Float64:
                column = column.cast(nw.Float64)
            elif self._as_text(kind):
                column = column.cast(nw.String)
            columns.append(column.alias(key))
        return columns

    def _array(self, table: Any, called: str, name: str, role: Role) -> AnyArray:
        """A column that was fetched as an array; narrow floats that are no numbers get their few digits back."""
        import narwhals as nw

        column = _array(table.get_column(called))
        kind = self.frame.collect_schema()[self.own[name]]
        if role != "number" and column.dtype == np.float64 and str(kind) in _NARROW:
            return column.astype(_NARROW[str(kind)])
        return _decimals(column, name) if self._as_text(kind) and kind == nw.Decimal else column

    def _as_text(self, kind: Any) -> bool:
        """Whether values come as text: decimals of a database, which Ibis would round, and types of its own."""
        import narwhals as nw

        return self.frame.implementation.is_ibis() and (kind in (nw.Decimal, nw.Unknown))


def frame_source(source: object) -> MappingSource | FrameSource:
    """The columns of anything that is not a file."""
    from deciban.tables.files.array_files import array_columns, naming_of

    if isinstance(source, Mapping):
        return MappingSource(source, "mapping")
    if isinstance(source, np.ndarray):
        return MappingSource(array_columns(source, "array"), "array", naming_of(source))
    kind = type(source)
    return FrameSource(source, f"{kind.__module__.split('.')[0]} {kind.__name__}")


def _refuse_native_duplicates(native: object, what: str) -> None:
    # Others cannot have duplicates, and asking a lazy frame for its names may cost a lot.
    named = {"pandas": "columns", "dask": "columns", "dask_expr": "columns", "pyarrow": "column_names"}
    attribute = named.get(type(native).__module__.split(".")[0])
    refuse_duplicates([str(name) for name in getattr(native, attribute or "", [])], what)


def _by_position(native: Any, what: str) -> dict[str, str] | None:
    """Names of our own for columns of engines that take dots and quotes in a name for syntax."""
    kind = type(native)
    if not (kind.__name__ == "DuckDBPyRelation" or (kind.__module__.startswith("pyspark") and hasattr(native, "toDF"))):
        return None
    refuse_duplicates(native.columns, what)
    return {str(name): f"c{position}" for position, name in enumerate(native.columns)}


def _renamed(native: Any, names: Sequence[str]) -> Any:
    """The same columns in order, by other names."""
    if hasattr(native, "toDF"):
        return native.toDF(*names)
    return native.project(", ".join(f"#{position} AS {name}" for position, name in enumerate(names, 1)))


def _grouped(native: Any, keys: Sequence[str]) -> Any:
    """The rows of a frame that differ, and how many there are of each."""
    import narwhals as nw

    return nw.from_native(native).group_by(*keys, drop_null_keys=False).agg(nw.len().alias("n")).to_native()


def _refuse_many(found: int, most: int) -> None:
    if found > most:
        raise TooManyRowsError(most, found)


def _decimals(texts: AnyArray, name: str) -> AnyArray:
    """Decimals from their texts; amounts of money are none."""
    numbers = np.empty(texts.size, dtype=object)
    for row, text in enumerate(texts.tolist()):
        try:
            numbers[row] = None if text is None else Decimal(text)
        except InvalidOperation:
            raise InputError(f"column {name!r}: expected numbers, found {text!r}; {CAST}") from None
    return numbers


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
