"""Reading files of every kind: the values that come back, and what is assumed on the way."""

import csv
import gzip
import hashlib
import io
import json
import math
import struct
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deciban.errors import InputError
from deciban.tables.files.coding import BLANKS
from deciban.tables.scanning import read_trials, scan
from deciban.trials.trials import Trials

ROWS = "llr,label,spk,sex\n2.5,target,s1,f\n-1.25,nontarget,007,m\ninf,target,s1,\n"


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def zstd(data: bytes) -> bytes:
    packed: bytes = pa.compress(data, codec="zstd", asbytes=True)
    return packed


def check_rows(trials: Trials) -> None:
    assert trials.score.tolist() == [2.5, -1.25, math.inf]
    assert trials.is_target.tolist() == [True, False, True]
    assert trials.sources[0].tolist() == ["s1", "007", "s1"]
    assert trials.conditions["sex"].tolist() == ["f", "m", None]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_delimiters_line_ends_and_bom(tmp_path, delimiter, end, bom):
    text = bom + ROWS.replace(",", delimiter).replace("\n", end)
    for content in (text, text.removesuffix(end)):
        check_rows(read_trials(write(tmp_path / "a.txt", content), sources="spk", conditions="sex"))


@pytest.mark.parametrize("blank", ["\n", "\r\n", "\n\r\n", "\r"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_blank_lines_before_the_header_may_end_in_another_way(tmp_path, blank, end):
    path = write(tmp_path / "a.csv", blank + ROWS.replace("\n", end))
    check_rows(read_trials(path, sources="spk", conditions="sex"))


@pytest.mark.parametrize("name", ["a.csv.gz", "a.csv.zst", "packed"])
def test_packed_text(tmp_path, name):
    pack = zstd if name.endswith("zst") else gzip.compress
    packed = pack(ROWS.encode())
    table = scan(write(tmp_path / name, packed), sources="spk", conditions="sex")
    check_rows(table.trials())
    assert table.inputs[0].sha256 == hashlib.sha256(packed).hexdigest()


def test_gz_of_several_members_is_read_to_its_end(tmp_path):
    head, tail = ROWS[:40].encode(), ROWS[40:].encode()
    path = write(tmp_path / "a.csv.gz", gzip.compress(head) + gzip.compress(tail))
    check_rows(read_trials(path, sources="spk", conditions="sex"))


def test_zst_of_several_frames_and_skippable_ones(tmp_path):
    skippable = struct.pack("<II", 0x184D2A53, 3) + b"abc"
    path = write(tmp_path / "a.csv.zst", zstd(ROWS[:40].encode()) + skippable + zstd(ROWS[40:].encode()))
    check_rows(read_trials(path, sources="spk", conditions="sex"))


def test_assumptions_and_fingerprint(tmp_path):
    path = write(tmp_path / "a.csv", "ln_lr,same\n0.5,1\n-2,0\n")
    assert scan(path).inputs == ()
    table = scan(path)
    assert table.columns.score == "ln_lr"
    assert table.columns.scale == "ln_lr"
    trials = table.trials()
    assert trials.assumed == (
        "label column 'same' (usual name)",
        "score column 'ln_lr' (usual name)",
        "scale ln_lr (from the name of column 'ln_lr')",
        "label 1 taken as target, 0 as nontarget",
    )
    found = table.inputs[0]
    assert (found.path, found.bytes, found.rows) == (str(path), 22, 2)
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", ["llr", "log_lr", "LLR"])
def test_llr_does_not_imply_a_scale(tmp_path, name):
    assert scan(write(tmp_path / "a.csv", f"{name},label\n0.5,1\n-2,0\n")).columns.scale == "score"


@pytest.mark.parametrize("name", ["prob", "Probability", "proba"])
def test_probability_names_imply_the_scale(tmp_path, name):
    path = write(tmp_path / "a.csv", f"{name},label\n0.5,1\n0.25,0\n")
    assert scan(path).columns.scale == "probability"
    assert scan(path, scale="score").columns.scale == "score"


def test_names_are_found_whatever_other_roles_take(tmp_path):
    path = write(tmp_path / "a.csv", "score,key,label,w\n1,k1,1,2\n0,k2,0,3\n")
    trials = read_trials(path, ids="key", weight="w")
    assert trials.ids[0].tolist() == ["k1", "k2"]
    assert trials.weight is not None
    assert trials.weight.tolist() == [2.0, 3.0]


def test_distance_needs_a_direction(tmp_path):
    path = write(tmp_path / "a.csv", "distance,label\n0.5,1\n2,0\n")
    with pytest.raises(InputError, match="higher='nontarget'"):
        scan(path)
    assert read_trials(path, higher="nontarget").score.tolist() == [-0.5, -2.0]
    assert read_trials(path, score="distance").score.tolist() == [0.5, 2.0]


def test_a_file_without_header_is_read_by_position(tmp_path):
    path = write(tmp_path / "a.txt", "u1 u2 0.5 target\nu3 u4 0.25 nontarget\n")
    trials = read_trials(path, score="column2", label="column3", sources=("column0", "column1"))
    assert trials.score.tolist() == [0.5, 0.25]
    assert trials.sources[0].tolist() == ["u1", "u3"]
    with pytest.raises(InputError, match="no header was found"):
        scan(path, reader="table")


def test_numeric_header_is_a_header_only_when_asked_for(tmp_path):
    path = write(tmp_path / "a.csv", "0,1\n0.5,1\n0.25,0\n")
    assert read_trials(path, score="0", label="1").score.tolist() == [0.5, 0.25]
    assert read_trials(path, score="column0", label="column1", target=1).score.tolist() == [0.0, 0.5, 0.25]
    with pytest.raises(InputError, match="no column has a usual name"):
        scan(path)


def test_columns_aligned_with_blanks(tmp_path):
    path = write(tmp_path / "a.txt", "  utt    score label\n  long_u  0.5   1\n  u     -0.25   0\n")
    assert read_trials(path, ids="utt").ids[0].tolist() == ["long_u", "u"]


def test_mixed_line_ends(tmp_path):
    path = write(tmp_path / "a.csv", "llr,label\n1,1\r\n0,0\n0.5,1\r")
    assert read_trials(path).score.tolist() == [1.0, 0.0, 0.5]


def test_quoted_fields(tmp_path):
    path = write(tmp_path / "a.csv", 'llr,"la\nbel",id\n1,1,"x, ""y""\nz"\n\n0,0,"007"\n')
    trials = read_trials(path, label="la\nbel", ids="id")
    assert trials.ids[0].tolist() == ['x, "y"\nz', "007"]


@pytest.mark.parametrize("name", ['it\'s "here".csv', "[1]*?.csv", "{a,b}.csv", "x=1.csv", "ü ñ.csv", "a;b--.csv"])
def test_any_file_name(tmp_path, name):
    write(tmp_path / "1x.csv", "llr,label\n9,1\n8,0\n")
    assert read_trials(write(tmp_path / name, "llr,label\n1,1\n0,0\n")).score.tolist() == [1.0, 0.0]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_any_column_name(tmp_path, suffix):
    score, label = 'it\'s "a"; score', "étiquette {}"
    frame = pl.DataFrame({score: [1.5, -2.0], label: ["target", "nontarget"]})
    path = tmp_path / f"a.{suffix}"
    write_frame = getattr(frame, {"csv": "write_csv", "jsonl": "write_ndjson", "parquet": "write_parquet"}[suffix])
    write_frame(path)
    trials = read_trials(path, score=score, label=label)
    assert trials.score.tolist() == [1.5, -2.0]
    assert trials.is_target.tolist() == [True, False]


def test_missing_spellings_and_infinities(tmp_path):
    spelled = ["", "-", "NA", "nan", "NaN", "null", "None", " ", '""']
    infinite = ["inf", "-inf", "Infinity", "-Infinity", "+inf", " INF "]
    rows = "".join(f"{text},1\n0,0\n" for text in spelled + infinite)
    trials = read_trials(write(tmp_path / "a.csv", "llr,label\n" + rows), missing="drop")
    assert trials.dropped == len(spelled)
    assert trials.score[trials.is_target].tolist() == [math.inf, -math.inf, math.inf, -math.inf, math.inf, math.inf]


def test_missing_words_are_words_in_text_columns(tmp_path):
    path = write(tmp_path / "a.csv", "llr,label,id,spk\n1,-,NA,None\n0,+,null,nan\n")
    trials = read_trials(path, target="+", ids="id", sources="spk")
    assert trials.is_target.tolist() == [False, True]
    assert trials.ids[0].tolist() == ["NA", "null"]
    assert trials.sources[0].tolist() == ["None", "nan"]


def test_labels_are_typed_by_all_of_their_values(tmp_path):
    rows = "".join(f"{index},{index % 2}\n" for index in range(50_000))
    path = write(tmp_path / "a.csv", "llr,label\n" + rows + "7,TRUE\n")
    with pytest.raises(InputError, match=r"'0' \(25000\), '1' \(25000\), 'TRUE' \(1\)"):
        read_trials(path)
    assert read_trials(path, target=["1", "TRUE"]).is_target.sum() == 25_001


@pytest.mark.parametrize(
    ("one", "zero"), [("1", "0"), ("1.0", "0.0"), ("TRUE", "FALSE"), ("1", "-1"), ("true", "false")]
)
def test_recognised_label_spellings(tmp_path, one, zero):
    path = write(tmp_path / "a.csv", f"llr,label\n1,{one}\n0,{zero}\n")
    assert read_trials(path).is_target.tolist() == [True, False]
    assert read_trials(path, target=1).is_target.tolist() == [True, False]


def test_group_numbers_sort_as_numbers_but_names_stay(tmp_path):
    trials = read_trials(
        write(tmp_path / "a.csv", "llr,label,level,code,x\n1,1,10,010,1.50\n0,0,9,009,2.5\n"),
        conditions=("level", "code,x"),
    )
    assert trials.conditions["level"].tolist() == [10, 9]
    assert trials.conditions["code"].tolist() == ["010", "009"]
    assert trials.conditions["x"].tolist() == ["1.50", "2.5"]


def test_one_row(tmp_path):
    assert len(read_trials(write(tmp_path / "a.csv", "llr,label\n1,1\n"), target=1)) == 1


def test_json_lines(tmp_path):
    lines = (
        '{"llr": 0.1, "label": true, "id": "01"}\n\n'
        '{"label": false, "llr": "-Infinity", "x": [1]}\n{"llr": NaN, "label": true}\n'
    )
    path = write(tmp_path / "a.jsonl", lines)
    trials = read_trials(path, missing="drop", ids="id")
    assert trials.score.tolist() == [0.1, -math.inf]
    assert trials.ids[0].tolist() == ["01", None]
    packed = read_trials(write(tmp_path / "a.jsonl.gz", gzip.compress(lines.encode())), missing="drop")
    assert packed.score.tolist() == [0.1, -math.inf]


def test_json_array(tmp_path):
    path = write(
        tmp_path / "a.json", json.dumps([{"llr": 0.5, "label": 1}, {"llr": -1, "label": 0, "more": None}], indent=1)
    )
    assert read_trials(path).score.tolist() == [0.5, -1.0]
    path = write(tmp_path / "long.json", json.dumps([{"llr": index, "label": index % 2} for index in range(200_000)]))
    assert read_trials(path).score[-1] == 199_999.0


def test_parquet_types(tmp_path):
    path = tmp_path / "a.parquet"
    duckdb.sql(
        f"""COPY (SELECT 1.25::DECIMAL(10,2) AS d2, 3::HUGEINT huge, 7::UTINYINT tiny, NULL::DOUBLE gone, 0.1::FLOAT f,
        true AS label, 'a'::VARCHAR c, 5 AS g, DATE '2020-01-02' d
        UNION ALL SELECT -2.5, 4, 8, 1.5, 0.2, false, NULL, NULL, NULL) TO '{path}'"""
    )
    for name, expected in {"d2": [1.25, -2.5], "huge": [3, 4], "tiny": [7, 8]}.items():
        assert read_trials(path, score=name).score.tolist() == expected
    assert read_trials(path, score="f").score.tolist() == [float(np.float32(0.1)), float(np.float32(0.2))]
    trials = read_trials(path, score="gone", missing="drop", conditions=("c", "g", "d"))
    assert trials.dropped == 1
    trials = read_trials(path, score="tiny", conditions=("c", "g"))
    assert trials.conditions["c"].tolist() == ["a", None]
    assert trials.conditions["g"].tolist() == [5, None]


def test_arrow_files(tmp_path):
    table = pa.table(
        {"llr": [0.5, None, 1.0], "label": pa.array(["target", "nontarget", "nontarget"]).dictionary_encode()}
    )
    pyarrow.feather.write_feather(table, str(tmp_path / "a.feather"), compression="uncompressed")
    pyarrow.feather.write_feather(table, str(tmp_path / "z.feather"), compression="zstd")
    with pa.OSFile(str(tmp_path / "a.arrow"), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    for name in ("a.feather", "z.feather", "a.arrow"):
        trials = read_trials(tmp_path / name, missing="drop")
        assert trials.score.tolist() == [0.5, 1.0]
        assert trials.is_target.tolist() == [True, False]


def test_numpy_files(tmp_path):
    records = np.array([(0.5, 1), (-1.0, 0)], dtype=[("score", "f4"), ("label", "i1")])
    np.save(tmp_path / "a.npy", records)
    np.save(tmp_path / "b.npy", np.array([[0.5, 1.0], [-1.0, 0.0]]))
    np.savez(tmp_path / "c.npz", score=records["score"], label=np.array(["target", "nontarget"]), other=np.eye(2))
    assert read_trials(tmp_path / "a.npy").score.tolist() == [0.5, -1.0]
    assert read_trials(tmp_path / "b.npy", score="column0", label="column1").is_target.tolist() == [True, False]
    assert read_trials(tmp_path / "c.npz").is_target.tolist() == [True, False]


def test_several_files_are_one_table(tmp_path):
    first = write(tmp_path / "b1.csv", "llr,label\n1,1\n0,0\n")
    second = write(tmp_path / "b2.csv", "label;llr\n0;0.25\n")
    third = write(tmp_path / "b3.jsonl", '{"llr": null, "label": 1}\n')
    table = scan(str(tmp_path / "b*"), conditions="file", missing="drop")
    trials = table.trials()
    assert trials.score.tolist() == [1.0, 0.0, 0.25]
    assert trials.is_target.tolist() == [True, False, False]
    assert trials.conditions["file"].tolist() == [str(first), str(first), str(second)]
    assert [item.rows for item in table.inputs] == [2, 1, 1]
    assert scan([first, third]).names == ("llr", "label", "file")
    assert scan(first).names == ("llr", "label")


def test_several_files_whose_label_kinds_differ(tmp_path):
    write(tmp_path / "1.csv", "llr,label\n1,1\n0,0\n")
    write(tmp_path / "2.csv", "llr,label\n1,target\n0,0\n")
    trials = read_trials([tmp_path / "1.csv", tmp_path / "2.csv"], target=[1, "target"])
    assert trials.is_target.tolist() == [True, False, True, False]


def test_standard_input(tmp_path):
    code = "from deciban.tables.scanning import scan; t = scan('-'); print(t.trials().score.tolist(), t.inputs[0].path)"
    for data in (ROWS.encode(), gzip.compress(ROWS.encode())):
        done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True)
        assert done.stdout.decode().split("\n")[0] == "[2.5, -1.25, inf] -"


def test_only_named_columns_need_to_be_sound(tmp_path):
    path = write(tmp_path / "a.csv", "llr,label,note\n1,1,abc\n0,0,\n")
    assert len(read_trials(path)) == 2


def test_the_order_of_many_rows_is_kept(tmp_path):
    values = np.random.default_rng(1).normal(size=300_000)
    text = "llr,label,id\n" + "".join(
        f"{value!r},{index % 2},n{index}\n" for index, value in enumerate(values.tolist())
    )
    trials = read_trials(write(tmp_path / "a.csv", text), ids="id")
    assert np.array_equal(trials.score, values)
    assert trials.ids[0][[0, 123_456, 299_999]].tolist() == ["n0", "n123456", "n299999"]


FLOATS = st.floats(allow_nan=True, allow_infinity=True, allow_subnormal=True)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r", exclude_categories=["Cs"]), max_size=8)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(FLOATS, st.booleans(), TEXTS), min_size=1, max_size=20),
    delimiter=st.sampled_from([",", ";", "\t", "|", " "]),
    end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_what_the_csv_module_writes_comes_back(tmp_path, rows, delimiter, end, quoting):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting)
    writer.writerow(["llr", "label", "id"])
    writer.writerows([repr(score), int(label), text] for score, label, text in rows)
    path = write(tmp_path / "a.csv", out.getvalue())
    kept = [row for row in rows if not math.isnan(row[0])]
    target = max(label for _, label, _ in rows)  # The validator wants at least one target.
    if not kept:
        with pytest.raises(InputError, match="all are missing"):
            read_trials(path, target=target, nontarget=not target, missing="drop", ids="id")
        return
    trials = read_trials(path, target=target, nontarget=not target, missing="drop", ids="id")
    assert trials.score.tobytes() == np.array([score for score, _, _ in kept]).tobytes()
    assert trials.is_target.tolist() == [label == target for _, label, _ in kept]
    assert [text or "" for text in trials.ids[0].tolist()] == [text.strip(BLANKS.strip("\t")) for _, _, text in kept]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    body=st.text(st.sampled_from(list('01.,;|\t "\n\r#-ae')), max_size=40),
    header=st.sampled_from(["llr,label\n", "llr;label\r\n", "llr\tlabel\tx\n", "llr label\n", '"llr",label\n', ""]),
)
def test_any_text_is_read_as_the_csv_module_reads_it_or_refused(tmp_path, body, header):
    path = write(tmp_path / "a.csv", header + body)
    try:
        trials = read_trials(path, target=1, missing="drop", ids="llr")
    except InputError:
        return
    delimiter = next(mark for mark in ",;\t |" if mark in header)
    reader = csv.reader(
        io.StringIO(header + body, newline=""), delimiter=delimiter, strict=True, skipinitialspace=delimiter != " "
    )
    records = [row for row in reader if row]
    expected = [(float(row[0]), float(row[1])) for row in records[1:] if row[0].strip() not in ("", "-")]
    assert trials.score.tolist() == [score for score, _ in expected]
    assert trials.is_target.tolist() == [label == 1.0 for _, label in expected]
