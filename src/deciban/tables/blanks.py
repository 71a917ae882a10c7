"""Blanks around texts of columns that come as arrays: taken off as those of files are, and noted in the same words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from deciban.errors import InputError
from deciban.tables.files.coding import blanks_of, note_of_blanks
from deciban.tables.files.duck import Fetched, Role
from deciban.values.arrays import AnyArray, as_column
from deciban.values.coded import Coded

Found = Mapping[tuple[str, Role], object]


def notes_of(found: Found) -> list[str]:
    """What is to be said of columns that were read."""
    return found.notes if isinstance(found, Fetched) else []


def without_blanks(found: Found, *roles: Role) -> Fetched:
    """The columns with blanks taken off the texts of those that are read for the roles; an empty text is nothing.

    Coded columns are those of files, whose blanks went as they were read.
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
        bare = _bare(column, blanks_of(role))
        if bare:
            held = np.array(unmasked(column), dtype=object)
            held[:] = [bare.get(value, value) if isinstance(value, str) else value for value in held]
            taken[name, role] = held
            if any(bare.values()):
                notes.append(note_of_blanks(name))
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


def _bare(column: AnyArray, blanks: str) -> dict[str, str | None]:
    """What is left of each text that is empty or has blanks around it."""
    if column.dtype.kind == "U":
        if not _may_be_bare(column):
            return {}
        texts = set(np.asarray(column).tolist())
    elif column.dtype.kind == "O":
        each = [value for value in np.asarray(column).tolist() if isinstance(value, str)]
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
