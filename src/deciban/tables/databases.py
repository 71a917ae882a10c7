"""Tables of databases: a DuckDB file that is opened read-only, and PostgreSQL through Ibis."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from deciban.counts.tally import MOST_FETCHED, too_many_trials
from deciban.errors import InputError, did_you_mean
from deciban.tables.addresses import Address
from deciban.tables.engines import engine_faults
from deciban.tables.files.duck import Fetched, Grouping, Role, connect, fetch, identifier
from deciban.tables.files.inputs import Input
from deciban.tables.frames import FrameSource
from deciban.tables.postgres_connection import connected

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class DuckTable:
    """A table or query of a DuckDB file. Its columns are read as those of a Parquet file are."""

    naming = ""
    first_line = 0
    engine = "duckdb"
    fits = False

    def __init__(self, address: Address) -> None:
        self.address, self.what = address, address.what
        self.inputs: tuple[Input, ...] = ()
        if not os.path.isfile(address.path):
            absolute = f"/{address.path}"
            near = f"; did you mean duckdb:///{absolute}?" if os.path.isfile(absolute) else ""
            raise InputError(f"{address.place}: no such file{near}")
        with self._open() as db:
            self.relation = _duck_relation(db, address)
            self.names = tuple(str(row[0]) for row in db.execute(f"DESCRIBE SELECT * FROM {self.relation}").fetchall())

    def counts(self, score: str, *, in_buckets: bool) -> bool:
        """Whether rows are counted where they are: always."""
        return True

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> Fetched:
        """The wanted columns, row by row, when they are not too many; that is noted."""
        with self._open() as db:
            rows = int(db.execute(f"SELECT count(*) FROM {self.relation}").fetchall()[0][0])
            if rows > MOST_FETCHED:
                raise InputError(too_many_trials(self.what, rows, MOST_FETCHED))
            found = fetch(db, self._expressions(wanted), self.relation, [])
        found.notes.append(f"all {rows} rows were read one by one, not counted in {self.engine}")
        self.inputs = (Input(self.address.recorded, None, None, rows),)
        return found

    def tally(self, wanted: Sequence[tuple[str, Role]], grouping: Grouping) -> Fetched:
        """The wanted columns of rows that differ, with how many each stands for, by one grouped query."""
        with self._open() as db:
            found = fetch(db, self._expressions(wanted), self.relation, [], grouping)
        self.inputs = (Input(self.address.recorded, None, None, _total(found)),)
        return found

    def _expressions(self, wanted: Sequence[tuple[str, Role]]) -> dict[tuple[str, Role], str]:
        return {(name, role): identifier(name) for name, role in wanted}

    @contextmanager
    def _open(self) -> Iterator[DuckDBPyConnection]:
        with engine_faults(self.what), connect(self.address.path) as db:
            yield db


def _duck_relation(db: DuckDBPyConnection, address: Address) -> str:
    """What stands after FROM: a name that is there, quoted, or the one SELECT that was given."""
    import duckdb

    if address.query is not None:
        statements = db.extract_statements(address.query)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise InputError(f"{address.place}: query: expected one SELECT statement")
        return f"(\n{address.query.strip().rstrip(';')}\n)"
    found = db.execute("SELECT table_schema, table_name FROM information_schema.tables ORDER BY ALL").fetchall()
    return ".".join(map(identifier, _named(address, found, "main")))


def _named(address: Address, found: Iterable[tuple[str, str]], usual: str) -> tuple[str, str]:
    """Schema and name of the table that an address means: a name as it stands, else schema.name; both may have dots."""
    wanted = str(address.table)
    known = {(str(schema), str(table)) for schema, table in found}
    if (usual, wanted) in known:
        return usual, wanted
    meant = sorted(pair for pair in known if ".".join(pair) == wanted)
    if len(meant) == 1:
        return meant[0]
    if meant:
        each = " or ".join(f"{table!r} of schema {schema!r}" for schema, table in meant)
        raise InputError(f"{address.place}: table {wanted!r} could be {each}; say which with query= (--query)")
    names = sorted(table if schema == usual else f"{schema}.{table}" for schema, table in known)
    advice = did_you_mean(wanted, names) if names else "the database has none"
    raise InputError(f"{address.place}: no table {wanted!r}; {advice}")


class PostgresTable:
    """A table or query of a PostgreSQL server. A connection is made for each reading and closed after it."""

    naming = ""
    first_line = 0
    engine = "postgres"
    fits = False

    def __init__(self, address: Address) -> None:
        self.address, self.what = address, address.what
        self.inputs: tuple[Input, ...] = ()
        with self._frame() as frame:
            self.names = frame.names

    def counts(self, score: str, *, in_buckets: bool) -> bool:
        """Whether rows are counted where they are: always."""
        return True

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> Fetched:
        """The wanted columns, row by row, when they are not too many; that is noted."""
        with self._frame() as frame:
            found = frame.fetch(wanted)
        self.inputs = (Input(self.address.recorded, None, None, next(iter(found.values())).shape[0]),)
        return found

    def tally(self, wanted: Sequence[tuple[str, Role]], grouping: Grouping) -> Fetched:
        """The wanted columns of rows that differ, with how many each stands for, by one grouped query."""
        with self._frame() as frame:
            found = frame.tally(wanted, grouping)
        self.inputs = (Input(self.address.recorded, None, None, _total(found)),)
        return found

    @contextmanager
    def _frame(self) -> Iterator[FrameSource]:
        with connected(self.address) as connection:
            import ibis

            with engine_faults(self.what):
                # Ibis is given a connection: its versions differ in what they pass on to the driver.
                table = self._table(ibis.postgres.from_connection(connection))
            yield FrameSource(table, self.what)

    def _table(self, database: Any) -> Any:
        query = self.address.query
        if query is None:
            query = f"SELECT * FROM {'.'.join(map(identifier, self._name(database)))}"
        query = query.strip().rstrip(";")
        return database.sql(query, schema=_schema_of(database, query))

    def _name(self, database: Any) -> tuple[str, str]:
        """Schema and name of the table."""
        with database.con.cursor() as cursor:
            cursor.execute(
                "SELECT n.nspname, c.relname, n.nspname = current_schema() FROM pg_catalog.pg_class c "
                "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                "WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND n.nspname NOT LIKE 'pg\\_%' "
                "AND n.nspname <> 'information_schema'"
            )
            found = cursor.fetchall()
        usual = next((schema for schema, _, current in found if current), "public")
        return _named(self.address, [(schema, table) for schema, table, _ in found], usual)


def _schema_of(database: Any, query: str) -> dict[str, Any]:
    """Columns of a query with their types, of a domain the type that it restricts.

    Ibis would make a view to learn those of a query, which a reader may not, and does not know what a domain is.
    """
    with database.con.cursor() as cursor:
        # Prepared, a text is one statement whatever it holds.
        cursor.execute(f"SELECT * FROM (\n{query}\n) AS q LIMIT 0", prepare=True)
        kind = database.compiler.type_mapper
        return {column.name: kind.from_string(column.type_display) for column in cursor.description}


def _total(found: Fetched) -> int:
    return 0 if found.times is None else int(found.times.sum())


def database_source(address: Address) -> DuckTable | PostgresTable:
    """The table that an address names."""
    return DuckTable(address) if address.scheme == "duckdb" else PostgresTable(address)
