"""Addresses of tables in databases, as ``duckdb:///file.db?table=trials`` or ``postgresql://host/database?table=trials``.

A password stands in an address for the connection alone: what a message or record calls the table is made without it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from deciban.errors import OptionError

SCHEMES: Final = {"duckdb": "duckdb", "postgresql": "postgresql", "postgres": "postgresql"}
"""Kinds of databases, and what each is called in a record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a table lies.

    Attributes
    ----------
    scheme, place
        Kind of the database, and what it is called: neither user nor password are in it.
    path
        File of the database, or its name on a server.
    table, query
        Name of the table, or the statement that yields it; exactly one is given.
    host, port, user, password
        Of a server; None where the driver's own settings decide.
    settings
        Further parameters for the driver.
    """

    scheme: str
    place: str
    path: str
    table: str | None = None
    query: str | None = None
    host: str | None = None
    port: int | None = None
    user: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    settings: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def recorded(self) -> str:
        """What records call it: with the whole query, so that :func:`recorded_address` leads there again."""
        return self.what if self.query is None else f"{self.what}={self.query.strip()}"

    @property
    def what(self) -> str:
        """What messages call the table."""
        named = "query" if self.table is None else f"table={_escaped(self.table)}"
        return f"{self.place}{'&' if '?' in self.place else '?'}{named}"


def is_address(text: object) -> bool:
    """Whether a text names a table of a database."""
    return isinstance(text, str) and text.partition("://")[0].lower() in SCHEMES and "://" in text


def read_address(text: str, query: str | None) -> Address:
    """Take an address apart; raises :class:`OptionError` for one that names no table, or two."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        # What is wrong stands in words that hold a piece of the text, and perhaps of a password.
        raise OptionError(
            "address of a database: expected scheme://user:password@host:port/database?table=NAME; letters such as @, "
            "/, #, ? and [ of a user or password are written %40, %2F, %23, %3F and %5B"
        ) from None
    scheme = SCHEMES[parts.scheme.lower()]
    settings = parse_qsl(parts.query, keep_blank_values=True)
    given = dict(settings)
    table = given.pop("table", None) or None
    place = _place(scheme, parts, given)
    if len(settings) > len(dict(settings)):
        raise OptionError(
            f"{place}: expected each setting after ? once, found {', '.join(name for name, _ in settings)}"
        )
    if parts.fragment or (table is None) == (query is None):
        found = "a part after #" if parts.fragment else "neither" if table is None else "both"
        raise OptionError(
            f"{place}: expected either a table in the address (?table=NAME; # and & as %23 and %26) or query= "
            f"(--query), found {found}"
        )
    path = unquote(parts.path.removeprefix("/"))
    if scheme == "duckdb":
        if parts.netloc or not path:
            raise OptionError(f"{place}: expected duckdb:///FILE?table=NAME, with four slashes before an absolute path")
        return Address(scheme=scheme, place=place, path=path, table=table, query=query)
    return Address(
        scheme=scheme,
        place=place,
        path=path,
        table=table,
        query=query,
        host=given.pop("host", None) or _unquoted(parts.hostname),
        port=port or _port(given.pop("port", None)),
        user=given.pop("user", None) or _unquoted(parts.username),
        password=given.pop("password", None) or _unquoted(parts.password),
        settings=given,
    )


def recorded_address(text: str) -> tuple[str, str | None]:
    """The address and the query of a table as a record names it; user and password come from elsewhere."""
    asked = re.search(r"[?&]query=", text)
    return (text, None) if asked is None else (text[: asked.start()], text[asked.end() :])


def _place(scheme: str, parts: SplitResult, given: Mapping[str, str]) -> str:
    """The database without user, password and settings."""
    where = [f"{name}={_escaped(given[name])}" for name in ("host", "port") if scheme != "duckdb" and given.get(name)]
    server = "" if scheme == "duckdb" else parts.netloc.rpartition("@")[2]
    return f"{scheme}://{server}{_escaped(unquote(parts.path))}{'?' if where else ''}{'&'.join(where)}"


def _escaped(text: str) -> str:
    """A text with nothing in it that an address would take for its own; all else stays readable."""
    return re.sub(r"[%?#&+\x00-\x1f]", lambda found: f"%{ord(found[0]):02X}", text)


def _unquoted(text: str | None) -> str | None:
    return None if text is None else unquote(text)


def _port(text: str | None) -> int | None:
    """A port given as a parameter or in the environment, as other programs take it."""
    found = text or os.environ.get("PGPORT") or ""
    return int(found) if found.isdecimal() else None
