"""One side of a format: the files that hold scores, or the key, read as one table whose faults are told by line."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from deciban.errors import SHOWN, InputError, Problems, listing
from deciban.tables.files.duck import NOTHING, Fetched, Role
from deciban.tables.files.id_hashes import alike
from deciban.tables.files.inputs import Input, InputFile, recorded_name
from deciban.tables.files.number_faults import MISSING_TEXT, NumberFault, says_nothing
from deciban.tables.files.source import FILE_COLUMN, Part, fetched_column, join
from deciban.tables.formats.layout import Layout
from deciban.tables.formats.text_files import first_rows, line_numbers
from deciban.trials.labels import as_number
from deciban.values.arrays import AnyArray, Bools, nulls
from deciban.values.coded import Coded, Column, as_coded, whole


class Side:
    """Files of one layout, one under the other."""

    def __init__(self, files: Sequence[InputFile], layout: Layout, parts: Sequence[Part]) -> None:
        self.files, self.layout, self.parts = files, layout, parts
        paths = [file.name for file in files]
        self.what = paths[0] if len(paths) == 1 else f"{len(paths)} files ({listing(paths)})"
        own = parts[0].names
        self.several = len(files) > 1 and FILE_COLUMN not in own
        self.names = (*own, FILE_COLUMN) if self.several else own
        for file, part in zip(files, parts, strict=True):
            if part.names != own:
                raise InputError(f"{file.name}: expected the columns of {paths[0]}, found {listing(part.names)}")
        self.sizes: list[int] = []
        self.inputs: tuple[Input, ...] = ()

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> Fetched:
        """The wanted columns; values that are no numbers raise with their lines."""
        inner = [one for one in wanted if not (self.several and one[0] == FILE_COLUMN)]
        with ThreadPoolExecutor(1) as pool:
            prints = [pool.submit(file.fingerprint) for file in self.files]
            read = [self._read(number, inner) for number in range(len(self.parts))]
            digests = [digest.result() for digest in prints]
        self.sizes = [len(next(iter(table.values()))) if table else 0 for table in read]
        self.inputs = tuple(
            Input(recorded_name(file), digest, file.size, size)
            for file, digest, size in zip(self.files, digests, self.sizes, strict=True)
        )
        if sum(self.sizes) == 0:
            raise InputError(f"{self.what}: there are no rows")
        filled = [table for table, size in zip(read, self.sizes, strict=True) if size]
        joined = Fetched({key: _joined([table[key] for table in filled], key[1]) for key in inner})
        joined |= {key: np.repeat([file.name for file in self.files], self.sizes) for key in wanted if key not in inner}
        joined.notes = list(dict.fromkeys(note for table in filled for note in table.notes))
        return joined

    def holding_values(self, names: Sequence[str]) -> list[str]:
        """Which of some columns hold anything in the first lines."""
        rows = first_rows(self.parts[0])
        place = {name: position for position, name in enumerate(self.parts[0].names)}
        return [name for name in names if any(row[place[name]].strip().lower() not in MISSING_TEXT for row in rows)]

    def places(self, rows: Sequence[int]) -> list[str]:
        """Where rows are: ``line 3``, with the name of the file where there are several."""
        ends = np.cumsum(self.sizes)
        files = np.searchsorted(ends, rows, side="right")
        said = dict[int, str]()
        for number in np.unique(files).tolist():
            # At once for each file, which is read from its start to count its lines.
            of_file = [row for row, file in zip(rows, files.tolist(), strict=True) if file == number]
            before = int(ends[number] - self.sizes[number])
            lines = line_numbers(self.parts[number], [row - before for row in of_file])
            name = f" of {self.files[number].name}" if len(self.files) > 1 else ""
            said |= {row: f"line {line}{name}" for row, line in zip(of_file, lines, strict=True)}
        return [said[row] for row in rows]

    def refuse_other_words(self, name: str, column: Coded, *, may_be_silent: bool) -> None:
        """Raise with the lines of labels that are none of the words of the format, nor nothing where that may be."""
        words = self.layout.words.get(name)
        if words is None:
            return
        values = column.values
        known: Bools = says_nothing(values) if may_be_silent else np.zeros(values.shape, dtype=bool)
        for word in words:
            known |= values == (word if values.dtype.kind in "OU" else as_number(word))
        if known.all():
            return
        problems = Problems(self.what, "labels cannot be read")
        problems.advice = "say what other words mean with target=, nontarget= or ignore= (--target, …)"
        self._refuse_values(problems, name, column, ~known, " or ".join(words))

    def refuse_missing(self, name: str, column: Coded) -> None:
        """Raise with the lines on which a column that every trial must have holds nothing."""
        missing = says_nothing(column.values)
        if missing.any():
            self._refuse_values(Problems(self.what, "values are missing"), name, column, missing, "an identity")

    def refuse_no_id(self, name: str, keys: AnyArray) -> None:
        """Raise with the lines that have no id, of which ``keys`` are the hashes or texts."""
        if keys.dtype.kind == "S" or not (keys == NOTHING).any():
            return
        column = as_coded(self.fetch([(name, "name")])[name, "name"])
        missing = nulls(column.values)
        if missing.any():
            self._refuse_values(Problems(self.what, "ids are missing"), name, column, missing, "an id")

    def _refuse_values(self, problems: Problems, name: str, column: Coded, wrong: Bools, expected: str) -> None:
        rows = np.flatnonzero(wrong[column.codes])
        for row, place in zip(rows[:SHOWN].tolist(), self.places(rows[:SHOWN].tolist()), strict=True):
            value = column.values[column.codes[row]]
            found = "nothing" if value is None else repr(str(value))
            problems.add(f"{place}, {self._column(name)}: expected {expected}, found {found}")
        problems.more = rows.size - len(problems.found)
        problems.raise_if_any()

    def _read(self, number: int, wanted: Sequence[tuple[str, Role]]) -> Fetched:
        part, file = self.parts[number], self.files[number]
        found = part.fetch(wanted)
        columns = Fetched({key: fetched_column(column, key[0]) for key, column in found.items()})
        if isinstance(found, Fetched):
            columns.notes = found.notes
            self._refuse_faults(part, file.name, found.faults)
        return columns

    def _refuse_faults(self, part: Part, what: str, faults: Sequence[NumberFault]) -> None:
        problems = Problems(what, "values cannot be read")
        for fault in faults:
            rows = fault.indices[:SHOWN].tolist()
            expected = "a number" if fault.is_text else "a number that float64 can hold"
            for line, text in zip(line_numbers(part, rows), fault.texts, strict=False):
                shown = text if len(text) <= 40 else text[:40] + "…"
                problems.add(f"line {line}, {self._column(fault.column)}: expected {expected}, found {shown!r}")
            problems.more += max(fault.indices.size - len(rows), 0)
        problems.raise_if_any()

    def _column(self, name: str) -> str:
        """Which column of the file a name means."""
        return f"column {self.names.index(name) + 1} ({name})" if name in self.names else f"column {name!r}"


def _joined(columns: Sequence[Column], role: Role) -> Column:
    """Columns of several files, one under the other; missing numbers as NaN, so that two columns can be compared."""
    column = join(alike([whole(one) for one in columns]) if role == "key" else columns)
    if role != "number" or not isinstance(column, np.ma.MaskedArray):
        return column
    return np.ma.filled(column.astype(np.float64), np.nan) if np.ma.is_masked(column) else column.data
