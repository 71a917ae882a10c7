"""Texts of columns that come as arrays are what they are in files: without blanks around them, bytes as their text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from deciban.errors import InputError
from deciban.tables.files.coding import blanks_of, note_of_blanks
from deciban.tables.files.duck import Fetched, Role
from deciban.values.arrays import AnyArray, as_column
from deciban.values.coded import Coded
from deciban.values.texts import bytes_text

Found = Mapping[tuple[str, Role], object]


def notes_of(found: Found) -> list[str]:
    """What is to be said of columns that were read."""
    return found.notes if isinstance(found, Fetched) else []


def without_blanks(found: Found, *roles: Role) -> Fetched:
    """The columns with blanks taken off the texts of those that are read for the roles; an empty text is nothing.

    Bytes become their text. Coded columns are those of files, whose blanks went as they were read.
    """
    taken: dict[tuple[str, Role], object] = {}
    notes: list[str] = []
    for (name, role), values in found.items():
        if role not in roles or isinstance(values, Coded):
            continue
        try:
            column = as_column(values, name)
        except InputError:
            continue  # told by the validator, with what else is wrong
        of_bytes = _has_bytes(column)
        if of_bytes:
            column = _with_values(column, _text_of)
        bare = _bare(column, blanks_of(role))
        if bare:
            column = _with_values(column, partial(_bare_or_same, bare))
            notes += [note_of_blanks(name)] if any(bare.values()) else []
        if of_bytes or bare:
            taken[name, role] = column
    if isinstance(found, Fetched) and not taken:
        return found
    columns: dict[tuple[str, Role], Any] = {**found, **taken}
    changed = Fetched(columns)
    if isinstance(found, Fetched):
        changed.faults, changed.times, changed.resolution = found.faults, found.times, found.resolution
    changed.notes = list(dict.fromkeys([*notes, *notes_of(found)]))
    return changed


def unmasked(column: object) -> object:
    """A column as an array, masked entries as None, which is what groups and sources understand."""
    if isinstance(column, Coded):
        return np.asarray(column)
    if not isinstance(column, np.ma.MaskedArray):
        return column
    held = column.data.astype(object)
    held[np.ma.getmaskarray(column)] = None
    return held


def _has_bytes(column: AnyArray) -> bool:
    """Whether values are bytes, as tables of some libraries hold text."""
    if column.dtype.kind != "O":
        return column.dtype.kind == "S"
    return any(issubclass(kind, bytes) for kind in set(map(type, np.asarray(column).tolist())))


def _with_values(column: AnyArray, change: Callable[[object], object]) -> AnyArray:
    """A column with each value changed, nothing where it is masked."""
    held = np.array(unmasked(column), dtype=object)
    held[:] = [change(value) for value in held]
    return held


def _text_of(value: object) -> object:
    return bytes_text(value) if isinstance(value, bytes) else value


def _bare_or_same(bare: Mapping[str, str | None], value: object) -> object:
    return bare.get(value, value) if isinstance(value, str) else value


def _bare(column: AnyArray, blanks: str) -> dict[str, str | None]:
    """What is left of each text that is empty or has blanks around it."""
    if column.dtype.kind == "U":
        if not _may_be_bare(column):
            return {}
        texts = set(np.asarray(column).tolist())
    elif column.dtype.kind == "O":
        each = np.asarray(column).tolist()
        if set(map(type, each)) != {str}:
            each = [value for value in each if isinstance(value, str)]
        if not _one_may_be_bare(each, blanks):
            return {}
        texts = set(each)
    else:
        return {}
    return {text: text.strip(blanks) or None for text in texts if not text or text != text.strip(blanks)}


def _may_be_bare(texts: AnyArray) -> bool:
    """Whether a letter of some text is a blank, or one is empty, which is seen without making an object of each."""
    letters = np.ascontiguousarray(texts, dtype=texts.dtype.newbyteorder("=")).view(np.uint32)
    blank = (letters == ord(" ")) | (letters == ord("\t")) | (letters >= ord("\u00a0"))
    return bool(blank.any() or not letters[:: max(letters.size // max(texts.size, 1), 1)].all())


def _one_may_be_bare(texts: list[str], blanks: str) -> bool:
    """Whether some text is empty or has a blank at an end, looked for in all of them at once, in a tenth of the time.

    Texts of several lines may only seem to.
    """
    whole = "\n".join(["", *texts, ""])
    there = [blank for blank in blanks if blank in whole]
    return "\n\n" in whole or any(f"\n{blank}" in whole or f"{blank}\n" in whole for blank in there)
