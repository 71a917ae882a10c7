"""The record of a comparison: JSON both ways, rows, dataframes, text, CSV, lines."""

import csv
import io
import json

import pytest

import deciban as db
from deciban.errors import InputError, OptionError
from deciban.records.comparison import SCHEMA, Comparison
from deciban.records.writing import as_csv, as_markdown, as_plain

LABELS = [1, 1, 1, 0, 0, 0]


@pytest.fixture(scope="module")
def result():
    scores = {"a": [3, 2, -1, 1, 0, -2], "b": [2, -1, 3, -2, 1, 0], "c": [-9, 1, 2, 0.5, -1, -3]}
    systems = {name: db.Trials.from_arrays(s, LABELS, scale="ln_lr") for name, s in scores.items()}
    return db.compare(systems, thresholds=[0, 1], replicates=30)


def test_json_both_ways(result):
    text = result.to_json()
    assert json.loads(text)["schema"] == SCHEMA == "deciban.comparison/1"
    assert Comparison.from_json(text) == result
    assert Comparison.from_json(text).to_json() == text
    assert db.Comparison is Comparison


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda plain: plain["differences"][0].update(first="z"), r"differences\[0\].*no system 'z'"),
        (lambda plain: plain["errors"][0].update(second="z"), r"errors\[0\].*no system 'z'"),
        (lambda plain: plain["systems"]["a"]["trials"].update(n=7), "systems.a.trials: the record contradicts itself"),
        (lambda plain: plain.update(schema="deciban.evaluation/1"), "expected a record of schema deciban.comparison/1"),
        (lambda plain: plain["adjustment"].pop("tests"), "record.adjustment: missing field tests"),
    ],
)
def test_what_is_no_record(result, change, said):
    plain = json.loads(result.to_json())
    change(plain)
    with pytest.raises(InputError, match=said):
        Comparison.from_json(json.dumps(plain))


def test_difference_turned_round(result):
    one, other = result.difference("auc", "a", "b"), result.difference("auc", "b", "a")
    assert (other.first, other.second, other.value) == ("b", "a", -one.value)
    assert (other.statistic, other.p_value) == (-one.statistic, one.p_value)
    assert (other.interval.low, other.interval.high) == (-one.interval.high, -one.interval.low)
    assert other.turned() == one


def test_difference_by_name(result):
    with pytest.raises(OptionError, match="expected two of the systems a, b, c, found None and None"):
        result.difference("auc")
    with pytest.raises(OptionError, match="found 'a' and 'a'"):
        result.difference("auc", "a", "a")
    with pytest.raises(OptionError, match=r"no metric 'aucc'; did you mean 'auc'"):
        result.difference("aucc", "a", "b")
    with pytest.raises(OptionError, match="'ks' was not compared; pass it in metrics="):
        result.difference("ks", "a", "b")
    with pytest.raises(OptionError, match=r"'elub' is several figures: name one of elub.lower"):
        result.difference("elub", "a", "b")
    assert result.difference("eer:method=rocch", "a", "b") == result.difference("eer", "a", "b")


def test_rows_and_frames(result):
    rows = result.to_rows()
    assert all(tuple(row) == Comparison.COLUMNS for row in rows)
    (auc,) = (row for row in rows if (row["system"], row["less"], row["metric"]) == ("a", "b", "auc"))
    found = result.difference("auc", "a", "b")
    assert (auc["value"], auc["p_value"], auc["p_holm"]) == (found.value, found.p_value, found.p_holm)
    frame = result.to_frame("polars")
    assert frame.height == len(rows)
    assert dict(frame.schema)["p_value"] == dict(frame.schema)["threshold"]


def test_csv_and_lines(result):
    read = list(csv.DictReader(io.StringIO(as_csv(result))))
    assert len(read) == len(result.to_rows())
    lines = dict(line.rsplit(" ", 1) for line in as_plain(result).splitlines())
    assert lines["a/trials"] == "6"
    assert lines["a-b/auc"] == f"{result.difference('auc', 'a', 'b').value:.6f}"
    assert float(lines["a-b/auc.p"]) == pytest.approx(result.difference("auc", "a", "b").p_value, rel=1e-5)
    assert "a-b/mcnemar.mid-p@0" in lines
    assert "all/auc.p" in lines


def test_text(result):
    text = str(result)
    for part in ("Trials (paired by row", "Differences", "p (Holm)", "All systems equal", "McNemar", "PAIRED-ROWS"):
        assert part in text
    assert "## Differences" in as_markdown(result)
    assert "<caption>Differences</caption>" in result._repr_html_()


def test_two_systems_need_no_adjustment():
    one = db.Trials.from_arrays([3, 2, -1, 1, 0, -2], LABELS)
    text = str(db.compare({"a": one, "b": one}, metrics="auc"))
    assert "Holm" not in text
    assert "- (degenerate)" in text
