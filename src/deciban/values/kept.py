"""Records that are kept in files and used again: sealed, so that a file that was changed is not taken for what it was.

A calibration without its bounds, or with a digit altered, gives likelihood ratios like any other: nobody would see it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any, Final, TypeVar

from deciban.errors import InputError, OptionError
from deciban.values.record import from_plain, load_json, to_plain, written

T = TypeVar("T")

SEAL: Final = "seal"
"""The field with the SHA-256 of all the others."""


def kept_json(value: Any) -> str:
    """Write a record as JSON text with its seal; the same record gives the same bytes."""
    plain = to_plain(value)
    return written({**plain, SEAL: _seal(plain)})


def from_kept(cls: type[T], text: str, schema: str, what: str, again: str = "fit again") -> T:
    """Read what :func:`kept_json` wrote; :class:`InputError` for anything else, or when it was changed since."""
    plain = _load(text, schema, what, again)
    seal = plain.pop(SEAL, None)
    result = from_plain(cls, plain, what)
    if seal != _seal(plain):
        raise InputError(
            f"the {what} was changed after it was written: its seal does not fit what it says; take an unchanged copy, "
            f"or {again}"
        )
    return result


def _seal(plain: Any) -> str:
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _load(text: str, schema: str, what: str, again: str) -> Any:
    """Read JSON of something that is kept and used again; one of another version says that this is what it is."""
    plain = load_json(text)
    found = plain.get("schema") if isinstance(plain, dict) else None
    family, _, number = str(found).partition("/")
    if family == schema.partition("/")[0] and number.isdigit() and found != schema:
        newer = int(number) > int(schema.partition("/")[2])
        raise InputError(
            f"the {what} was written by {'a newer' if newer else 'an older'} version of deciban: it has schema "
            f"{found}, this version reads {schema}; {'install a newer version, or ' if newer else ''}{again}"
        )
    if found != schema:
        raise InputError(f"expected a {what}, schema {schema}, found {found!r}")
    return plain


def write_kept(path: str | Path, text: str) -> None:
    """Write a file; :class:`InputError` when that cannot be done."""
    place = _place(path)
    try:
        place.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def read_kept(path: str | Path, what: str, read: Callable[[str], T]) -> T:
    """Read a file by a function of its text; :class:`InputError` names the file."""
    place = _place(path)
    try:
        text = place.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: cannot be read: it is not UTF-8 text, as a {what} is") from None
    try:
        return read(text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _place(path: object) -> Path:
    """A path that was given; :class:`OptionError` for anything else."""
    if not isinstance(path, (str, PathLike)):
        raise OptionError(f"path: expected the path of a file, found {path!r}")
    return Path(path)
