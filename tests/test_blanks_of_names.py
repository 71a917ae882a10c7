"""Sources and ids are the same values from files, dataframes and arrays: without the blanks around their texts."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest

import deciban as db
from deciban.errors import InputError
from deciban.tables.blanks import without_blanks

ROWS = 40
TABLE = {
    "score": [float(row) for row in range(ROWS)],
    "label": ["y ", " n"] * (ROWS // 2),
    "speaker": [" a", "a", "b\u00a0", "b", "c d", "", " ", None] * (ROWS // 8),
    "utterance": [f" u{row}" if row % 3 == 0 else f"u{row} " if row % 3 == 1 else f"u{row}" for row in range(ROWS)],
    "channel": ["x ", " x", "y", "", None, "z z", " z z", "w"] * (ROWS // 8),
}
SPEAKERS = ["a", "a", "b", "b", "c d", None, None, None] * (ROWS // 8)
CHANNELS = ["x", "x", "y", None, None, "z z", "z z", "w"] * (ROWS // 8)


def ways(table, folder):
    """The table as files, dataframes and columns."""
    frame, polars, arrow = pd.DataFrame(table), pl.DataFrame(table), pa.table(table)
    frame.to_csv(folder / "a.csv", index=False)
    polars.write_parquet(folder / "a.parquet")
    polars.write_ndjson(folder / "a.jsonl")
    pyarrow.feather.write_feather(arrow, folder / "a.arrow", compression="uncompressed")
    files = {kind: folder / f"a.{kind}" for kind in ("csv", "parquet", "jsonl", "arrow")}
    frames = {"pandas": frame, "polars": polars, "lazy": polars.lazy(), "pyarrow": arrow}
    return {**files, **frames, "columns": table}


@pytest.mark.parametrize("named", [{"ids": "utterance"}, {}])
def test_sources_and_ids_are_the_same_however_a_table_comes(tmp_path, named):
    """With ids the texts of sources come one by one from a file, without them as codes."""
    read = {
        kind: db.scan(source, target="y", sources="speaker", conditions="channel", **named).trials()
        for kind, source in ways(TABLE, tmp_path).items()
    }
    columns = ("label", "channel", "speaker", *named.values())
    noted = tuple(f"blanks around values of column {name!r} are not part of them" for name in columns)
    for kind, trials in read.items():
        assert trials == read["csv"], kind
        assert np.asarray(trials.sources[0]).tolist() == SPEAKERS
        assert np.asarray(trials.conditions["channel"]).tolist() == CHANNELS
        assert [np.asarray(ids).tolist() for ids in trials.ids] == [[f"u{row}" for row in range(ROWS)] for _ in named]
        assert trials.assumed[2:] == noted


def test_a_column_of_two_roles_is_told_of_once(tmp_path):
    for kind, source in ways(TABLE, tmp_path).items():
        said = db.scan(source, target="y", sources="channel", conditions="channel", ids="channel").trials().assumed
        assert sum("'channel'" in one for one in said) == 1, kind


def test_tallies_count_by_the_same_sources(tmp_path):
    found = set()
    for source in ways(TABLE, tmp_path).values():
        tally = db.scan(source, target="y", sources="speaker", conditions="channel").tally(["channel"])
        found.add(tuple(sorted({str(value) for value in np.asarray(tally.rows.sources[0]).tolist()})))
    assert found == {("None", "a", "b", "c d")}


def test_tabs_stay_in_names_as_in_files(tmp_path):
    """DuckDB's trim, by which ids of two files find each other, leaves them."""
    table = {"score": [1.0, 0.0, 2.0], "label": [1, 0, 1], "speaker": ["\ta", "a", " a"]}
    for kind, source in ways(table, tmp_path).items():
        assert np.asarray(db.scan(source, sources="speaker").trials().sources[0]).tolist() == ["\ta", "a", "a"], kind


def test_block_of_letters_is_left_as_it_is_unless_there_are_blanks():
    plain = np.array(["s1", "s 2", "sé"])
    found = {("who", "name"): plain, ("kind", "label"): np.array([" y"])}
    assert without_blanks(found, "name")["who", "name"] is plain
    rough = without_blanks({("who", "name"): np.array(["s1 ", "", "s2"])}, "name")
    assert rough["who", "name"].tolist() == ["s1", None, "s2"]
    assert rough.notes == ["blanks around values of column 'who' are not part of them"]


def test_texts_of_several_lines_are_texts_like_others():
    texts = np.array(["a\n b", "a \nb", "\n\n", " c\n"], dtype=object)
    assert without_blanks({("who", "name"): texts}, "name")["who", "name"].tolist() == ["a\n b", "a \nb", "\n\n", "c\n"]


def test_arrays_keep_what_they_are_given():
    trials = db.Trials.from_arrays([1, 0], [1, 0], ids=[" a", "b "], sources=["c ", " d"])
    assert np.asarray(trials.ids[0]).tolist() == [" a", "b "]
    assert np.asarray(trials.sources[0]).tolist() == ["c ", " d"]


def test_a_leak_is_found_whatever_blanks_are_around_the_source(tmp_path):
    """A calibration that was fitted to a file, applied to a dataframe of the same sources."""
    score, label = np.r_[np.linspace(-1, 3, 20), np.linspace(-3, 1, 20)], [1] * 20 + [0] * 20
    who = [f"s{row}" for row in range(40)]
    pd.DataFrame({"score": score, "label": label, "who": who}).to_csv(tmp_path / "a.csv", index=False)
    fitted = db.LogisticCalibrator().fit(db.scan(tmp_path / "a.csv", sources="who").trials())
    other = pd.DataFrame({"score": score + 0.25, "label": label, "who": [f" {name}" for name in who]})
    with pytest.raises(InputError, match="LEAK: 40 of the sources"):
        fitted.apply(db.scan(other, sources="who").trials())
