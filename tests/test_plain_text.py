"""Delimited text that PyArrow reads: exactly what DuckDB reads, or left to it."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deciban as db
from deciban.errors import InputError
from deciban.tables.files import csv_files, plain_text
from deciban.tables.files.coding import FIRST
from deciban.tables.files.csv_files import CsvFile
from deciban.tables.files.dialect import Dialect
from deciban.tables.files.id_hashes import alike
from deciban.tables.files.inputs import InputFile
from deciban.tables.files.plain_text import fetch_plain
from deciban.values.coded import Coded, whole

pytest.importorskip("pyarrow")  # small files are read by it once it is there

PLAIN_NUMBERS = st.one_of(
    st.floats(-1e15, 1e15).map(repr),
    st.integers(-(2**53), 2**53).map(str),
    st.sampled_from(["0", "-0", "0.0", "-0.00", "00", "007", "1.", ".5", "-.5", "5e-324", "1E3", "1e+3", "0.1e1", ""]),
)
ODD_NUMBERS = st.sampled_from(
    [
        *("+1", "1_000", "1e400", "1e-400", "-1e-400", "0e5", "inf", "-Infinity", "nan", "NaN", "NA", "null", "-", "."),
        *("?", "1,5", "9007199254740993", "123456789012345678901", "1e", "0x10", "1d5", "true", "e5", "--", "1e5.0"),
        "0." + 330 * "0" + "1",
    ]
)
WORDS = st.sampled_from(
    ["", "target", "non", "a", "A", "1", "0", "01", "1.0", "-1", "true", "False", "nan", "inf", "a b", "x" * 40]
)
ODD = st.sampled_from(
    ["é", "\u00a0", '"', "\r", "\r\n", "\0", "\n", "\n\n", " ", "  ", "\t", ",", "#", "\\", "'", "\v", "\x1f"]
)
ROLES = st.sampled_from(["number", "label", "group", "name", "key"])


@st.composite
def texts(draw):
    """A text, how it is written, and what is wanted of it; half of them with something hostile."""
    delimiter, width = draw(st.sampled_from("\t;|, ")), draw(st.integers(1, 3))
    names = tuple("abc"[:width])
    cells = st.one_of(PLAIN_NUMBERS, ODD_NUMBERS, WORDS)
    kinds = [draw(st.sampled_from([PLAIN_NUMBERS, WORDS, cells])) for _ in names]
    header = draw(st.booleans())
    rows = draw(st.lists(st.tuples(*kinds), min_size=1, max_size=6))
    lines = [delimiter.join(row) for row in ([names] if header else []) + rows]
    text = "\n".join(lines) + draw(st.sampled_from(["\n", "\n", "", "\n\n", "\n \n"]))
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(ODD) + text[at:]
    wanted = draw(st.lists(st.tuples(st.sampled_from(names), ROLES), min_size=1, max_size=4, unique=True))
    return text or "\n", Dialect(delimiter, names, header, blank_lines=len(text) - len(text.lstrip("\n"))), wanted


def check_same(one, other, role) -> None:
    """Two columns have the same values to the bit, missing ones included; unless names, they are held alike, too."""
    if role == "key":
        one, other = alike([one, other])
    if role == "name":
        assert list(map(repr, whole(one).tolist())) == list(map(repr, whole(other).tolist()))
        return
    assert type(one) is type(other)
    if isinstance(one, Coded):
        assert one.codes.dtype == other.codes.dtype
        assert one.values.dtype == other.values.dtype
        assert set(map(repr, one.values.tolist())) == set(map(repr, other.values.tolist()))
    one, other = whole(one), whole(other)
    assert one.dtype == other.dtype
    assert np.ma.getmaskarray(one).tolist() == np.ma.getmaskarray(other).tolist()
    assert list(map(repr, one.tolist())) == list(map(repr, other.tolist()))


def both_ways(path, dialect, wanted, block=1 << 19) -> bool:
    """Read a file in both ways and compare; whether it was plain enough."""
    file = InputFile(str(path), path.name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_text, "LEAST", 0)
        patch.setattr(plain_text, "_BLOCK", block)
        found = fetch_plain(file, dialect, wanted)
        if found is None:
            return False
        patch.setattr(csv_files, "fetch_plain", lambda *_: None)
        expected = CsvFile(file, (), dialect).fetch(wanted)
    assert (found.faults, found.notes, found.times) == (expected.faults, expected.notes, expected.times)
    assert list(found) == list(expected)
    for one in wanted:
        check_same(found[one], expected[one], one[1])
    return True


@given(made=texts(), block=st.sampled_from([60, 1 << 19]))
def test_what_is_read_is_what_duckdb_reads(made, block, tmp_path_factory):
    text, dialect, wanted = made
    path = tmp_path_factory.getbasetemp() / "plain.txt"
    path.write_text(text, newline="")
    both_ways(path, dialect, wanted, block)


@pytest.mark.parametrize(
    ("text", "width", "header"),
    [
        ("0.5 target\n-0.0 non\n 5\n1e3 target", 2, False),
        ("a b\n0.5 target\n\n00. target\n\n", 2, True),
        ("0.25\n\n1\n", 1, False),
    ],
)
def test_what_is_plain_is_read(tmp_path, text, width, header):
    path = tmp_path / "a.txt"
    path.write_text(text)
    wanted = [("a", "number"), *[("b", role) for role in ("label", "group", "name", "key") if width > 1]]
    assert both_ways(path, Dialect(" ", ("a", "b")[:width], header), wanted)


@pytest.mark.parametrize("cell", ["1e-400", "0e5", "-0e0", "1e16", "inf", "NA", "1_0", "9007199254740993", " 1"])
def test_numbers_that_need_a_second_look_are_left(tmp_path, cell):
    path = tmp_path / "a.txt"
    path.write_text(f"1,x\n{cell},x\n")
    assert not both_ways(path, Dialect(",", ("a", "b"), header=False), [("a", "number")])
    assert both_ways(path, Dialect(",", ("a", "b"), header=False), [("b", "label")])


@pytest.mark.parametrize(
    "text", ["1,é\n", '1,"x"\n', "1,x\r\n", "1,x\0\n", "1,x\n1\n", "1,x\n1,x,x\n", "1, x\n", "1,x \n"]
)
@pytest.mark.parametrize("role", ["label", "name"])
def test_files_that_are_not_plain_are_left(tmp_path, text, role):
    path = tmp_path / "a.txt"
    path.write_text(text, newline="")
    assert not both_ways(path, Dialect(",", ("a", "b"), header=False), [("a", "number"), ("b", role)])


def test_packed_small_and_all_files_without_pyarrow_are_left(tmp_path, monkeypatch):
    dialect, wanted = Dialect(",", ("a", "b"), header=False), [("a", "number")]
    packed, path = tmp_path / "a.gz", tmp_path / "a.csv"
    packed.write_bytes(gzip.compress(b"1,x\n" * 2000))
    path.write_text("1,x\n" * 2000)
    assert path.stat().st_size < plain_text.LEAST
    assert fetch_plain(InputFile(str(path), "a"), dialect, wanted) is None
    assert both_ways(path, dialect, wanted)
    assert not both_ways(packed, dialect, wanted)
    monkeypatch.setattr(plain_text, "find_spec", lambda _: None)
    assert not both_ways(path, dialect, wanted)


def test_short_names_are_one_block(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("".join(f"u{row:03} v{row} {row:040}\n" for row in range(200)))
    dialect, wanted = Dialect(" ", ("a", "b", "c"), header=False), [("a", "name"), ("b", "name"), ("c", "name")]
    assert both_ways(path, dialect, wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_text, "LEAST", 0)
        found = fetch_plain(InputFile(str(path), path.name), dialect, wanted)
    assert [column.dtype.str for column in found.values()] == ["<U4", "<U4", "|O"]


def test_values_that_come_late_are_coded_alike(tmp_path):
    n = FIRST + 400
    few = ["x", "", "y"] * (n // 3) + ["late"] * (n % 3)
    many = [f"m{row % 300}" for row in range(n)]
    nearly = [f"u{row}" if row % 9 else "" for row in range(n)]
    numbers = [str(row % 2) for row in range(FIRST + 1)] + ["2"] * (n - FIRST - 1)
    path = tmp_path / "a.txt"
    path.write_text("".join(f"{' '.join(row)}\n" for row in zip(few, many, nearly, numbers, strict=True)))
    roles = ("label", "group", "name", "key")
    wanted = [(name, role) for name in "abcd" for role in roles]
    assert both_ways(path, Dialect(" ", tuple("abcd"), header=False), wanted)


@pytest.mark.parametrize("block", [1 << 19, 1000])
def test_nothing_in_a_column_of_several_blocks(tmp_path, block):
    path = tmp_path / "a.txt"
    rows = [
        (f"{'' if row in (9, 700) else 'fm'[row % 2]}", "" if row == 9 else f"n{row}", row % 7) for row in range(800)
    ]
    path.write_text("".join(f"{few},{many},{number if number else ''}\n" for few, many, number in rows))
    roles = ("label", "group", "name", "key")
    wanted = [*((name, role) for name in "ab" for role in roles), ("c", "number")]
    assert both_ways(path, Dialect(",", tuple("abc"), header=False), wanted, block)


def test_many_short_texts_are_not_padded_to_a_long_one(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_text("".join(f"{'x' * (60 if row == 5 else 3)}{row:03}\n" for row in range(100)))
    monkeypatch.setattr(plain_text, "_MOST_LETTERS", 6000)
    dialect, wanted = Dialect(" ", ("a",), header=False), [("a", "key"), ("a", "name")]
    assert both_ways(path, dialect, wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_text, "LEAST", 0)
        found = fetch_plain(InputFile(str(path), path.name), dialect, wanted)
    assert [column.dtype.kind for column in found.values()] == ["u", "O"]


@pytest.fixture
def ways(monkeypatch):
    """Read trials with PyArrow for the files that are named, and say which it has read."""

    def read(*plain, **given):
        taken = []

        def some(file, dialect, wanted):
            found = fetch_plain(file, dialect, wanted) if file.name.endswith(plain) else None
            taken.extend([file.name] if found is not None else [])
            return found

        monkeypatch.setattr(plain_text, "LEAST", 0)
        monkeypatch.setattr(csv_files, "fetch_plain", some)
        return db.scan(**given).trials(), len(taken)

    return read


def check_trials(one, other):
    assert one.score.tolist() == other.score.tolist()
    assert one.is_target.tolist() == other.is_target.tolist()
    assert [ids.tolist() for ids in one.ids] == [ids.tolist() for ids in other.ids]
    assert [ids.tolist() for ids in one.sources] == [ids.tolist() for ids in other.sources]
    assert {name: values.tolist() for name, values in one.conditions.items()} == {
        name: values.tolist() for name, values in other.conditions.items()
    }
    assert one.assumed == other.assumed
    assert one == other


def test_trials_are_the_same(tmp_path, ways):
    path = tmp_path / "a.csv"
    rows = [
        f"{score},{label},t{score},s{score % 3},{'' if score % 5 else 'far'}"
        for score, label in enumerate("1010110" * 4)
    ]
    path.write_text("\n".join(["score,label,trial,speaker,room", *rows]))
    given = {"source": path, "sources": "speaker", "conditions": "room", "ids": ("speaker", "trial")}
    plain, taken = ways(".csv", **given)
    other, none = ways("nothing", **given)
    assert (taken, none) == (1, 0)
    check_trials(plain, other)


@pytest.mark.parametrize("plain", [("scores", "key"), ("scores",), ("key",)])
def test_scores_and_key_meet_however_each_is_read(tmp_path, ways, plain):
    scores, key = tmp_path / "scores", tmp_path / "key"
    scores.write_text("".join(f"a{row % 7} b{row} {row / 8}\n" for row in range(50)))
    key.write_text("".join(f"a{row % 7} b{row} {'non' * (row % 3 > 0)}target\n" for row in reversed(range(50))))
    given = {"source": scores, "key": key, "reader": "kaldi", "ids": None}
    found, taken = ways(*plain, **given)
    other, none = ways("nothing", **given)
    assert (taken, none) == (len(plain), 0)
    check_trials(found, other)


def test_what_is_wrong_is_told_as_ever(tmp_path, ways):
    path = tmp_path / "a.csv"
    path.write_text("score,label\n1,1\n1e400,0\nx,1\n")
    with pytest.raises(InputError) as plain:
        ways(".csv", source=path)
    with pytest.raises(InputError) as other:
        ways("nothing", source=path)
    assert str(plain.value) == str(other.value)
