"""A connection to PostgreSQL that only reads, is given up where nothing answers, and ends when the program does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any, Final

from deciban.errors import InputError, MissingExtraError
from deciban.tables.addresses import Address
from deciban.tables.engines import engine_faults, said

PATIENCE: Final = 10
"""Seconds within which a server must answer a connection."""

_READS: Final = "SET default_transaction_read_only = on"
_NOTICES: Final = "SET client_connection_check_interval = '2s'"
"""Lets the server end a query whose program is gone; from version 14 on, and not on every system."""

_DRIVER: Final = {
    "connect_timeout": PATIENCE,
    # A server that is gone is noticed within a minute, not after the hours that a network may take.
    "keepalives_idle": 20,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
    "application_name": "deciban",
}
"""What a connection is asked for, unless the address says otherwise."""


@contextmanager
def connected(address: Address) -> Iterator[Any]:
    """A connection to the server of an address; raises :class:`InputError` when there is none."""
    try:
        import ibis  # noqa: F401 (what reads from the connection)
        import psycopg
    except ImportError:
        raise MissingExtraError('reading from PostgreSQL needs Ibis: pip install "deciban[postgres]"') from None
    try:
        kind: Any = type("Connection", (psycopg.Connection,), {"wait": _wait})
        connection = kind.connect(
            host=address.host,
            port=address.port or 5432,
            user=address.user,
            password=address.password,
            dbname=address.path or None,
            autocommit=True,
            **{**_DRIVER, **address.settings},
        )
    except psycopg.Error as error:
        raise InputError(f"{address.place}: no connection: {_without_secret(said(error), address.password)}") from None
    with closing(connection):
        with engine_faults(address.what):
            connection.execute(_READS)
        with suppress(psycopg.Error):
            connection.execute(_NOTICES)
        yield connection


def _wait(connection: Any, gen: Any, interval: float = 0.1, **limits: Any) -> Any:
    """What a connection does until the server answers; it is closed when the program is stopped meanwhile.

    The driver would ask the server to end the query, and wait for that: a host that has fallen silent would be waited
    for without end.
    """
    import psycopg

    try:
        return psycopg.waiting.wait(gen, connection.pgconn.socket, interval=interval, **limits)
    except (KeyboardInterrupt, SystemExit):
        connection.pgconn.finish()
        raise


def _without_secret(text: str, secret: str | None) -> str:
    return text.replace(secret, "…") if secret else text
