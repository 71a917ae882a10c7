"""Where trials are counted: engines always count; files and dataframes only when they are large and scores repeat."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import deciban.tables.engines
from deciban.counts.tally import Tally
from deciban.errors import InputError
from deciban.tables.counting import count
from deciban.tables.files import source
from deciban.tables.files.source import FileSource
from deciban.tables.scanning import scan
from deciban.trials.trials import Trials
from deciban.workflow.choose import choose_threshold
from deciban.workflow.evaluating.evaluate import evaluate
from tests.engines.test_contract import plain, random_rows


@pytest.fixture
def small_is_large(monkeypatch):
    """Tables of a hundred rows are large."""
    for module in (deciban.tables.frames, source):
        monkeypatch.setattr(module, "LARGE", 100)


def written(folder, table, kind):
    frame = pl.from_arrow(table)
    path = folder / f"trials.{kind}"
    {"csv": frame.write_csv, "parquet": frame.write_parquet, "jsonl": frame.write_ndjson}[kind](path)
    return path


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_large_files_whose_scores_repeat(kind, tmp_path, small_is_large):
    repeated, distinct = random_rows(0, 1000), random_rows(9, 1000)
    assert isinstance(scan(written(tmp_path, repeated, kind)).read(), Tally)
    assert isinstance(scan(written(tmp_path, distinct, kind)).read(), Trials)


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("resolution", [2.0**-12, "auto"])
def test_large_files_are_counted_in_buckets(kind, resolution, tmp_path, small_is_large, monkeypatch):
    distinct = random_rows(14, 1000)
    scanned = scan(written(tmp_path, distinct, kind))
    tried: list[float | None] = []
    tally = FileSource.tally

    def noted(self, wanted, grouping):
        tried.append(grouping.key and grouping.key.resolution)
        return tally(self, wanted, grouping)

    monkeypatch.setattr(FileSource, "tally", noted)
    counts = count(scanned, resolution=resolution)
    assert scanned.engine == "duckdb"
    assert None not in tried  # scores that are all different are not tried one by one
    assert counts == count(scan(distinct), resolution=resolution)


def test_large_frames_whose_scores_repeat(small_is_large):
    assert isinstance(scan(pl.from_arrow(random_rows(0, 1000))).read(), Tally)
    assert isinstance(scan(pl.from_arrow(random_rows(9, 1000))).read(), Trials)
    assert isinstance(scan(pl.from_arrow(random_rows(0, 100))).read(), Trials)


def test_small_files_go_the_way_of_numpy(tmp_path):
    table = scan(written(tmp_path, random_rows(0, 1000), "parquet"))
    assert isinstance(table.read(), Trials)
    assert table.engine == "numpy"


@pytest.mark.parametrize(("number", "few"), [(10, True), (1000, True), (10**5, True), (10**6, True), (10**7, False)])
def test_whether_scores_repeat(number, few):
    scores = np.random.default_rng(0).integers(0, number, 20_000)
    assert deciban.tables.engines.scores_repeat(10**7, scores.size, np.unique(scores).size) is few
    assert not deciban.tables.engines.scores_repeat(10**9, 20_000, 20_000)


def test_a_large_file_gives_the_record_of_a_small_one(tmp_path, monkeypatch, small_is_large):
    table, options = random_rows(0, 800), {"by": "sex,age", "replicates": 10, "thresholds": [0.25]}
    scanned = scan(written(tmp_path, table, "parquet"), scale="ln_lr", conditions="sex,age")
    large = evaluate(scanned, **options)
    monkeypatch.undo()
    small = evaluate(scanned, **options)
    assert (large.provenance.engine, small.provenance.engine) == ("duckdb", "numpy")
    assert large.provenance.inputs == small.provenance.inputs
    assert plain(large) == plain(small)
    assert choose_threshold(scanned, "eer").threshold == choose_threshold(scanned.trials(), "eer").threshold


def test_weights_are_drawn_with_the_trials_that_carry_them(tmp_path, small_is_large, monkeypatch):
    scanned = scan(written(tmp_path, random_rows(0, 300), "parquet"), weight="weight")
    large = evaluate(scanned, replicates=10)
    monkeypatch.undo()
    assert plain(large) == plain(evaluate(scanned, replicates=10))


def test_too_many_groups(monkeypatch):
    lazy = pl.from_arrow(random_rows(9, 500)).lazy()
    monkeypatch.setattr("deciban.tables.table.MOST_FETCHED", 100)
    told = r"table: 500 different combinations of 'llr', 'label', 'sex', and at most 100 are fetched; count in buckets"
    with pytest.raises(InputError, match=told):
        count(scan(lazy, conditions="sex"), by="sex", max_blocks=50)
    coarse = count(scan(lazy), resolution=1.0, max_blocks=50)
    assert coarse == count(scan(random_rows(9, 500)), resolution=1.0)
    by_itself = count(scan(lazy), resolution="auto", max_blocks=10**6)
    assert by_itself == count(scan(random_rows(9, 500)), resolution="auto")


def test_auto_of_scores_that_are_too_many(monkeypatch):
    table = random_rows(9, 5000)
    monkeypatch.setattr("deciban.tables.table.MOST_FETCHED", 4000)
    tally = scan(pl.from_arrow(table).lazy()).tally((), 2.0**-7)
    with pytest.raises(InputError, match="at most 4000 are fetched"):
        scan(pl.from_arrow(table).lazy()).read((), "auto", 1)  # so fine that nothing is gained here
    assert isinstance(tally, Tally)


def test_rows_that_are_too_many_to_be_read(tmp_path, monkeypatch, small_is_large):
    monkeypatch.setattr(source, "MOST_READ", 200)
    path = written(tmp_path, random_rows(9, 1000), "parquet")
    with pytest.raises(InputError, match=r"1000 rows are too many to be read one by one \(at most 200\)"):
        scan(path).trials()


def test_a_missing_source_is_counted():
    lazy = pl.from_arrow(random_rows(0, 50)).lazy().with_columns(a=pl.when(pl.col("age") > 22).then("a"))
    with pytest.raises(InputError, match=r"sources 1: \d+ trials without a source"):
        evaluate(scan(lazy, sources="a"), replicates=5)
