"""BOSARIS HDF5: a matrix of scores with its mask, and a key with a matrix of −1, 0 and +1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from deciban.errors import InputError, MissingExtraError, OptionError, Problems, counted, listing
from deciban.tables.columns import Declared
from deciban.tables.files.duck import Fetched, Role
from deciban.tables.files.inputs import Input, InputFile, recorded_name
from deciban.tables.formats.bosaris import IDS
from deciban.tables.formats.reader import FormatFiles, Reader
from deciban.values.arrays import AnyArray

SCORE: Final = "score"
LABEL: Final = "label"


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix of a file with the names of its rows (models) and columns (segments), and which cells hold anything."""

    file: InputFile
    rows: AnyArray
    columns: AnyArray
    cells: AnyArray
    held: AnyArray

    def named(self, where: Sequence[AnyArray]) -> str:
        """The first trials at some places."""
        some = zip(where[0][:5], where[1][:5], strict=True)
        return listing([repr(f"{self.rows[i]} {self.columns[j]}") for i, j in some], where[0].size)


class MatrixScores(FormatFiles):
    """Scores of the trials of a key, in the order of its rows."""

    names = (*IDS, SCORE, LABEL)

    def __init__(self, scores: InputFile, key: InputFile, unmatched: str) -> None:
        self.files, self.unmatched = (scores, key), unmatched
        self.what = f"{scores.name} with key {key.name}"
        self.said: tuple[str, ...] = ()
        self._inputs: tuple[Input, ...] = ()

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The two files, once they are read."""
        return self._inputs

    def completed(self, declared: Declared) -> Declared:
        """The declaration with the columns that there are."""
        return replace(
            declared,
            reader="bosaris-hdf5",
            key=recorded_name(self.files[1]),
            score=declared.score or SCORE,
            label=declared.label or LABEL,
            ids=IDS if declared.ids is None else declared.ids,
        )

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> Fetched:
        """The wanted columns of the trials of the key."""
        scores = _matrix(self.files[0], "scores", "score_mask")
        key = _matrix(self.files[1], "trial_mask", None)
        rows, columns = _positions(key.rows, scores.rows), _positions(key.columns, scores.columns)
        known = (rows >= 0)[:, None] & (columns >= 0)[None, :]
        scored = known & scores.held[rows[:, None], columns[None, :]]
        notes = self._unmatched(scores, key, scored)
        at = np.nonzero(key.held & scored)
        held = {
            IDS[0]: key.rows[at[0]],
            IDS[1]: key.columns[at[1]],
            SCORE: scores.cells[rows[at[0]], columns[at[1]]],
            LABEL: np.where(key.cells[at] > 0, "target", "nontarget"),
        }
        counts = (int(np.count_nonzero(scores.held)), int(np.count_nonzero(key.held)))
        self._inputs = tuple(
            Input(file.name, file.fingerprint(), file.size, n) for file, n in zip(self.files, counts, strict=True)
        )
        found = Fetched({one: held[one[0]] for one in wanted})
        found.notes = notes
        return found

    def where_rows_are(self, message: str) -> str:
        """Nothing: trials of a matrix have no lines."""
        return ""

    def _unmatched(self, scores: Matrix, key: Matrix, scored: AnyArray) -> list[str]:
        """Refuse what only one file has, or say what is dropped."""
        missing = np.nonzero(key.held & ~scored)
        in_key = np.zeros(scores.held.shape, dtype=bool)
        rows, columns = _positions(scores.rows, key.rows), _positions(scores.columns, key.columns)
        both = np.ix_(rows >= 0, columns >= 0)
        in_key[both] = key.held[np.ix_(rows[rows >= 0], columns[columns >= 0])]
        further = np.nonzero(scores.held & ~in_key)
        n = int(np.count_nonzero(key.held & scored))
        if missing[0].size == further[0].size == 0:
            return []
        if self.unmatched == "drop" and n:
            said = f"{missing[0].size} trials without a score, {further[0].size} scores not in the key"
            return [f"dropped: {said}; {n} trials are in both"]
        problems = Problems(f"{scores.file.name} and {key.file.name} do not hold the same trials")
        if n == 0:
            problems.add("no trial is in both, so that they do not belong together")
        if missing[0].size:
            problems.add(f"{counted(missing[0].size, 'trial')} of the key without a score: {key.named(missing)}")
        if further[0].size:
            problems.add(f"{counted(further[0].size, 'trial')} of the scores not in the key: {scores.named(further)}")
        problems.advice = "take what both have with unmatched='drop' (--unmatched drop)"
        problems.raise_if_any()
        return []


def _positions(names: AnyArray, among: AnyArray) -> AnyArray:
    """Where each name is among others; −1 where it is not."""
    place = {name: position for position, name in enumerate(among)}
    return np.array([place.get(name, -1) for name in names], dtype=np.int64)


def _matrix(file: InputFile, cells: str, mask: str | None) -> Matrix:
    try:
        import h5py
    except ImportError:
        raise MissingExtraError('reading HDF5 files needs h5py: pip install "deciban[hdf5]"') from None
    try:
        with h5py.File(file.path, "r") as content:
            needed = ["ID/row_ids", "ID/column_ids", cells, *([] if mask is None else [mask])]
            lacking = [name for name in needed if name not in content]
            if lacking:
                raise InputError(f"{file.name}: expected a data set /{lacking[0]}, found {listing(sorted(content))}")
            rows, columns, whole, *masked = (content[name][()] for name in needed)
    except OSError as error:
        raise InputError(f"{file.name}: not a readable HDF5 file, or damaged ({error})") from None
    if mask is None and whole.dtype.kind != "i":
        raise InputError(f"{file.name}: /{cells}: expected −1, 0 and +1, found {whole.dtype} (an index?)")
    held = masked[0].astype(bool) if masked else whole != 0
    rows, columns = _texts(rows), _texts(columns)
    _check(file, cells, rows, columns, whole, held)
    return Matrix(file, rows, columns, whole.astype(np.float64) if masked else whole, held)


def _check(file: InputFile, cells: str, rows: AnyArray, columns: AnyArray, whole: AnyArray, held: AnyArray) -> None:
    if not (rows.size and columns.size and held.any()):
        raise InputError(f"{file.name}: there are no rows")
    shape = (rows.size, columns.size)
    if whole.shape != shape or held.shape != shape:
        raise InputError(f"{file.name}: /{cells}: expected shape {shape} by its ids, found {whole.shape}")
    if cells == "trial_mask" and not np.isin(whole, (-1, 0, 1)).all():
        raise InputError(f"{file.name}: /{cells}: expected −1, 0 and +1, found {np.unique(whole).tolist()[:5]}")
    for name, ids in (("row_ids", rows), ("column_ids", columns)):
        values, counts = np.unique(ids, return_counts=True)
        if (counts > 1).any():
            again = listing(map(repr, values[counts > 1]), int((counts > 1).sum()))
            raise InputError(f"{file.name}: /ID/{name}: {again} occurs more than once")


def _texts(ids: AnyArray) -> AnyArray:
    """Ids as text, without the blanks around them."""
    texts: list[Any] = [one.decode() if isinstance(one, bytes) else str(one) for one in ids.ravel()]
    return np.array([text.strip() for text in texts], dtype=object)


def open_matrices(reader: Reader, files: Sequence[InputFile], key: InputFile | None, unmatched: str) -> MatrixScores:
    """One file of scores, and its key."""
    if key is None or len(files) != 1:
        found = f"{len(files)} files" if key else "no key"
        raise OptionError(f"reader {reader.name!r}: expected one file of scores and a key= (--key), found {found}")
    for file in (*files, key):
        if file.kind != "hdf5":
            raise InputError(f"{file.name}: expected an HDF5 file, found {file.kind}")
    return MatrixScores(files[0], key, unmatched)


BOSARIS_HDF5: Final = Reader(
    name="bosaris-hdf5",
    title="/ID/row_ids, /ID/column_ids, /scores, /score_mask; the key has /trial_mask (+1 target, -1 nontarget)",
    opened=open_matrices,
)
