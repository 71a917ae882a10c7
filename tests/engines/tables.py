"""One table in every engine that can hold it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from deciban.tables.scanning import scan
from deciban.tables.table import Table
from tests.engines.present import needed

Made = Callable[..., Table]

SPARK, POSTGRES = pytest.mark.xdist_group("spark"), pytest.mark.xdist_group("postgres")
SOCKETS = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
"""Spark 3 leaves its own open."""

ENGINES = [
    "pandas", "pandas_arrow", "polars", "polars_lazy", "pyarrow", "duckdb", "csv", "parquet", "glob", "jsonl",
    "duckdb_file", "duckdb_query", "dask", "ibis_duckdb",
    *(pytest.param(name, marks=POSTGRES) for name in ("ibis_postgres", "postgres", "postgres_query")),
    pytest.param("spark", marks=SPARK),
]  # fmt: skip

CALLED = {
    "pandas_arrow": "pandas", "polars_lazy": "polars", "csv": "duckdb", "parquet": "duckdb", "glob": "duckdb",
    "jsonl": "duckdb", "duckdb_file": "duckdb", "duckdb_query": "duckdb", "ibis_duckdb": "duckdb",
    "ibis_postgres": "postgres", "postgres_query": "postgres",
}  # fmt: skip
"""What a record calls the engine, where that is another name."""

NAME = 'tri"als; --é'
"""A table's name that is no good SQL."""


def made(engine: str, table: pa.Table, folder: Path, request: pytest.FixtureRequest, **declared: Any) -> Table:
    """The table as an engine holds it, scanned."""
    source, more = _FRAMES[engine](table) if engine in _FRAMES else _elsewhere(engine, table, folder, request)
    return scan(source, **more, **declared)


_OPEN: list[Any] = []
"""Connections that relations need as long as the tests run."""


def _duckdb(table: pa.Table) -> Any:
    db = duckdb.connect()
    db.register("arrow_table", table)
    db.execute(f"CREATE TABLE {_quoted(NAME)} AS SELECT * FROM arrow_table")
    _OPEN.append(db)
    return db.sql(f"SELECT * FROM {_quoted(NAME)}"), {}


def _dask(table: pa.Table) -> Any:
    dataframe = needed("dask.dataframe")
    return dataframe.from_pandas(table.to_pandas(types_mapper=pd.ArrowDtype), npartitions=3), {}


def _ibis_duckdb(table: pa.Table) -> Any:
    ibis = needed("ibis")
    connection = ibis.duckdb.connect()
    connection.con.register("arrow_table", table)
    connection.con.execute("CREATE TABLE trials AS SELECT * FROM arrow_table")
    return connection.table("trials"), {}


_FRAMES: dict[str, Callable[[pa.Table], Any]] = {
    "pandas": lambda table: (table.to_pandas(), {}),
    "pandas_arrow": lambda table: (table.to_pandas(types_mapper=pd.ArrowDtype), {}),
    "polars": lambda table: (pl.from_arrow(table), {}),
    "polars_lazy": lambda table: (pl.from_arrow(table).lazy(), {}),
    "pyarrow": lambda table: (table, {}),
    "duckdb": _duckdb,
    "dask": _dask,
    "ibis_duckdb": _ibis_duckdb,
}


def _elsewhere(engine: str, table: pa.Table, folder: Path, request: pytest.FixtureRequest) -> Any:
    """Where a table in a file or on a server is, and what else must be said to read it."""
    if engine == "spark":
        # Through a file: Spark takes Arrow tables from version 4 on.
        pyarrow.parquet.write_table(table, folder / "trials.parquet")
        return request.getfixturevalue("spark").read.parquet(str(folder / "trials.parquet")).repartition(2), {}
    if "postgres" in engine:
        return _on_a_server(engine, table, request.getfixturevalue("postgres"))
    if "duckdb" in engine:
        return _in_a_database(engine, table, folder)
    return _in_files(engine, table, folder), {}


def _in_files(engine: str, table: pa.Table, folder: Path) -> Path:
    if engine == "csv":
        pyarrow.csv.write_csv(table, folder / "trials.csv")
        return folder / "trials.csv"
    if engine == "jsonl":
        (folder / "trials.jsonl").write_text(_json(table))
        return folder / "trials.jsonl"
    cut = table.num_rows // 3 if engine == "glob" else table.num_rows
    for number, part in enumerate((table.slice(0, cut), table.slice(cut))):
        if part.num_rows:
            pyarrow.parquet.write_table(part, folder / f"part{number}.parquet")
    return folder / "part*.parquet"


def _in_a_database(engine: str, table: pa.Table, folder: Path) -> Any:
    with duckdb.connect(folder / "trials.db") as db:
        db.register("arrow_table", table)
        db.execute(f"CREATE OR REPLACE TABLE {_quoted(NAME)} AS SELECT * FROM arrow_table")
    address = f"duckdb:///{folder / 'trials.db'}"
    if engine == "duckdb_query":
        return address, {"query": f"SELECT * FROM {_quoted(NAME)} -- all of them"}
    return f"{address}?table={NAME}", {}


def _on_a_server(engine: str, table: pa.Table, server: Any) -> Any:
    server.store(NAME, table)
    if engine == "postgres":
        return server.address(NAME), {}
    if engine == "postgres_query":
        return server.address(), {"query": f"SELECT * FROM {_quoted(NAME)} -- all of them"}
    return server.ibis.table(NAME), {}


def _json(table: pa.Table) -> str:
    """Each row as an object; JSON has no words for NaN and infinities but as text, and null is missing like NaN."""
    import json

    rows = ({k: str(v) if isinstance(v, float) else v for k, v in row.items()} for row in table.to_pylist())
    return "".join(json.dumps(row) + "\n" for row in rows)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
