"""Tables with columns added: what was there before is there again, as independent readers see it."""

import csv
import datetime as dt
import decimal
import uuid

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import feather

from deciban.errors import InputError
from deciban.tables.files.source import FileSource
from deciban.tables.files.table_writing import write_with

N = 5


def added(n, absent=(2,)):
    mask = np.isin(np.arange(n), absent)
    return {
        "ln_lr": np.ma.MaskedArray(np.arange(n) / 3 - 1, mask),
        "log10_lr": np.ma.MaskedArray(np.where(np.arange(n) == 0, -np.inf, 0.1), mask),
        "supported": np.ma.MaskedArray(np.arange(n) % 2 == 0, mask),
    }


def write(source, out, n=N, **options):
    table = FileSource(source if isinstance(source, list) else [str(source)], ())
    columns = added(n, **options)
    write_with(table, columns, out, out)
    return [columns[name].tolist() for name in columns]


def polars_table():
    when = dt.datetime(2024, 2, 29, 12, 30, 1, 234567)
    return pl.DataFrame(
        {
            "score": [1.5, -0.0, float("inf"), 2e-308, 0.1],
            "list": [[1, 2], None, [], [None], [3]],
            "struct": [
                {"a": 1, "b": ["x", None]},
                None,
                {"a": None, "b": None},
                {"a": 2, "b": []},
                {"a": 3, "b": [""]},
            ],
            "decimal": pl.Series([decimal.Decimal(f"{i}.10") for i in range(N)], dtype=pl.Decimal(30, 2)),
            "binary": [b"\x00\xff", b"", None, b"a,\n", b"\xf0"],
            "micro": [when, None, when, when, when],
            "milli": pl.Series([when, None, when, when, when], dtype=pl.Datetime("ms")),
            "nano": pl.Series([1, 2, None, 2**62, -1], dtype=pl.Datetime("ns")),
            "zone": pl.Series([when] * N, dtype=pl.Datetime("us", "Europe/Berlin")),
            "date": [dt.date(1, 1, 1), None, dt.date(9999, 12, 31), dt.date(2024, 2, 29), dt.date(1970, 1, 1)],
            "duration": [dt.timedelta(days=-3, microseconds=7)] * N,
            "u64": pl.Series([2**64 - 1, 0, 2**53 + 1, None, 1], dtype=pl.UInt64),
            "i64": pl.Series([2**63 - 1, -(2**63), 2**53 + 1, None, 1], dtype=pl.Int64),
            "i8": pl.Series([-128, 127, 0, None, 1], dtype=pl.Int8),
            "f32": pl.Series([0.1, 0.2, None, float("nan"), 1], dtype=pl.Float32),
            "category": pl.Series(["b", "a", None, "b", "c"], dtype=pl.Categorical),
            "enum": pl.Series(["b", "a", None, "b", "b"], dtype=pl.Enum(["b", "a", "never"])),
            "array": pl.Series([[1, 2], None, [3, 4], [5, 6], [7, 8]], dtype=pl.Array(pl.Int16, 2)),
            "nothing": [None] * N,
            "flag": [True, None, False, True, True],
            "text": ["", " a ", None, 'q"uote', "zeile\n2"],
            "id": ["007", "1e3", "0x1", "NA", "-"],
        }
    )


def arrow_table():
    return pa.table(
        {
            "score": [1.0, 2, 3, 4, 5],
            "fixed": pa.array([b"abcd", None, b"efgh", b"\0\0\0\0", b"zzzz"], pa.binary(4)),
            "uuid": pa.array([uuid.UUID(int=i).bytes for i in range(N)], getattr(pa, "uuid", lambda: pa.binary(16))()),
            "half": pa.array(np.arange(N, dtype=np.float16)),
            "milli": pa.array([1000, None, 3000, 0, 5], pa.time32("ms")),
            "map": pa.array([[("a", 1)], [], None, [("b", None)], []], pa.map_(pa.string(), pa.int32())),
            "second": pa.array(range(N), pa.timestamp("s", "Asia/Tokyo")),
            "nested": pa.array([[{"t": [1]}], None, [], [{"t": None}], []],
                               pa.list_(pa.struct([("t", pa.list_(pa.timestamp("ms")))]))),
            "category": pa.array(["x", "y", None, "x", "x"]).dictionary_encode(),
            "large": pa.array(["", None, "a", "b", "c"], pa.large_string()),
        },
        metadata={"who": "someone"},
    )  # fmt: skip


STORED = {
    "milli": pl.Datetime("us"),
    "zone": pl.Datetime("us", "UTC"),
    "category": pl.String,
    "enum": pl.String,
    "array": pl.List(pl.Int16),
    "nothing": pl.Int32,
    "duration": pl.Int64,
}
"""Types that only the Arrow schema in a file tells, as the file stores them."""


def test_parquet_keeps_types_and_values_of_polars(tmp_path):
    frame = polars_table()
    frame.write_parquet(tmp_path / "in.parquet", row_group_size=2)
    want = write(tmp_path / "in.parquet", tmp_path / "out.parquet")
    got = pl.read_parquet(tmp_path / "out.parquet")
    own = got.drop("ln_lr", "log10_lr", "supported")
    assert own.schema == pl.Schema({**frame.schema, **STORED})
    for name in set(frame.columns) - {"duration"}:
        # NaN is in one of them, and equals nothing when compared one by one.
        assert own[name].to_list() == frame[name].to_list() or own[name].equals(frame[name]), name
    assert [got[name].to_list() for name in ("ln_lr", "log10_lr", "supported")] == want
    assert got.schema["ln_lr"] == got.schema["log10_lr"] == pl.Float64
    assert got.schema["supported"] == pl.Boolean


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"row_group_size": 2, "compression": "gzip"},
        {"version": "1.0", "use_dictionary": False},
        {"store_schema": False},
    ],
)
def test_parquet_keeps_values_of_arrow(tmp_path, options):
    pq.write_table(arrow_table(), tmp_path / "in.parquet", **options)
    before = pq.read_table(tmp_path / "in.parquet")
    want = write(tmp_path / "in.parquet", tmp_path / "out.parquet")
    after = pq.read_table(tmp_path / "out.parquet")
    after.validate(full=True)
    assert after.column_names == [*before.column_names, "ln_lr", "log10_lr", "supported"]
    for name in before.column_names:
        assert after[name].to_pylist() == before[name].to_pylist(), name
    assert [after[name].to_pylist() for name in ("ln_lr", "log10_lr", "supported")] == want


def test_decimals_that_would_be_rounded_are_refused(tmp_path):
    wide = pa.array([decimal.Decimal("1" * 41 + ".5")] * N, pa.decimal256(50, 2))
    pq.write_table(pa.table({"score": [1.0] * N, "wide": wide}), tmp_path / "in.parquet")
    with pytest.raises(InputError, match="'wide' has decimals of 50 digits"):
        write(tmp_path / "in.parquet", tmp_path / "out.parquet")


def test_parquet_keeps_types_and_values_of_duckdb(tmp_path):
    db = duckdb.connect()
    db.execute(
        "CREATE TABLE t AS SELECT i AS score, i::UHUGEINT % 7 AS big, (i || 'x')::ENUM('0x', '1x', '2x', '3x', '4x') "
        "AS e, uuid() AS u, {'a': [i, NULL], 'b': MAP {'k': i}} AS s, i::DECIMAL(38, 5) AS d, INTERVAL (i) DAY AS iv, "
        "TIMESTAMP '2024-01-01' + INTERVAL (i) SECOND AS ts FROM range(5) r(i)"
    )
    db.execute(f"COPY t TO '{tmp_path / 'in.parquet'}'")
    write(tmp_path / "in.parquet", tmp_path / "out.parquet")
    describe = "DESCRIBE FROM '{}'"
    before = db.execute(describe.format(tmp_path / "in.parquet")).fetchall()
    assert db.execute(describe.format(tmp_path / "out.parquet")).fetchall()[: len(before)] == before
    rows = db.execute(f"FROM '{tmp_path / 'in.parquet'}'").fetchall()
    assert [row[:-3] for row in db.execute(f"FROM '{tmp_path / 'out.parquet'}'").fetchall()] == rows
    known = db.execute(f"SELECT score FROM '{tmp_path / 'out.parquet'}' WHERE supported").fetchall()
    assert known == [(0,), (4,)]


CSV = (
    "id, score ,note,empty\r\n"
    '007,1e3," a ",\r\n'
    '08 ,+1.50, b ,""\r\n'
    '\r\n"x,1",0x,"say ""so""",NA\r\n'
    '9,.5,"two\r\nlines",null\n'
    "ä, 5,,0.1000"
)


def test_text_of_csv_is_kept_to_the_letter(tmp_path):
    (tmp_path / "in.csv").write_bytes(CSV.encode())
    write(tmp_path / "in.csv", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes().decode() == (
        "id, score ,note,empty,ln_lr,log10_lr,supported\r\n"
        '007,1e3," a ",,-1.0,-inf,true\r\n'
        '08 ,+1.50, b ,"",-0.6666666666666667,0.1,false\r\n'
        '"x,1",0x,"say ""so""",NA,,,\r\n'
        '9,.5,"two\r\nlines",null,0.0,0.1,false\n'
        "ä, 5,,0.1000,0.33333333333333326,0.1,true\n"
    )


def test_cells_of_csv_are_text_in_parquet(tmp_path):
    (tmp_path / "in.csv").write_bytes(CSV.replace("\r\n", "\n").encode())
    write(tmp_path / "in.csv", tmp_path / "out.parquet")
    got = pl.read_parquet(tmp_path / "out.parquet")
    assert got.columns == ["id", "score", "note", "empty", "ln_lr", "log10_lr", "supported"]
    assert got.dtypes == [pl.String] * 4 + [pl.Float64] * 2 + [pl.Boolean]
    assert got["id"].to_list() == ["007", "08 ", "x,1", "9", "ä"]
    assert got["score"].to_list() == ["1e3", "+1.50", "0x", ".5", " 5"]
    assert got["note"].to_list() == [" a ", " b ", 'say "so"', "two\nlines", None]
    assert got["empty"].to_list() == [None, "", "NA", "null", "0.1000"]


@pytest.mark.parametrize("delimiter", ["\t", ";", "|"])
def test_cells_of_other_delimited_text_are_kept(tmp_path, delimiter):
    rows = [["id", "score"], ["007", "1e3"], [" a ", "1,5"], ["", "x"], ['"', "2"], ["b", " 3"]]
    with (tmp_path / "in.txt").open("w", newline="") as file:
        csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(rows)
    write(tmp_path / "in.txt", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        assert [row[:2] for row in csv.reader(file)] == rows


def test_parquet_to_csv_can_be_read(tmp_path):
    polars_table().write_parquet(tmp_path / "in.parquet")
    write(tmp_path / "in.parquet", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        first = next(csv.DictReader(file))
    assert first["list"] == "[1, 2]"
    assert first["decimal"] == "0.10"
    assert first["micro"] == "2024-02-29 12:30:01.234567"
    assert first["u64"] == "18446744073709551615"
    assert (first["id"], first["enum"], first["flag"], first["date"]) == ("007", "b", "true", "0001-01-01")
    assert (first["ln_lr"], first["log10_lr"], first["supported"]) == ("-1.0", "-inf", "true")


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_several_files_of_several_kinds(tmp_path, ending):
    (tmp_path / "a.csv").write_text("id,score\n01,1\n02,2\n")
    (tmp_path / "b.csv").write_text('score,id\n3,"03"\n')
    (tmp_path / "c.jsonl").write_text('{"id": "04", "score": 4.25}\n')
    (tmp_path / "d.json").write_text('[{"id": "05", "score": "5"}]')
    names = [str(tmp_path / name) for name in ("a.csv", "b.csv", "c.jsonl", "d.json")]
    out = tmp_path / f"out{ending}"
    want = write(names, out)
    read = pl.read_csv(out, infer_schema=False) if ending == ".csv" else pl.read_parquet(out)
    assert read.columns == ["id", "score", "file", "ln_lr", "log10_lr", "supported"]
    assert read["id"].to_list() == ["01", "02", "03", "04", "05"]
    assert read["score"].to_list() == ["1", "2", "3", "4.25", "5"]
    assert read["file"].to_list() == [names[0], names[0], *names[1:]]
    assert read["ln_lr"].cast(pl.Float64).to_list() == want[0]


def test_several_parquet_files(tmp_path):
    frame = polars_table()
    frame[:2].write_parquet(tmp_path / "a.parquet")
    frame[2:].write_parquet(tmp_path / "b.parquet")
    write([str(tmp_path / "a.parquet"), str(tmp_path / "b.parquet")], tmp_path / "out.parquet")
    got = pl.read_parquet(tmp_path / "out.parquet")
    for name in ("score", "list", "struct", "decimal", "binary", "date", "u64", "i64", "i8", "flag", "text"):
        assert got.schema[name] == frame.schema[name]
        assert got[name].equals(frame[name], null_equal=True) or name == "score"


def test_arrays_and_arrow_files(tmp_path):
    np.savez(tmp_path / "in.npz", score=np.arange(N) + 0.5, id=np.array(["a", "b", "c", "d", "e"]))
    feather.write_feather(arrow_table().drop_columns(["half", "uuid", "map"]), tmp_path / "in.arrow")
    write(tmp_path / "in.npz", tmp_path / "one.parquet")
    assert pl.read_parquet(tmp_path / "one.parquet").schema["score"] == pl.Float64
    write(tmp_path / "in.arrow", tmp_path / "two.parquet")
    got = pl.read_parquet(tmp_path / "two.parquet")
    assert got["fixed"].to_list() == arrow_table()["fixed"].to_pylist()
    assert got["category"].to_list() == ["x", "y", None, "x", "x"]


@pytest.mark.parametrize(("source", "target"), [("csv", "csv"), ("csv", "parquet"), ("parquet", "parquet"),
                                                ("parquet", "csv"), ("tsv", "csv")])  # fmt: skip
def test_rows_stay_in_order(tmp_path, source, target):
    n = 300_000
    frame = pl.DataFrame({"id": np.arange(n), "score": np.arange(n) * 0.5, "text": [f"s{i % 97}" for i in range(n)]})
    path = tmp_path / f"in.{source}"
    if source == "parquet":
        frame.write_parquet(path, row_group_size=10_000)
    else:
        frame.write_csv(path, separator="," if source == "csv" else "\t")
    out = tmp_path / f"out.{target}"
    columns = {"ln_lr": np.arange(n) * 1.0, "supported": np.arange(n) % 3 == 0}
    write_with(FileSource([str(path)], ()), columns, out, out)
    got = pl.read_csv(out) if target == "csv" else pl.read_parquet(out)
    assert got["id"].cast(pl.Int64).equals(pl.Series("id", np.arange(n)))
    assert got["ln_lr"].to_numpy().tolist() == columns["ln_lr"].tolist()
    assert got["supported"].to_list() == columns["supported"].tolist()


def test_another_number_of_rows_is_refused(tmp_path):
    (tmp_path / "in.csv").write_text("id,score\na,1\nb,2\n")
    pl.DataFrame({"score": [1.0, 2.0]}).write_parquet(tmp_path / "in.parquet")
    for name in ("in.csv", "in.parquet"):
        for n in (1, 3):
            with pytest.raises(InputError, match="changed while it was read"):
                write(tmp_path / name, (tmp_path / "out").with_suffix(name[2:]), n=n)


def test_names_that_need_quotes(tmp_path):
    for name in ("in.csv", "in.parquet"):
        source, out = tmp_path / name, (tmp_path / "out").with_suffix(name[2:])
        if name == "in.csv":
            source.write_text("id,score\na,1\n")
        else:
            pl.DataFrame({"id": ["a"], "score": [1.0]}).write_parquet(source)
        write_with(FileSource([str(source)], ()), {'a "b", ü': np.zeros(1)}, out, out)
        if name == "in.csv":
            with out.open(newline="", encoding="utf-8") as file:
                names = next(csv.reader(file))
        else:
            names = pq.read_schema(out).names
        assert names == ["id", "score", 'a "b", ü']


CELLS = st.sampled_from(["a", " b", "c ", "007", "", "1e3", "x,y", 'q"q', "n\nn", "r\r\nr", "  ", "é", '"'])
ROWS = st.lists(st.tuples(CELLS, CELLS, st.booleans(), st.sampled_from(["\n", "\r\n", "\r", "\n\n"])), min_size=1)


@given(rows=ROWS, end=st.sampled_from(["\n", "\r\n", None]))
@settings(max_examples=25)
def test_any_text_comes_back(rows, end, tmp_path_factory):
    folder = tmp_path_factory.mktemp("any")
    text = "id,score,note" + (end or "\n")
    for number, (one, other, quoted, own_end) in enumerate(rows):
        cells = [
            f'"{c.replace(chr(34), chr(34) * 2)}"' if quoted or set(c) & set(',"\r\n') else c for c in (one, other)
        ]
        text += f"{cells[0]},{number},{cells[1]}" + (end or own_end)
    (folder / "in.csv").write_bytes(text.encode())
    source = FileSource([str(folder / "in.csv")], ("score",))
    assert source.fetch([("score", "number")])["score", "number"].tolist() == list(range(len(rows)))
    for name in ("out.csv", "out.parquet"):
        write_with(source, {"ln_lr": np.arange(len(rows)) * 1.0}, folder / name, folder / name)
    with (folder / "out.csv").open(newline="", encoding="utf-8") as file:
        assert [(r["id"], r["note"], float(r["ln_lr"])) for r in csv.DictReader(file)] == [
            (one, other, number) for number, (one, other, *_) in enumerate(rows)
        ]
    got = pl.read_parquet(folder / "out.parquet")
    assert [(r["id"] or "", r["note"] or "") for r in got.to_dicts()] == [row[:2] for row in rows]
    assert got["ln_lr"].to_list() == list(range(len(rows)))


def test_names_that_differ_in_case_only_are_refused(tmp_path):
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"score": [1.0], "A": [1], "a": [2]}), source)
    with pytest.raises(InputError, match="'a' occurs more than once"):
        write(source, out, n=1)


def test_a_column_without_a_name_is_refused(tmp_path):
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table({"score": [1.0], "": [1]}), source)
    for ending in ("csv", "parquet"):
        with pytest.raises(InputError, match="column 2 has no name; give it one"):
            write(source, tmp_path / f"out.{ending}", n=1)


def test_timestamps_that_lose_digits_are_told(tmp_path):
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    table = pa.table({"score": [1.0], "when": pa.array([1_234_567_890_123_456_789], pa.timestamp("ns"))})
    for old, notes in ((True, 1), (False, 0)):
        pq.write_table(table, source, use_deprecated_int96_timestamps=old)
        said = write_with(FileSource([str(source)], ()), added(1), out, out)
        assert len(said) == notes
        assert all("'when'" in one and "microseconds" in one for one in said)
        kept = pq.read_table(out)["when"].cast(pa.timestamp("ns")).cast(pa.int64()).to_pylist()
        assert kept == [1_234_567_890_123_456_000 if old else 1_234_567_890_123_456_789]
