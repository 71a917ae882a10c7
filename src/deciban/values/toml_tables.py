"""Settings files (TOML): every value of the kind expected, no key that means nothing, errors that name the place."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, Final

from deciban.errors import OptionError, did_you_mean
from deciban.values.option_checks import check_number, check_whole

Value = bool | int | float | str

EARLIEST: Final = 1900
"""Year before which a date is a slip of the pen."""


class TomlTable:
    """One table of a settings file.

    Each value is asked for by its key and checked; :meth:`finish` refuses keys that nobody asked for, so that a
    mistyped one never passes for a setting.

    Attributes
    ----------
    where
        The file and the table, as error messages name them.
    """

    def __init__(self, where: str, values: Mapping[str, Any]) -> None:
        self.where, self._values = where, values
        self._asked: dict[str, None] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._values

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that are there."""
        return tuple(self._values)

    def text(self, key: str) -> str | None:
        """A text; None when it is absent or holds nothing but blanks, as in a template that was not filled in."""
        value = self._get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self.error(key, "a text in quotes", value)
        return value.strip() or None

    def texts(self, key: str) -> tuple[str, ...]:
        """One text or a list of them."""
        value = self._get(key)
        many = [] if value is None else [value] if isinstance(value, str) else value
        if not isinstance(many, list) or not all(isinstance(item, str) for item in many):
            raise self.error(key, "a text in quotes, or a list of them", value)
        return tuple(item for item in many if item.strip())

    def values(self, key: str) -> tuple[Value, ...]:
        """One text, number or truth value, or a list of them."""
        value = self._get(key)
        many = value if isinstance(value, list) else [] if value is None else [value]
        if not all(isinstance(item, (bool, int, float, str)) for item in many):
            raise self.error(key, "a text, a number or true or false, or a list of them", value)
        return tuple(many)

    def number(self, key: str) -> float | None:
        """A number other than NaN."""
        value = self._get(key)
        return None if value is None else self._checked(key, value)

    def numbers(self, key: str) -> tuple[float, ...]:
        """One number or a list of them; an empty list, which could mean none or the default, is refused."""
        value = self._get(key)
        if value == []:
            raise self.error(key, "at least one number; leave the key out for the default", value)
        many = value if isinstance(value, list) else [] if value is None else [value]
        return tuple(self._checked(key, item) for item in many)

    def whole(self, key: str, least: int) -> int | None:
        """A whole number of at least ``least``."""
        value = self._get(key)
        return None if value is None else check_whole(f"{self.where} {key}", value, least)

    def flag(self, key: str) -> bool | None:
        """True or false."""
        value = self._get(key)
        if value is not None and not isinstance(value, bool):
            raise self.error(key, "true or false", value)
        return value

    def choice(self, key: str, allowed: Iterable[str]) -> str | None:
        """One of some words."""
        value, words = self.text(key), tuple(allowed)
        if value is not None and value not in words:
            raise self.error(key, f"one of {', '.join(map(repr, words))}", value)
        return value

    def date(self, key: str) -> str | None:
        """A date as ``2026-03-01``, with quotes or without."""
        value = self._get(key)
        if isinstance(value, str):
            if not value.strip():
                return None
            try:
                value = datetime.date.fromisoformat(value.strip())
            except ValueError:
                raise self.error(key, "a date such as 2026-03-01", value) from None
        if isinstance(value, datetime.datetime) or not isinstance(value, (datetime.date, type(None))):
            raise self.error(key, "a date such as 2026-03-01", value)
        if value is not None and value.year < EARLIEST:
            raise self.error(key, f"a date such as 2026-03-01, not before {EARLIEST}", value)
        return None if value is None else value.isoformat()

    def table(self, key: str) -> TomlTable:
        """A table ``[key]``; an empty one when it is absent."""
        value = self._get(key)
        if not isinstance(value, (dict, type(None))):
            raise self.error(key, f"a table [{key}]", value)
        return TomlTable(f"{self.where}: [{key}]", value or {})

    def tables(self, key: str) -> list[TomlTable]:
        """The tables ``[[key]]``, each named by its number."""
        value = self._get(key)
        many = [] if value is None else value
        if not isinstance(many, list) or not all(isinstance(item, dict) for item in many):
            raise self.error(key, f"tables [[{key}]]", value)
        return [TomlTable(f"{self.where}: [[{key}]] {number}", item) for number, item in enumerate(many, start=1)]

    def error(self, key: str, expected: str, found: object) -> OptionError:
        """What is raised for a value of the wrong kind."""
        shown = found.isoformat() if isinstance(found, (datetime.date, datetime.time)) else repr(found)
        return OptionError(f"{self.where} {key}: expected {expected}, found {shown}")

    def finish(self) -> None:
        """Raise :class:`OptionError` for a key that nobody asked for, with the nearest that is known."""
        for key in self._values:
            if key not in self._asked:
                raise OptionError(f"{self.where}: unknown key {key!r}; {did_you_mean(key, self._asked)}")

    def _get(self, key: str) -> Any:
        self._asked[key] = None
        return self._values.get(key)

    def _checked(self, key: str, value: object) -> float:
        return check_number(f"{self.where} {key}", value)


def read_toml(text: str, where: str) -> TomlTable:
    """Read the text of a settings file; raises :class:`OptionError` where it is no TOML."""
    try:
        return TomlTable(where, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{where}: expected TOML (key = value, texts in quotes), found an error: {error}") from None
