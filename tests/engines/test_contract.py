"""The contract: every engine gives the counts that NumPy gives, to the bit, and the same record."""

from __future__ import annotations

import math
from typing import Any

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from deciban.counts.groups import members
from deciban.counts.of_trials import count_trials, width_of
from deciban.counts.tally import Tally
from deciban.errors import InputError
from deciban.tables.counting import count
from deciban.tables.scanning import scan
from deciban.tables.table import Table
from deciban.values.record import to_plain
from deciban.workflow.evaluating.evaluate import evaluate
from tests.engines.present import needed
from tests.engines.tables import CALLED, ENGINES, SOCKETS, made

pytestmark = [
    # Engines that use what others of them no longer like.
    pytest.mark.filterwarnings("ignore:Dask support is moving out of Narwhals:FutureWarning"),
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    SOCKETS,
]

SCORE = 'sc"ore; DROP TABLE x --é'
"""A column's name that is no good SQL."""

NASTY = [
    # score, narrow score, whole score, label, is target, sex, speaker, weight
    (0.0, 0.1, 1, "target", True, "f", "a", 1.0),
    (-0.0, 0.1, 1, "target", True, "f", "b", 1.0),
    (0.0, 0.2, 1, "nontarget", False, "m", "a", 2.0),
    (-0.0, 0.1, -1, "nontarget", False, None, "a", 0.5),
    (0.1, 0.1, 2**53 - 1, "target", True, "m", "c", 0.1),
    (0.1, 0.1, 2**53 - 1, "target", True, "m", "c", 0.1),
    (0.30000000000000004, 0.3, 0, "nontarget", False, "m", "c", 0.7),
    (0.3, 0.3, 0, "nontarget", False, "f", "b", 0.7),
    (math.inf, math.inf, 7, "target", True, "-", "b", 1.0),
    (math.inf, 1e30, 7, "nontarget", False, "f", "d", 0.0),
    (-math.inf, -math.inf, -7, "nontarget", False, "f", "d", 3.0),
    (-math.inf, -math.inf, -7, "nontarget", False, "f", "d", 3.0),
    (5e-324, 1e-45, 3, "target", True, "m", "d", 1.0),
    (-5e-324, -1e-45, 3, "nontarget", False, "m", "a", 1.0),
    (1.7976931348623157e308, 3.4e38, 5, "target", True, "f", "a", 1.0),
    (-1.7976931348623157e308, -3.4e38, 5, "nontarget", False, "f", "b", 1.0),
    (math.nan, math.nan, None, "target", True, "f", "a", 1.0),
    (math.nan, math.nan, None, "nontarget", False, "m", "a", 1.0),
    (None, None, None, "nontarget", False, "m", "b", 1.0),
    (None, None, None, "target", True, None, "c", 1.0),
]


def nasty() -> pa.Table:
    score, narrow, whole, label, is_target, sex, speaker, weight = zip(*NASTY, strict=True)
    return pa.table(
        {
            SCORE: pa.array(score, pa.float64()),
            "narrow": pa.array([None if value is None else np.float32(value) for value in narrow], pa.float32()),
            "whole": pa.array(whole, pa.int64()),
            "label": label,
            "is.target": is_target,
            "s`ex": sex,
            "speaker": speaker,
            "weight": weight,
        }
    )


def random_rows(seed: int, n: int) -> pa.Table:
    generator = np.random.default_rng(seed)
    is_target = generator.random(n) < 0.3
    return pa.table(
        {
            "llr": np.round(generator.normal(is_target * 2.0, 1.0), seed + 1),
            "label": np.where(is_target, "target", "nontarget"),
            "sex": pa.array(generator.choice(["f", "m", None], n).tolist(), pa.string()),
            "age": generator.integers(20, 24, n),
            "a": np.array([f"s{i}" for i in range(40)])[generator.integers(0, 40, n)],
            "b": np.array([f"s{i}" for i in range(40)])[generator.integers(0, 40, n)],
            "weight": generator.choice([0.1, 0.7, 1.0, 3.0], n),
        }
    )


def by_numpy(table: pa.Table, **declared: Any) -> Any:
    """The same columns in memory."""
    return in_memory(table, **declared).trials()


def in_memory(table: pa.Table, **declared: Any) -> Table:
    return scan({name: table.column(name).to_pylist() for name in table.column_names}, **declared)


@pytest.fixture
def engine(request: pytest.FixtureRequest, tmp_path: Any) -> Any:
    """The table in an engine: ``engine(name, table, score=…)``."""
    return lambda name, table, **declared: made(name, table, tmp_path, request, **declared)


@pytest.mark.parametrize("name", ENGINES)
def test_nasty_rows(name, engine):
    table = nasty()
    declared: dict[str, Any] = {"label": "label", "conditions": ("s`ex", "speaker")}
    for score, missing in ((SCORE, "drop"), ("narrow", "reject"), ("whole", "drop")):
        if score == "narrow" and name in ("csv", "jsonl"):
            continue  # text has the shortest digits of a float of 32 bits, and is read as a double
        scanned = engine(name, table, score=score, missing=missing, **declared)
        expected = by_numpy(table, score=score, missing=missing, **declared)
        tally = scanned.tally(["s`ex", "speaker"])
        assert isinstance(tally, Tally)
        assert count_trials(tally) == count_trials(expected)
        assert count_trials(tally).sha256() == count_trials(expected).sha256()
        assert (tally.dropped, tally.n_failed, len(tally)) == (expected.dropped, expected.n_failed, len(expected))
        assert scanned.engine == CALLED.get(name, name)
        for by in ("s`ex", "speaker", "s`ex,speaker"):
            assert dict(groups(tally, by)) == count(expected, by=by)
    with_label = engine(name, table, score=SCORE, label="is.target", missing="reject")
    assert count_trials(with_label.tally()) == count_trials(
        by_numpy(table, score=SCORE, label="is.target", missing="reject")
    )


def tally_of(table, by):
    """The table with its tally as what is read, as engines of large tables do."""
    table.read = lambda *_: table.tally([by])
    return table


@pytest.mark.parametrize("name", ENGINES)
def test_what_is_wrong_is_told_with_numbers(name, engine):
    table = nasty()
    with pytest.raises(InputError, match=r"scores: 4 missing \(NaN or null\); leave those trials out") as told:
        engine(name, table, score=SCORE, label="label").tally()
    assert "row" not in str(told.value).partition("scores:")[2]
    with pytest.raises(InputError, match=r"2 missing labels; give each trial a label; besides: .*'f' \(9\), 'm' \(8\)"):
        engine(name, table, score=SCORE, label="s`ex", missing="drop").tally()
    with pytest.raises(InputError, match=r"scores: .*found .* at 7 rows; is scale='probability'"):
        engine(name, table, score=SCORE, label="label", missing="drop", scale="probability").tally()
    with pytest.raises(InputError, match=r"unknown label 'nontarget' \(11\)"):
        engine(name, table, score=SCORE, label="label", target="target", nontarget="other").tally()


@pytest.mark.parametrize("name", ENGINES)
def test_weights_and_sources_are_counted_exactly(name, engine):
    table = random_rows(1, 700)
    declared: dict[str, Any] = {"weight": "weight", "conditions": "age"}
    tally, expected = engine(name, table, **declared).tally(["age"]), by_numpy(table, **declared)
    assert count_trials(tally) == count_trials(expected)
    assert dict(groups(tally, "age")) == count(expected, by="age")
    sourced, expected = engine(name, table, sources=("a", "b")), by_numpy(table, sources=("a", "b"))
    known = sourced.tally()
    mine, theirs = (evaluate_known(one, replicates=20) for one in (known, expected))
    assert mine == theirs


def groups(tally, by):
    return [(group.name, count_trials(part)) for group, part in members(tally, by)]


def evaluate_known(known, **options):
    """Intervals by source of a few figures."""
    from deciban.uncertainty.bootstrap.bootstrap import Figure, bootstrap
    from deciban.uncertainty.bootstrap.sources import by_source
    from deciban.workflow.intervals.replicated import Figures

    drawn = by_source(known)
    figures = [Figure(name="auc", range=(0.0, 1.0), method="percentile"), Figure(name="eer", range=(0.0, 1.0))]
    return bootstrap(drawn, Figures(drawn.blocks, None), figures, seed=3, level=0.9, **options)


@pytest.mark.parametrize("name", ENGINES)
def test_the_record_is_the_same(name, engine):
    table = random_rows(0, 900)
    scanned = engine(name, table, scale="ln_lr", conditions="sex", sources="a")
    tally_of(scanned, "sex")
    options: dict[str, Any] = {"by": "sex", "thresholds": [0.5], "replicates": 12, "curves": True}
    mine = evaluate(scanned, **options)
    theirs = evaluate(in_memory(table, scale="ln_lr", conditions="sex", sources="a"), **options)
    assert mine.provenance.engine == CALLED.get(name, name)
    assert plain(mine) == plain(theirs)


def plain(result):
    """A record without its provenance and without the rows that findings name."""
    record = to_plain(result)
    del record["provenance"]
    for part in (record, *record["groups"]):
        part["findings"] = [(f["code"], f["severity"], f["metric"]) for f in part["findings"]]
    return record


@pytest.mark.parametrize("name", ENGINES)
def test_buckets_are_those_of_numpy(name, engine):
    table = nasty()
    for score, resolution, turned in [
        (SCORE, 0.1, False),
        (SCORE, 3.0, True),
        (SCORE, 1e200, False),
        ("narrow", 0.25, False),
        ("whole", 2.0, True),
    ]:
        if score == "narrow" and name in ("csv", "jsonl"):
            continue
        declared: dict[str, Any] = {"score": score, "label": "label", "missing": "drop", "swap": turned}
        tally = engine(name, table, **declared).tally((), resolution)
        assert tally.resolution == (None if score == "whole" and name not in ("csv", "jsonl", "pandas") else resolution)
        mine = count_trials(tally, width_of(tally, resolution))
        assert mine == count(by_numpy(table, **declared), resolution=resolution)
    scanned = engine(name, table, score=SCORE, label="label", missing="drop")
    tally = scanned.tally((), "auto")
    expected = by_numpy(table, score=SCORE, label="label", missing="drop")
    assert count_trials(tally, width_of(tally, "auto")) == count(expected, resolution="auto")
    with pytest.raises(InputError, match="a probability lies in"):
        engine(name, table, score=SCORE, label="label", missing="drop", scale="probability").tally((), 0.5)


@pytest.mark.parametrize("scores", [[1.0, math.nan, 2.0], [1.0, math.nan, 1.0], [0.0, math.nan, -2.5]])
@pytest.mark.parametrize("name", ["path", "relation", "ibis", "table"])
def test_missing_scores_where_a_file_says_what_its_scores_are(name, scores, tmp_path):
    """It says between which values they lie, NaN left out, and an engine may conclude that there is none."""
    path = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(pa.table({"score": scores, "label": [1, 0, 0]}), path)
    with duckdb.connect(tmp_path / "a.db") as db:
        db.execute(f"CREATE TABLE t AS SELECT * FROM '{path}'")
    source: Any = path
    if name == "table":
        source = f"duckdb:///{tmp_path}/a.db?table=t"
    elif name == "relation":
        source = duckdb.read_parquet(str(path))
    elif name == "ibis":
        source = needed("ibis").duckdb.connect().read_parquet(path)
    for resolution, swap in ((0.3, False), (10.0, False), (10.0, True)):
        tally = scan(source, missing="drop", swap=swap).tally((), resolution)
        assert tally.dropped == 1
        expected = scan({"score": scores, "label": [1, 0, 0]}, missing="drop", swap=swap)
        assert count_trials(tally, width_of(tally, resolution)) == count(expected, resolution=resolution)
        with pytest.raises(InputError, match="scores: 1 missing"):
            scan(source, swap=swap).tally((), resolution)


def test_narrow_scores_in_dask():
    if not hasattr(nw, "Float16"):
        pytest.skip("this version of Narwhals knows no floats of 16 bits")
    dataframe = needed("dask.dataframe")
    half = pd.DataFrame({"score": np.array([0.5, 0.25, 0.5], dtype=np.float16), "label": [1, 0, 1]})
    scanned = scan(dataframe.from_pandas(half, npartitions=1))
    assert count_trials(scanned.tally()) == count_trials(scanned.trials())
    assert count_trials(scanned.tally()).score.tolist() == [0.25, 0.5]


def test_names_that_occur_twice_in_dask():
    dataframe = needed("dask.dataframe")
    twice = pd.DataFrame([[1.0, 1, 0], [2.0, 0, 1]], columns=["score", "label", "label"])
    with pytest.raises(InputError, match="column name 'label' occurs more than once"):
        scan(dataframe.from_pandas(twice, npartitions=1))
