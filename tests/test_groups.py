"""Groups: by value, crossed, numeric and boolean, and trials that belong to every group."""

import datetime as dt
import math
import time

import numpy as np
import polars as pl
import pytest

import deciban as db
from deciban.counts.groups import partition
from deciban.errors import InputError, NeedsTrialsError


def trials(**conditions):
    n = len(next(iter(conditions.values())))
    return db.Trials.from_arrays(np.arange(n), np.arange(n) % 2, conditions=conditions)


def groups(by, **conditions):
    return {group.values: (group.index.tolist(), group.shared) for group in partition(trials(**conditions), by)}


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (["b", "a", "b", "a"], {("a",): ([1, 3], 0), ("b",): ([0, 2], 0)}),
        ([10, 9, 10, 9], {("9",): ([1, 3], 0), ("10",): ([0, 2], 0)}),
        ([1.5, 1.0, 1.5, 1.0], {("1",): ([1, 3], 0), ("1.5",): ([0, 2], 0)}),
        ([True, False, True, False], {("false",): ([1, 3], 0), ("true",): ([0, 2], 0)}),
        (["a", "-", "b", None], {("a",): ([0, 1, 3], 2), ("b",): ([1, 2, 3], 2)}),
        (["a", "-", "b", "b"], {("a",): ([0, 1], 1), ("b",): ([1, 2, 3], 1)}),
        ([1.0, math.nan, 2.0, 2.0], {("1",): ([0, 1], 1), ("2",): ([1, 2, 3], 1)}),
        ([True, None, False, False], {("false",): ([1, 2, 3], 1), ("true",): ([0, 1], 1)}),
        ([10, None, 9, 9], {("9",): ([1, 2, 3], 1), ("10",): ([0, 1], 1)}),
        (np.array(["2026-01-02", "NaT", "2026-01-01", "2026-01-01"], "M8[D]"), {("2026-01-01",), ("2026-01-02",)}),
    ],
)
def test_one_column(column, expected):
    found = groups("g", g=column)
    if isinstance(expected, dict):
        assert found == expected
        assert list(found) == list(expected)
    else:
        assert set(found) == expected
        assert all(shared == 1 for _, shared in found.values())


def test_crossed():
    found = groups("a,b", a=["x", "y", "x", "y"], b=[2, 1, 1, 1])
    assert found == {("x", "1"): ([2], 0), ("x", "2"): ([0], 0), ("y", "1"): ([1, 3], 0)}
    assert groups(" a , b ", a=["x"], b=[1]) == {("x", "1"): ([0], 0)}


def test_crossed_with_a_value_missing():
    found = groups("a,b", a=["x", "y", "-", "-"], b=["p", "q", "p", "-"])
    assert found == {("x", "p"): ([0, 2, 3], 2), ("y", "q"): ([1, 3], 1)}


def test_crossed_three_ways_as_by_hand():
    generator = np.random.default_rng(3)
    columns = {name: generator.choice(["p", "q", "r", "-"], 200, p=[0.4, 0.3, 0.2, 0.1]) for name in "abc"}
    found = groups("a,b,c", **columns)
    rows = list(zip(*columns.values(), strict=True))
    expected = sorted({row for row in rows if "-" not in row})
    assert list(found) == expected
    for key, (index, shared) in found.items():
        inside = [i for i, row in enumerate(rows) if all(v in ("-", k) for v, k in zip(row, key, strict=True))]
        assert index == inside
        assert shared == sum("-" in rows[i] for i in inside)


def test_too_many_groups():
    data = trials(u=np.arange(30_000), v=np.arange(30_000) % 200, w=np.arange(30_000) // 200)
    with pytest.raises(InputError, match="by: 'u' has 30000 values, and at most 10000 groups are made: is it an id"):
        db.evaluate(data, by="u", interval="none")
    with pytest.raises(InputError, match="by: 'v,w' has 30000 values"):
        db.count(data, by="v,w")


def test_thousands_of_groups_cost_what_their_trials_cost():
    n = 400_000
    data = trials(g=np.arange(n) % 9000, h=np.where(np.arange(n) % 9001 == 0, np.nan, np.arange(n) % 5000))
    start = time.perf_counter()
    assert len(db.count(data, by="g")) == 9000
    assert len(partition(data, "h")) == 5000
    # A mask as long as the data for each group took minutes.
    assert time.perf_counter() - start < 20


def test_names_of_numbers_and_times():
    assert list(groups("g", g=[1e300, 2.0, 1e16])) == [("2",), ("1e+16",), ("1e+300",)]
    days = np.array(["2020-01-02", "2020-01-01"], "M8[us]")
    assert list(groups("g", g=days)) == [("2020-01-01",), ("2020-01-02",)]
    assert list(groups("g", g=days + np.timedelta64(90, "s"))) == [("2020-01-01 00:01:30",), ("2020-01-02 00:01:30",)]
    assert next(iter(groups("g", g=days + np.timedelta64(1, "ms")))) == ("2020-01-01 00:00:00.001000",)
    objects = np.array([dt.datetime(2020, 1, 2), None], dtype=object)
    assert list(groups("g", g=objects)) == [("2020-01-02",)]


def test_dates_are_called_alike_in_every_kind_of_file(tmp_path):
    frame = pl.DataFrame({"score": [1.0, 0.0], "label": [1, 0], "d": [dt.date(2020, 1, 1), dt.date(2020, 1, 2)]})
    frame.write_csv(tmp_path / "a.csv")
    frame.write_parquet(tmp_path / "a.parquet")
    frame.cast({"d": pl.Datetime}).write_parquet(tmp_path / "b.parquet")
    for source in (tmp_path / "a.csv", tmp_path / "a.parquet", tmp_path / "b.parquet", frame):
        assert list(db.count(db.scan(source, conditions="d"), by="d")) == ["2020-01-01", "2020-01-02"]


def test_text_that_looks_missing_is_a_group(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("score,label,g\n1,1,NULL\n0,0,NA\n2,1,-\n3,0,\n")
    assert [len(group.index) for group in partition(db.read_trials(path, conditions="g"), "g")] == [3, 3]


def test_a_column_with_a_comma_in_its_name():
    assert groups("a,b", **{"a,b": ["x", "y"], "a": ["p", "p"], "b": ["q", "q"]}) == {
        ("x",): ([0], 0),
        ("y",): ([1], 0),
    }


def test_no_group_and_no_column():
    with pytest.raises(InputError, match="every value of 'g' is null or '-'"):
        partition(trials(g=[None, "-"]), "g")
    with pytest.raises(InputError, match="no condition column 'gendre'; did you mean 'gender'"):
        partition(trials(gender=["f", "m"]), "gendre")
    with pytest.raises(InputError, match="name it in conditions= of scan or from_arrays"):
        partition(db.Trials.from_arrays([1, 2], [0, 1]), "gender")


def test_groups_in_an_evaluation():
    attack = ["-", "-", "A1", "A2", "A1", "A2"]
    data = db.Trials.from_arrays(
        [3, 1, 2, 0, -1, 4], [1, 1, 0, 0, 0, 0], conditions={"attack": attack, "set": list("aabbab")}
    )
    result = db.evaluate(data, by=["attack", "set", "attack,set", "attack"], thresholds=[1.5], interval="none")
    assert [group.by for group in result.groups] == [
        *({"attack": "A1"}, {"attack": "A2"}, {"set": "a"}, {"set": "b"}),
        *({"attack": "A1", "set": "a"}, {"attack": "A1", "set": "b"}, {"attack": "A2", "set": "b"}),
    ]
    first, second, _, one_class = result.groups[:4]
    assert (first.name, first.shared, first.trials.n_target, first.trials.n_nontarget) == ("attack=A1", 2, 2, 2)
    assert first.metrics["auc"].value == 0.75
    assert second.metrics["auc"].value == 0.5
    assert first.thresholds[0].fp == 1
    assert one_class.metrics["auc"].value is None
    assert one_class.metrics["auc"].reason == "single_class"
    assert one_class.metrics["baseline_accuracy"].value == 1
    assert one_class.thresholds[0].metrics["recall"].reason is not None
    assert one_class.trials.dropped is None
    assert "By attack (2 trials without a value belong to every group)" in str(result)
    assert "- (single_class)" in str(result)


def test_groups_use_the_prior_of_the_whole():
    data = db.Trials.from_arrays(
        [1, 2, 3, 4, 0.5, 1.5], [1, 1, 1, 0, 0, 0], scale="ln_lr", conditions={"g": list("aababb")}
    )
    result = db.evaluate(data, by="g", interval="none")
    assert {group.trials.p_target for group in result.groups} == {0.5}
    assert {group.thresholds[0].threshold for group in result.groups} == {0.0}


def test_counts_have_no_conditions():
    counts = db.Counts.from_classes([1, 2], [0, 1])
    with pytest.raises(NeedsTrialsError, match="needs trials with that condition column"):
        db.evaluate(counts, by="g", interval="none")


def test_dates_as_objects():
    days = [dt.date(2026, 1, 2), None, dt.date(2026, 1, 1), dt.date(2026, 1, 1)]
    assert list(groups("g", g=np.array(days, dtype=object))) == [("2026-01-01",), ("2026-01-02",)]
