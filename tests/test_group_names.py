"""Groups have the same names however a table comes: as columns, dataframes, files or lazily from an engine."""

from importlib.util import find_spec

import duckdb
import narwhals
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import deciban as db
from deciban.counts.groups import members
from deciban.values.texts import bytes_text

pytestmark = pytest.mark.filterwarnings("ignore:Dask support is moving out of Narwhals:FutureWarning")

ROWS = 16
NARROW = [0.1, 0.2, 0.1, 16777216.0, 1e10, 0.5, 3.0, 0.1] * 2
NUMBERS = ["0.1", "0.2", "0.5", "3", "16777216", "10000000000"]
BYTES = [b"x", b"yy", b" x", "é".encode()] * 4

COLUMNS = {
    "floats of 32 bits": (np.array(NARROW, dtype=np.float32), NUMBERS),
    "doubles": (np.array([*NARROW[:-1], 1e-7]), ["1e-07", *NUMBERS]),
    "whole doubles": (np.array([1.0, 10.0, 9.0, 2.0] * 4), ["1", "2", "9", "10"]),
    "doubles with gaps": (np.array([1.0, 10.0, np.nan, 2.0] * 4), ["1", "2", "10"]),
    "narrow ones with gaps": (np.array([0.1, np.nan] * 8, dtype=np.float32), ["0.1"]),
    "booleans": (np.array([True, False] * 8), ["false", "true"]),
    "booleans with gaps": (np.array([True, False, None, True] * 4, dtype=object), ["false", "true"]),
    "words for booleans": (np.array(["True", "false"] * 8), ["false", "true"]),
    "small integers": (np.array([1, 2] * 8, dtype=np.int8), ["1", "2"]),
    "large integers": (np.array([2**53 + 1, 5] * 8), ["5", "9007199254740993"]),
    "names of digits": (np.array(["01", "1.50", "1E5", "7"] * 4), ["01", "1.50", "1E5", "7"]),
    "one number in two ways": (np.array(["1", "1.0"] * 8), ["1", "1.0"]),
    "numbers as text": (np.array(["10", "9"] * 8), ["9", "10"]),
}


def groups_of(source):
    """Names of the groups of trials, which are those of a tally."""
    table = db.scan(source, score="score", label="label", conditions="g")
    found = [group.name for group, _ in members(table.trials(), "g")]
    assert [group.name for group, _ in members(table.tally(["g"]), "g")] == found
    return found


def ways(column, folder):
    """The table in every way that holds such a column."""
    held = {"score": np.arange(float(ROWS)), "label": np.array([1, 0] * (ROWS // 2)), "g": column}
    plain = {name: list(values) if values.dtype.kind in "SOU" else values for name, values in held.items()}
    frame, polars = pd.DataFrame(plain), pl.DataFrame(plain)
    arrow = pa.table({name: pa.array(values) for name, values in plain.items()})
    yield "columns", held
    yield "pandas", frame
    yield "polars", polars
    yield "lazy", polars.lazy()
    yield "pyarrow", arrow
    yield "relation", duckdb.from_arrow(arrow)
    if find_spec("dask") is not None:
        from dask.dataframe import from_pandas

        yield "dask", from_pandas(frame, npartitions=2)
    pyarrow.parquet.write_table(arrow, folder / "a.parquet")
    yield "parquet", folder / "a.parquet"
    pyarrow.feather.write_feather(arrow, folder / "a.arrow", compression="uncompressed")
    yield "arrow file", folder / "a.arrow"
    if not any(isinstance(value, bytes) for value in plain["g"]):
        frame.to_csv(folder / "a.csv", index=False)
        yield "csv of pandas", folder / "a.csv"
        polars.fill_nan(None).write_csv(folder / "b.csv")
        yield "csv of polars", folder / "b.csv"
        polars.fill_nan(None).write_ndjson(folder / "b.jsonl")
        yield "json lines", folder / "b.jsonl"


@pytest.mark.parametrize(("column", "names"), COLUMNS.values(), ids=COLUMNS)
def test_names_are_the_same_however_a_table_comes(tmp_path, column, names):
    for way, source in ways(column, tmp_path):
        assert groups_of(source) == names, way


@pytest.mark.parametrize("column", [np.array(BYTES), np.array(BYTES, dtype=object)], ids=["block", "objects"])
def test_bytes_are_their_text(tmp_path, column):
    for way, source in ways(column, tmp_path):
        assert groups_of(source) == ["x", "yy", "é"], way


def test_floats_of_16_bits():
    column = np.array([0.1, 0.5] * 8, dtype=np.float16)
    held = {"score": np.arange(float(ROWS)), "label": np.array([1, 0] * 8), "g": column}
    # Versions of Narwhals that do not know them leave them to pandas, which does not group by them.
    known = [pd.DataFrame(held)] if hasattr(narwhals, "Float16") else []
    for source in (held, pa.table(held), *known):
        assert groups_of(source) == ["0.1", "0.5"]


def test_bytes_as_labels_and_sources(tmp_path):
    labels = [b"same", b"other"] * 2
    table = pa.table({"score": [2.0, 0.0, 3.0, 1.0], "label": labels, "who": [b"a", b"b ", b"a", b"c"]})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    for target in ("same", b"same"):
        for source in (table, table.to_pandas(), tmp_path / "a.parquet"):
            trials = db.scan(source, target=target, sources="who").trials()
            assert trials.is_target.tolist() == [True, False, True, False]
            assert np.asarray(trials.sources[0]).tolist() == ["a", "b", "a", "c"]
        for given in (labels, np.array(labels), np.array(labels, dtype=object)):
            assert db.Trials.from_arrays([2, 0, 3, 1], given, target=target).is_target.tolist() == [True, False] * 2


def test_groups_of_arrays_have_the_same_names():
    for column in (np.array(NARROW, dtype=np.float32), np.array(BYTES), [True, False] * 8):
        trials = db.Trials.from_arrays(np.arange(16), [1, 0] * 8, conditions={"g": column})
        found = [group.name for group, _ in members(trials, "g")]
        assert found in (NUMBERS, [" x", "x", "yy", "é"], ["false", "true"])


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ([2**63 + 5, 2**63 + 6, 1, 1], ["1", "9223372036854775813", "9223372036854775814"]),
        ([2**53, 2**53 + 1, 0.5, 0.5], ["0.5", "9007199254740992", "9007199254740993"]),
        ([2**53, 1, 0.5, 0.5], ["0.5", "1", "9007199254740992"]),
    ],
)
def test_whole_numbers_that_no_double_tells_apart_are_groups_of_their_own(values, names):
    column = np.array(values, dtype=object)
    trials = db.Trials.from_arrays(np.arange(4), [1, 0] * 2, conditions={"g": column})
    assert [group.name for group, _ in members(trials, "g")] == names


@pytest.mark.parametrize(
    ("value", "text"), [(b"", ""), ("é".encode(), "é"), (b"\xff a\\'\n", "\\xFF a\\x5C\\x27\\x0A")]
)
def test_bytes_that_are_no_text_are_shown_as_by_duckdb(value, text):
    assert bytes_text(value) == text
    shown = duckdb.execute("SELECT coalesce(try(decode(?::BLOB)), CAST(?::BLOB AS VARCHAR))", [value] * 2).fetchall()
    assert shown == [(text,)]
