"""Each file that cannot be used gives one error that says what was expected, what was found where, and what to do."""

import gzip
import json
import pickle
import zipfile
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.feather
import pytest

from deciban.errors import InputError
from deciban.tables.scanning import read_trials, scan

GOOD = "llr,label\n0.5,1\n-1,0\n"
LONG = "llr,label\n" + "0.5,1\n-1,0\n" * 12_500
"""More rows than are looked at to find out how a file is written."""


def fails(path: object, *parts: str, **options: object) -> str:
    """The message of the error that reading must end in, after checking its parts."""
    with pytest.raises(InputError) as caught:
        read_trials(path, **options)
    message = str(caught.value)
    for part in parts:
        assert part in message
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return message


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_missing_file_offers_near_names(tmp_path):
    write(tmp_path / "scores.csv", GOOD)
    fails(tmp_path / "score.csv", "no such file", f"did you mean '{tmp_path / 'scores.csv'}'")
    fails(tmp_path / "nowhere" / "x.csv", "there is no folder")


def test_places_that_are_no_files(tmp_path):
    fails(tmp_path, "is a folder", "*.csv")
    fails(tmp_path / "*.csv", "no file matches")
    fails("https://example.org/a.csv", "only local files")
    fails("s3://bucket/a.parquet", "only local files")
    fails("a\0b.csv", "no such file")
    with pytest.raises(InputError, match="at least one file"):
        scan([])


def test_the_same_file_twice(tmp_path):
    path = write(tmp_path / "a.csv", GOOD)
    with pytest.raises(InputError, match="named twice"):
        scan([path, str(path)])
    (tmp_path / "soft.csv").symlink_to(path)
    (tmp_path / "hard.csv").hardlink_to(path)
    for name in ("soft.csv", "hard.csv"):
        with pytest.raises(InputError, match=rf"a.csv and .*{name}: the same file is named twice"):
            scan([path, tmp_path / name])
    with pytest.raises(InputError, match=r"standard input \(-\) is named twice"):
        scan(["-", "-"])


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("", ["the file is empty"]),
        ("\n\r\n", ["only blank lines"]),
        ("llr,label\n", ["column names but no rows"]),
        ("llr,label", ["column names but no rows"]),
        ("llr,label\n\n\n", ["column names but no rows"]),
        ("llr\n1\n2\n", ["no column has a usual name for the label"]),
        ("name\n1\n2\n", ["one column only", "'name'"]),
        ("llr,llr,label\n1,2,1\n", ["column name 'llr' occurs more than once"]),
        ("llr,label\n0.5,1\n1,0,3\n", ["line 3", "expected 2 fields", "found 3 ('1,0,3')"]),
        ("llr,label\n0.5,1\n1\n-1,0\n", ["line 3", "expected 2 fields", "found 1 ('1')"]),
        ("llr,label\n0.5,1\n  \n-1,0\n", ["line 3", "expected 2 fields"]),
        ("# title\nllr,label\n0.5,1\n-1,0\n", ["line 1", "found 1 ('# title')"]),
        ("llr,label\n0.5,1\n#-1,0\n", ["expected numbers, found '#-1' at row 2"]),
        ('llr,label\n0.5,1\n-1,"0\n0.25,0\n', ["line 3", "quote"]),
        ('llr,label\n0.5,1\n-1,"0"x\n0.25,0\n', ["line 3", "quote"]),
        ("llr,label\n0.5,1\nabc,0\n1,1\n", ["llr: expected numbers, found 'abc' at row 2", "#N/A, <NA>"]),
        ("llr;label\n0,5;1\n-1,25;0\n", ["found '0,5', '-1,25' at rows 1, 2", "decimal comma"]),
        ("llr,label\n1e400,1\n0,0\n", ["float64 can hold", "'1e400' at row 1"]),
        ("llr,label\n1,1\n1e-400,0\n", ["float64 can hold", "'1e-400' at row 2"]),
        ("llr,label\n9007199254740993,1\n0,0\n", ["float64 can hold", "'9007199254740993' at row 1"]),
        (f"llr,label\n{2**127 - 1},1\n{2**127 - 29},0\n", ["float64 can hold", f"'{2**127 - 1}'", "at rows 1, 2"]),
        (f"llr,label\n{-(2**127) + 1},1\n{-(2**127) - 1},0\n", ["float64 can hold", "at rows 1, 2"]),
        (f"llr,label\n{2**200 + 1},1\n{2**200},0\n", ["float64 can hold", "at rows 1, 2"]),
        ("llr,label\n0x1F,1\n2020-01-01,0\n", ["expected numbers, found '0x1F', '2020-01-01'"]),
        ("llr,label\nTRUE,1\nFALSE,0\n", ["expected numbers, found 'TRUE', 'FALSE'"]),
        ("llr,label\n0.5,\n-1,0\n", ["1 missing label (row 1)"]),
        ("llr,label\n0.5,  \n-1,0\n", ["1 missing label (row 1)"]),
        ("llr,label\n,1\n-1,0\n", ["1 missing (NaN or null) at row 1", "missing='drop'"]),
        ("llr,label\n0.5,yes\n-1,no\n", ["which label is the target?", "'no' (1), 'yes' (1)"]),
        ("label,score\n0.5,1\n0.7,0\n0.9,1\n", ["are scores and labels swapped?"]),
        ("0.5,1\n-1,0\n", ["usual name for the label", "'column0', 'column1'", "no header was found"]),
        ("llr,score,label\n1,2,1\n", ["which is the score column? 'llr', 'score'", "score="]),
        ("llr,same,key\n1,2,1\n", ["which is the label column? 'same', 'key'"]),
        (b"llr,label\n0.5,t\xe9t\n", ["line 2", "not UTF-8 (byte 0xe9)", "iconv"]),
        ("llr,label\n0.5,1\n".encode("utf-16"), ["UTF-16"]),
        (bytes(range(256)) * 4, ["binary file"]),
        (b"\x89HDF\r\n\x1a\n" + b"0" * 90, ["HDF5"]),
        (b"BZh91AY&SY" + b"0" * 90, ["bzip2"]),
        (b"PAR1hello", ["Parquet"]),
        ("x" * 10_000_000, ["no line ends"]),
        ("llr,label\n" + "x" * 10_000_000 + ",1\n", ["line 2 is longer than"]),
    ],
)  # fmt: skip
def test_bad_text(tmp_path, content, parts):
    message = fails(write(tmp_path / "a.csv", content), str(tmp_path / "a.csv"), *parts)
    assert "\n" not in message
    assert len(message) < 500 + len(str(tmp_path))


@pytest.mark.parametrize(
    ("tail", "parts"),
    [
        ("1,0,3\n", ["line 25002", "found 3 ('1,0,3')"]),
        ("1\n", ["line 25002", "found 1 ('1')"]),
        ('"1,0\n', ["line 25002", "a quote is opened and never closed"]),
        ('"1"2,0\n', ["line 25002", "must be doubled"]),
        ("abc,0\n" * 7, ["'abc' at rows 25001, 25002, 25003, 25004, 25005, … (7 in all)"]),
        (b"\xff,0\n", ["line 25002", "not UTF-8"]),
        (b"1,\xff\n", ["line 25002", "not UTF-8"]),
        ("x" * 3_000_000 + ",0\n", ["line 25002 is longer than"]),
    ],
)
@pytest.mark.parametrize("packed", ["", ".gz", ".zst"])
def test_bad_text_far_down(tmp_path, tail, parts, packed):
    data = LONG.encode() + (tail if isinstance(tail, bytes) else tail.encode())
    if packed == ".gz":
        data = gzip.compress(data, compresslevel=1)
    elif packed == ".zst":
        data = pa.compress(data, codec="zstd", asbytes=True)
        if isinstance(tail, bytes) or len(tail) > 1_000_000:
            parts = []  # Without an unpacker of its own, only that the file cannot be read is known.
    fails(write(tmp_path / f"a.csv{packed}", data), *parts)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_archives_that_were_cut(tmp_path, share):
    text = "llr,label\n" + "".join(
        f"{value!r},{n % 2}\n" for n, value in enumerate(np.random.default_rng(0).random(50_000).tolist())
    )
    for name, data in (
        ("a.csv.gz", gzip.compress(text.encode())),
        ("a.csv.zst", pa.compress(text.encode(), codec="zstd", asbytes=True)),
    ):
        fails(write(tmp_path / name, data[: int(len(data) * share)]), "damaged or cut short")


def test_every_cut_of_a_zst_of_many_blocks_is_seen(tmp_path):
    source = str(tmp_path / "whole.csv.zst")
    duckdb.sql(
        f"COPY (SELECT range::DOUBLE llr, range % 2 AS label FROM range(100000)) TO '{source}' (COMPRESSION zstd)"
    )
    data = Path(source).read_bytes()
    assert len(read_trials(source)) == 100_000
    for cut in [*range(0, len(data), len(data) // 25), len(data) - 1]:
        fails(write(tmp_path / "cut.csv.zst", data[:cut]))


def test_damaged_archives(tmp_path):
    data = bytearray(gzip.compress(LONG.encode()))
    data[-6] ^= 1  # The checksum: a reader that does not compare it reads on happily.
    fails(write(tmp_path / "a.csv.gz", bytes(data)), "damaged or cut short")
    fails(write(tmp_path / "b.csv.gz", bytes(data[:10]) + b"garbage"), "damaged or cut short")
    fails(write(tmp_path / "c.csv.zst", b"\x28\xb5\x2f\xfdgarbage garbage"), "zst")
    packed: bytes = pa.compress(GOOD.encode(), codec="zstd", asbytes=True)
    fails(write(tmp_path / "d.csv.zst", packed + b"more"), "damaged")


def test_an_archive_of_something_binary(tmp_path):
    fails(write(tmp_path / "a.parquet.gz", gzip.compress(b"PAR1\0\0")), "only text files may be compressed")
    fails(write(tmp_path / "a.csv.gz", gzip.compress(b"PAR1\0\0")), "binary file")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.csv", GOOD)
    fails(tmp_path / "a.zip", "zip archive or a spreadsheet")


def test_unknown_columns(tmp_path):
    path = write(tmp_path / "a.csv", "llr,lable\n1,1\n")
    fails(path, "no label column 'label'", "did you mean 'lable'", label="label")
    fails(path, "no score column 'zzzz'", "its columns are 'llr', 'lable'", score="zzzz")
    fails(path, "no source column 'spk'", label="lable", sources="spk")


def test_parquet_and_arrow(tmp_path):
    path = tmp_path / "a.parquet"
    duckdb.sql(f"COPY (SELECT range::DOUBLE AS llr, range % 2 AS label FROM range(10000)) TO '{path}'")
    data = path.read_bytes()
    fails(write(tmp_path / "cut.parquet", data[: len(data) // 2]), "not a readable Parquet file")
    broken = bytearray(data)
    broken[100:2000] = b"\xaa" * 1900
    fails(write(tmp_path / "broken.parquet", bytes(broken)), "Parquet")
    fails(write(tmp_path / "text.parquet", GOOD), "expected a Parquet file")
    table = pa.table({"llr": np.arange(1000.0), "label": np.arange(1000) % 2})
    pyarrow.feather.write_feather(table, str(tmp_path / "a.arrow"))
    data = (tmp_path / "a.arrow").read_bytes()
    fails(write(tmp_path / "cut.arrow", data[: len(data) // 2]), "Arrow IPC")
    fails(write(tmp_path / "text.feather", GOOD), "expected an Arrow IPC file")
    duckdb.sql(f"COPY (SELECT 'x' AS llr, 1 AS label) TO '{path}'")
    fails(path, "llr: expected numbers, found 'x' at row 1")
    duckdb.sql(f"COPY (SELECT 1.0 AS llr, 1 AS label WHERE false) TO '{path}'")
    fails(path, "no rows")


def test_numpy_files(tmp_path):
    np.save(tmp_path / "o.npy", np.array([(1.0, "a")], dtype=object), allow_pickle=True)
    fails(tmp_path / "o.npy", "Python objects, which are never loaded")
    np.savez(tmp_path / "o.npz", score=np.array([1.0, None], dtype=object))
    fails(tmp_path / "o.npz", "Python objects, which are never loaded")
    np.save(tmp_path / "one.npy", np.arange(3.0))
    fails(tmp_path / "one.npy", "expected a structured array or a two-dimensional one", "(3,)")
    np.savez(tmp_path / "names.npz", a=np.arange(3.0), b=np.arange(3))
    fails(tmp_path / "names.npz", "usual name for the label", "'a', 'b'")
    np.savez(tmp_path / "shape.npz", a=np.eye(3))
    fails(tmp_path / "shape.npz", "one-dimensional arrays by name", "a (3, 3)")
    data = (tmp_path / "one.npy").read_bytes()
    fails(write(tmp_path / "cut.npy", data[:-4]), "not a readable NumPy file")
    fails(write(tmp_path / "cut.npz", (tmp_path / "names.npz").read_bytes()[:-30]), "not a readable NumPy file")
    fails(write(tmp_path / "text.npy", GOOD), "expected a NumPy file")
    fails(write(tmp_path / "evil.npy", pickle.dumps([1])), "Python pickle, which is never loaded")


def test_json_lines(tmp_path):
    good = '{"llr": 0.5, "label": 1}\n'
    for tail, part in {
        '{"llr": 0.5, "label":\n': "expected one JSON object, found",
        "[1, 2]\n": "expected one JSON object, found '[1, 2]'",
        "5\n": "expected one JSON object, found '5'",
        '{"llr": 1, "llr": 2, "label": 1}\n': "key 'llr' occurs more than once",
        good.strip() + good: "expected one JSON object",
        good.strip() + ",\n": "expected one JSON object",
    }.items():
        fails(write(tmp_path / "a.jsonl", good + tail), "line 2", part)
        fails(write(tmp_path / "a.jsonl", good * 9_000 + tail), "line 9001", part)
    fails(write(tmp_path / "a.jsonl", good + '{"llr": "x", "label": 0}\n'), "expected numbers, found 'x' at row 2")
    fails(write(tmp_path / "a.jsonl", good + '{"llr": [1], "label": 0}\n'), "expected numbers, found '[1]' at row 2")
    fails(write(tmp_path / "a.jsonl", good + '{"llr": 1}\n'), "1 missing label (row 2)")
    fails(write(tmp_path / "a.jsonl", good + '{"llr": 1e999, "label": 0}\n'), "float64 can hold", "1e999")
    fails(write(tmp_path / "a.json", json.dumps([1, 2])), "array of objects")
    fails(write(tmp_path / "a.json", '[{"llr": 1'), "not valid JSON")
    fails(write(tmp_path / "b.json", '[{"llr": 1e999, "label": 0}]'), "float64 can hold, found '1e999'")
    fails(write(tmp_path / "a.json", "[" * 100_000), "nested too deeply")
    fails(write(tmp_path / "a.json", json.dumps({"llr": [1]}, indent=1)), "line 1")


def test_several_broken_lines_are_named_together(tmp_path):
    sound = "1,1\n" * 30_000
    for text, lines in (
        ("llr,label\n" + "0.5,1\n" * 9 + "1,0,3\n" * 7, (11, 12, 13, 14, 15)),
        ("llr,label\n" + sound + "1\n" + sound + "2\n" * 6, (30002, 60003, 60004, 60005, 60006)),
    ):
        message = fails(write(tmp_path / "a.csv", text), "a.csv: 7 lines cannot be read", "  … and 2 more\n")
        assert [line[4:].partition(":")[0] for line in message.splitlines()[1:6]] == [f"line {n}" for n in lines]
        assert message.count("every line needs the same number") == 1
    message = fails(write(tmp_path / "a.csv", 'llr,label\n0.5,1\n1\n2,"x\n3,1\n'), "2 lines cannot be read")
    assert message.splitlines()[2] == "  - line 4: a quote is opened and never closed; nothing after it was read"
    good = '{"llr": 0.5, "label": 1}\n'
    for text in (good + "5\n" * 7, good * 9_000 + "[1]\n" * 7):
        message = fails(write(tmp_path / "a.jsonl", text), "a.jsonl: 7 lines cannot be read", "  … and 2 more")
        assert message.count("expected one JSON object") == 5


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "scores"])
def test_json_is_known_by_its_content(tmp_path, name):
    lines = '\n  {"llr": 0.5, "label": 1}\n{"llr": -1, "label": 0}\n'
    assert read_trials(write(tmp_path / name, lines)).score.tolist() == [0.5, -1.0]
    array = json.dumps([{"llr": 0.5, "label": 1}, {"llr": -1, "label": 0}], indent=1)
    assert read_trials(write(tmp_path / name, array)).score.tolist() == [0.5, -1.0]
    fails(write(tmp_path / name, '{"llr": 0.5,\n"label": 1}\n'), "expected one JSON object")
    assert scan(write(tmp_path / name, "[score],{label}\n1,1\n"), score="[score]", label="{label}").names


def test_headers_with_empty_cells(tmp_path):
    path = write(tmp_path / "a.csv", ",label,score,\n0,1,0.5,x\n1,0,-1,y\n")
    assert read_trials(path, ids="column0").ids[0].tolist() == ["0", "1"]
    assert read_trials(path, conditions="column3").conditions["column3"].tolist() == ["x", "y"]
    message = fails(path, "'column0', 'column3': named by position, the header has no name there", weight="w")
    assert "no header was found" not in message
    headless = write(tmp_path / "b.csv", ",1,0.5\n,0,-1\n")
    assert len(read_trials(headless, label="column1", score="column2", sources="column0")) == 2
    fails(headless, "named by position: no header was found", label="column1", score="x")
    named = write(tmp_path / "c.csv", "column0,column1\n0.5,1\n-1,0\n")
    assert "position" not in fails(named, "'column0', 'column1'", score="column1", label="x")


@pytest.mark.parametrize("text", ["NA", "n/a", "N/A", "#N/A", "<NA>", ".", "?", "nan", "None", "null", "-", ""])
def test_spellings_of_a_missing_score(tmp_path, text):
    path = write(tmp_path / "a.csv", f"llr,label\n0.5,1\n{text},1\n-1,0\n")
    assert read_trials(path, missing="drop").dropped == 1


@pytest.mark.parametrize("kind", ["a.csv", "a.jsonl"])
def test_underscores_are_no_part_of_numbers(tmp_path, kind):
    rows = "llr,label\n1_000,1\n0,0\n" if kind == "a.csv" else '{"llr":"1_000","label":1}\n{"llr":0,"label":0}\n'
    fails(write(tmp_path / kind, rows), "found '1_000' at row 1; write numbers without underscores")
    path = write(tmp_path / "b.csv", "llr,label\n1,10\n0,0\n")
    fails(path, "no label equals the target '1_0'", target="1_0")


def test_blanks_around_labels_are_told(tmp_path):
    path = write(tmp_path / "a.csv", "llr;label;g\n1;yes ;a\n0;no;b\n")
    trials = read_trials(path, target="yes", conditions="g")
    assert trials.assumed[2:] == ("blanks around values of column 'label' are not part of them",)
    path = write(tmp_path / "b.csv", "llr;label;g\n1;yes; \n0;no;b\n")
    assert len(read_trials(path, target="yes", conditions="g").assumed) == 2


def test_files_of_another_kind(tmp_path):
    fails(write(tmp_path / "a.pkl", pickle.dumps({"a": [1]})), "this is a Python pickle, which is never loaded", "CSV")
    np.savez(tmp_path / "ragged.npz", score=np.arange(3.0), label=np.arange(2))
    fails(tmp_path / "ragged.npz", f"{tmp_path / 'ragged.npz'}: expected columns of one length, found score 3, label 2")
    (tmp_path / "loop.csv").symlink_to(tmp_path / "loop.csv")
    fails(tmp_path / "loop.csv", "loop.csv: cannot be opened: Too many levels of symbolic links")


@pytest.mark.skipif(not Path("/proc/self/mounts").exists(), reason="needs /proc")
def test_files_without_a_size_are_read_all_the_same():
    assert scan("/proc/self/mounts", score="column4", label="column5").names[0] == "column0"


def test_several_files_whose_columns_differ(tmp_path):
    first = write(tmp_path / "a.csv", GOOD)
    second = write(tmp_path / "b.csv", "llr,lab,x\n1,1,2\n")
    message = fails([first, second], "need the same columns", "lacks 'label'", "has 'lab', 'x' more")
    assert message.startswith(str(second))
    broken = write(tmp_path / "c.csv", "llr,label\n1,1\nx,0\n")
    message = fails([first, broken], "found 'x' at row 4")
    assert message.endswith(f"rows are counted through the files: {first} 1–2, {broken} 3–4")


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    spool = tmp_path / "spool"
    spool.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(spool))
    fails(write(tmp_path / "a.csv", LONG + "1,0,3\n"), "line 25002")
    read_trials(write(tmp_path / "b.csv", "llr,label\n1,1\r\n0,0\n"))
    assert list(spool.iterdir()) == []


EQUAL_AS_DOUBLES = [
    ("DECIMAL(20,19)", "0.1234567890123456789", "0.1234567890123456790"),
    ("DECIMAL(38,1)", "9007199254740993.5", "9007199254740994.5"),
    ("DECIMAL(38,35)", "1.00000000000000000000000000000000001", "1.00000000000000000000000000000000002"),
    ("DECIMAL(38,0)", "9007199254740993", "9007199254740992"),
    ("DECIMAL(38,35)", "1.00000000000000000000000000000000000", "1.00000000000000000000000000000000001"),
    ("HUGEINT", f"{2**127 - 1}", f"{2**127 - 29}"),
    ("UHUGEINT", f"{2**128 - 1}", f"{2**128 - 29}"),
    ("UHUGEINT", f"{2**127 + 1}", f"{2**127 + 2}"),
]


def typed(folder: Path, kind: str, *scores: str) -> str:
    """A table of a DuckDB file with scores of a type, by address."""
    rows = ", ".join(f"({score}::VARCHAR::{kind}, {row % 2})" for row, score in enumerate(f"'{s}'" for s in scores))
    with duckdb.connect(folder / "a.db") as db:
        db.execute(f"CREATE OR REPLACE TABLE t AS SELECT * FROM (VALUES {rows}) AS v(llr, label)")
        if "HUGE" not in kind:
            db.execute(f"COPY t TO '{folder / 'a.parquet'}'")
    return f"duckdb:///{folder / 'a.db'}?table=t"


@pytest.mark.parametrize(("kind", "one", "other"), EQUAL_AS_DOUBLES)
def test_different_numbers_that_would_become_one_score(tmp_path, kind, one, other):
    address = typed(tmp_path, kind, one, other)
    fails(address, "llr: expected numbers that float64 can hold", "two different scores could become equal")
    with pytest.raises(InputError, match="float64 can hold"):
        scan(address).tally()
    if "HUGE" not in kind:
        fails(tmp_path / "a.parquet", "llr: expected numbers that float64 can hold")


def test_decimals_that_only_are_rounded(tmp_path):
    """Each is its own score, whether or not a double holds it: the rule of dataframes."""
    rounded = ["0.1234567890123456789", "0.1234567890123456789", "0.2", "-0.30", "0", "9.0000000000000000001"]
    typed(tmp_path, "DECIMAL(20,19)", *rounded)
    expected = [float(text) for text in rounded]
    assert read_trials(tmp_path / "a.parquet").score.tolist() == expected
    address = typed(tmp_path, "DECIMAL(38,0)", "9007199254740993", "1")
    assert read_trials(address).score.tolist() == [2.0**53, 1.0]
    text = write(tmp_path / "a.csv", "llr,label\n0.1234567890123456789,1\n0.1234567890123456790,0\n")
    assert len(set(read_trials(text).score.tolist())) == 1


def test_decimals_in_buckets_are_those_of_their_doubles(tmp_path):
    scores = ["0.1234567890123456789", "0.1234567890123456790", "0.5", "0.5000000000000000001", "-0.1"]
    tally = scan(typed(tmp_path, "DECIMAL(20,19)", *scores)).tally((), 0.25)
    assert dict(zip(tally.rows.score.tolist(), tally.times.tolist(), strict=True)).keys() == {0.0, 0.5, -0.25}
    assert tally.times.sum() == 5
