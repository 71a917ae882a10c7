"""Files of counts: what is written is what is read, and shards merge to the whole."""

import itertools
import json
import re

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.cli import options
from deciban.errors import DecibanError, InputError
from deciban.tables.counts_files import KEY, KeptCounts, write_counts
from deciban.tables.counts_reading import holds_counts, merge_files, read_counts

COUNTS = db.Counts.from_classes([0.3, 0.7, np.inf], [-np.inf, 0.1, 0.3], scale="log10_lr")


def rewritten(path, new, change="SELECT * FROM given", metadata=None):
    """The same file with other rows or another description."""
    with duckdb.connect() as connection:
        connection.execute(f"CREATE VIEW given AS SELECT * FROM '{path}'")
        found = connection.execute("SELECT value FROM parquet_kv_metadata(?)", [str(path)]).fetchall()
        text = bytes(found[0][0]).decode() if metadata is None else metadata
        text = text.replace("'", "''")
        connection.execute(f"COPY ({change}) TO '{new}' (FORMAT parquet, KV_METADATA {{'{KEY}': '{text}'}})")
    return new


@pytest.fixture
def path(tmp_path):
    place = tmp_path / "counts.parquet"
    db.save_counts(COUNTS, place)
    return place


@given(
    st.lists(st.floats(allow_nan=False), min_size=2),
    st.sampled_from([None, 0.1, 2.0**-10]),
    st.booleans(),
)
@settings(max_examples=20)
def test_what_is_read_is_what_was_written(tmp_path_factory, scores, resolution, turned):
    higher = "nontarget" if turned else "target"
    data = db.Trials.from_arrays(scores, [i % 2 for i in range(len(scores))], target=1, nontarget=0, higher=higher)
    counts, place = db.count(data, resolution=resolution), tmp_path_factory.mktemp("files") / "a.parquet"
    db.save_counts(counts, place)
    assert db.load_counts(place) == counts
    assert db.load_counts(place).sha256() == counts.sha256()


def test_units_and_groups_are_kept(tmp_path):
    place = tmp_path / "groups.parquet"
    groups = {
        name: db.Counts([0.25, 0.5], [1.5, 0], [0, 2.5], "probability", 0.3, None, True, True) for name in ("f", "m,x")
    }
    db.save_counts(groups, place)
    assert db.load_counts(place) == groups
    assert list(place.parent.iterdir()) == [place]
    assert holds_counts(str(place))
    with duckdb.connect() as connection:
        row = connection.execute(f"SELECT * FROM '{place}'").fetchone()
        names = [column[0] for column in connection.description]
    assert dict(zip(names, row, strict=True)) == {"part": 0, "score": 0.25, "n_target": 1.5, "n_nontarget": 0.0}


def test_the_same_counts_give_the_same_bytes(path, tmp_path):
    db.save_counts(COUNTS, tmp_path / "again.parquet")
    assert path.read_bytes() == (tmp_path / "again.parquet").read_bytes()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("SELECT part, score, n_target + 1 AS n_target, n_nontarget FROM given", "were changed after"),
        ("SELECT part, score + 1 AS score, n_target, n_nontarget FROM given", "were changed after"),
        ("SELECT part + 1 AS part, score, n_target, n_nontarget FROM given", "were changed after"),
        ("SELECT * FROM given LIMIT 2", "were changed after"),
        ("SELECT * FROM given ORDER BY score DESC", "were changed after"),
        ("SELECT part, nullif(score, 0.3) AS score, n_target, n_nontarget FROM given", "were changed after"),
        ("SELECT part, score, -n_target AS n_target, n_nontarget FROM given", "were changed after"),
        ("SELECT part, score, n_target FROM given", "damaged or cut short"),
        ("SELECT part, 'x' AS score, n_target, n_nontarget FROM given", "damaged or cut short"),
    ],
)
def test_changed_rows_are_found(path, tmp_path, change, message):
    new = rewritten(path, tmp_path / "new.parquet", change)
    with pytest.raises(InputError, match=f"new.parquet: .*{message}"):
        db.load_counts(new)


def test_a_changed_description_is_found(path, tmp_path):
    with duckdb.connect() as connection:
        found = connection.execute("SELECT value FROM parquet_kv_metadata(?)", [str(path)]).fetchall()
    text = bytes(found[0][0]).decode()
    for new, message in (
        (text.replace('"log10_lr"', '"ln_lr"'), "was changed after it was written"),
        (text.replace("counts/1", "counts/2"), "written by a newer version .* or count again"),
        (text.replace("counts/1", "figures"), "expected a description of the counts"),
        (json.dumps({"schema": "deciban.counts/1"}), "missing field"),
        ("nothing", "expected JSON"),
    ):
        place = rewritten(path, tmp_path / "new.parquet", metadata=new)
        with pytest.raises(InputError, match=message):
            db.load_counts(place)


def test_other_files_are_refused(path, tmp_path):
    cut, other, text = (tmp_path / name for name in ("cut.parquet", "other.parquet", "scores.csv"))
    cut.write_bytes(path.read_bytes()[:-20])
    duckdb.sql("SELECT 1 AS score").write_parquet(str(other))
    text.write_text("score,label\n1,1\n")
    for place, message in (
        (cut, "damaged or cut short"),
        (other, "holds no counts"),
        (text, "expected a file of counts"),
        (tmp_path / "none.parquet", "no such file"),
        (tmp_path, "is a folder"),
    ):
        assert not holds_counts(str(place))
        with pytest.raises(InputError, match=message):
            db.load_counts(place)
    damaged = bytearray(path.read_bytes())
    damaged[40] ^= 255
    cut.write_bytes(damaged)
    with pytest.raises(InputError):
        db.load_counts(cut)


def test_nothing_is_written_that_could_not_be_read(tmp_path):
    for data, name, message in (
        (COUNTS, "counts.csv", "ends in .parquet"),
        ({}, "counts.parquet", "found no group"),
        ({"a": COUNTS, "b": db.Counts.from_classes([1], [2])}, "counts.parquet", "a has scale 'log10_lr' and b has"),
        (COUNTS, "no/counts.parquet", "cannot be written"),
        (None, "counts.parquet", "save_counts: expected Counts"),
        ({"a": 1}, "counts.parquet", "save_counts: expected Counts"),
    ):
        with pytest.raises(DecibanError, match=message):
            db.save_counts(data, tmp_path / name)
    assert not list(tmp_path.iterdir())


@given(st.integers(0, 2**32 - 1), st.sampled_from([None, 0.1, 2.0**-4]))
@settings(max_examples=4)
def test_shards_merge_to_the_whole_in_any_order(tmp_path_factory, seed, resolution):
    rng, folder = np.random.default_rng(seed), tmp_path_factory.mktemp("shards")
    scores, labels, sex = rng.normal(0, 1, 60).round(2), rng.integers(0, 2, 60), rng.choice(["f", "m", "-"], 60)
    shard = rng.integers(0, 3, 60)
    paths = []
    for i in range(3):
        mine = shard == i
        data = db.Trials.from_arrays(scores[mine], labels[mine], target=1, nontarget=0, conditions={"sex": sex[mine]})
        groups = db.count(data, by="sex", resolution=resolution)
        kept = KeptCounts(
            whole=db.count(data, resolution=resolution),
            groups={(name,): counts for name, counts in groups.items()},
            by=("sex",),
            dropped=i,
        )
        paths.append(str(folder / f"{i}.parquet"))
        write_counts(kept, paths[-1])
    data = db.Trials.from_arrays(scores, labels, target=1, nontarget=0, conditions={"sex": sex})
    for order in itertools.permutations(paths):
        found = merge_files(order)
        assert found.all_trials() == db.count(data, resolution=resolution)
        assert {group[0]: counts for group, counts in found.groups.items()} == _all_groups(data, resolution)
        assert found.dropped == 3


def _all_groups(data, resolution):
    return db.count(data, by="sex", resolution=resolution)


def test_what_cannot_be_merged(tmp_path):
    kinds = {
        "plain": db.Counts([1.0], [1], [1]),
        "scale": db.Counts([1.0], [1], [1], "ln_lr"),
        "resolution": db.Counts([1.0], [1], [1], resolution=0.5),
        "reversed": db.Counts([1.0], [1], [1], reversed=True),
        "weighted": db.Counts([1.0], [1.0], [1.0], weighted=True),
    }
    for name, counts in kinds.items():
        db.save_counts(counts, tmp_path / f"{name}.parquet")
    for name in list(kinds)[1:]:
        with pytest.raises(InputError, match=f"plain.parquet has {name} .* and .*{name}.parquet has {name} "):
            merge_files([str(tmp_path / "plain.parquet"), str(tmp_path / f"{name}.parquet")])
    db.save_counts({"f": kinds["plain"]}, tmp_path / "groups.parquet")
    with pytest.raises(InputError, match=r"is grouped by nothing and .* by group"):
        merge_files([str(tmp_path / "plain.parquet"), str(tmp_path / "groups.parquet")])
    with pytest.raises(InputError, match="named twice"):
        merge_files([str(tmp_path / "plain.parquet")] * 2)


# The command line ----------------------------------------------------------------------------------------------------


@pytest.fixture
def shards(tmp_path):
    rng = np.random.default_rng(3)
    paths = []
    for i in range(2):
        labels, sex = rng.integers(0, 2, 400), rng.choice(["f", "m"], 400)
        rows = zip(rng.normal(2.0 * labels - 1.0, 1).tolist(), labels, sex, strict=True)
        paths.append(tmp_path / f"s{i}.csv")
        paths[-1].write_text("ln_lr,label,sex\n" + "".join(f"{s!r},{k},{g}\n" for s, k, g in rows))
    return paths


def test_count_merge_evaluate_is_evaluate(deciban, shards, tmp_path):
    kept = [tmp_path / f"c{i}.parquet" for i in range(2)]
    for csv, counts in zip(shards, kept, strict=True):
        ended = deciban("count", csv, "--by", "sex", "--resolution", "0.0078125", "-o", counts)
        assert (ended.status, ended.out) == (0, "")
        assert "in 2 groups" in ended.err
    both = tmp_path / "all.parquet"
    assert deciban("merge", *reversed(kept), "-o", both).status == 0
    common = ("--format", "json", "--cost", "preset=voxsrc", "--replicates", 20)
    from_counts = deciban("evaluate", both, *common)
    from_trials = deciban("evaluate", *shards, "--by", "sex", "--resolution", "0.0078125", *common)
    one, other = (db.Evaluation.from_json(ended.out) for ended in (from_counts, from_trials))
    assert one.metrics == other.metrics
    assert [group.metrics for group in one.groups] == [group.metrics for group in other.groups]
    assert [group.by for group in one.groups] == [{"sex": "f"}, {"sex": "m"}]
    assert one.trials.counts_sha256 == other.trials.counts_sha256
    assert one.curves == other.curves
    assert one.provenance.inputs[0].path == str(both)
    assert db.verify(one).same
    assert db.evaluate(read_counts(both), costs="preset=voxsrc", replicates=20).metrics == one.metrics


def test_exact_counts_evaluate_like_trials(deciban, shards, tmp_path):
    kept = tmp_path / "counts.parquet"
    assert deciban("count", shards[0], "-o", kept).status == 0
    common = ("--replicates", 20, "--format", "json")
    from_counts, from_trials = (deciban("evaluate", path, *common) for path in (kept, shards[0]))
    one, other = (db.Evaluation.from_json(ended.out) for ended in (from_counts, from_trials))
    assert one.metrics == other.metrics
    for row, again in zip(one.thresholds, other.thresholds, strict=True):
        assert row.metrics == again.metrics


def test_what_trials_alone_can_answer_is_refused(deciban, shards, tmp_path):
    kept, grouped = tmp_path / "counts.parquet", tmp_path / "grouped.parquet"
    deciban("count", shards[0], "-o", kept, "--resolution", "auto")
    deciban("count", shards[1], "-o", grouped, "--by", "sex")
    both = ("--system", f"a={kept}", "--system", f"b={shards[0]}")
    for arguments, message in (
        (("evaluate", kept, "--label", "x"), "--label: .* holds counts"),
        (("evaluate", kept, "--source", "x"), "--source: .* holds counts"),
        (("evaluate", kept, "--by", "x"), "--by: .* holds counts"),
        (("evaluate", kept, "--swap"), "--swap: .* holds counts"),
        (("evaluate", kept, "--resolution", "1"), "--resolution: .* holds counts"),
        (("evaluate", kept, grouped), "merge them first"),
        (("plot", "roc", kept, "--by", "sex", "-o", tmp_path / "x.svg"), "grouped by nothing"),
        (("plot", "roc", *both, "-o", tmp_path / "x.svg"), "count those"),
        (("plot", "pav", kept, "-o", tmp_path / "x.svg"), "in buckets of width"),
        (("count", shards[0], "-o", tmp_path / "x.csv"), "ends in .parquet"),
        (("count", shards[0], "-o", kept, "--resolution", "fine"), "--resolution: expected a number, found 'fine'"),
        (("count", shards[0], "-o", kept, "--max-blocks", "3"), "400 distinct scores .* --resolution"),
        (("merge", kept, grouped, "-o", tmp_path / "x.parquet"), "resolution"),
        (("merge", kept, shards[0], "-o", tmp_path / "x.parquet"), "expected a file of counts"),
        (("merge", kept, "-o", kept), "it is read from"),
    ):
        ended = deciban(*arguments)
        assert (ended.status, ended.out) == (2, "")
        assert len(ended.err.splitlines()) == 1
        assert re.search(message, ended.err), ended.err
    assert not list(tmp_path.glob("x.*"))


def test_counts_have_one_grouping(deciban, shards, tmp_path):
    ended = deciban("count", shards[0], "-o", tmp_path / "x.parquet", "--by", "sex", "--by", "file")
    assert ended.status == 2
    assert "--by: expected one grouping, found 2" in ended.err
    assert not (tmp_path / "x.parquet").exists()


def test_plots_of_counts(deciban, shards, tmp_path):
    pytest.importorskip("matplotlib")
    kept, figure = tmp_path / "grouped.parquet", tmp_path / "roc.svg"
    deciban("count", shards[0], "-o", kept, "--by", "sex", "--resolution", "0.125")
    ended = deciban("plot", "roc", kept, "-o", figure)
    assert ended.status == 0
    assert "points at their edges are exact" in ended.err
    assert figure.exists()
    assert deciban("plot", "det", kept, "--by", "sex", "-o", figure).status == 0
    assert deciban("plot", "tippett", kept, "-o", figure).status == 0


def test_missing_scores_are_told_and_kept(deciban, tmp_path):
    csv, kept = tmp_path / "a.csv", tmp_path / "a.parquet"
    csv.write_text("score,label\n0.5,1\n,1\n0.2,0\n0.1,0\n")
    assert "dropped 1 trials" in deciban("count", csv, "--missing", "drop", "-o", kept).err
    assert db.evaluate(read_counts(kept)).trials.dropped == 1
    assert (
        "1 targets and 0 nontargets count as never accepted"
        in deciban("count", csv, "--missing", "reject", "-o", kept).err
    )
    assert db.evaluate(read_counts(kept)).trials.failed == {"target": 1, "nontarget": 0}


def test_options_say_what_the_library_does():
    from deciban.counts.buckets import MAX_BLOCKS

    assert options.MAX_BLOCKS == MAX_BLOCKS


def test_a_report_is_made_of_kept_counts(deciban, path, tmp_path):
    text, saved = tmp_path / "report.md", tmp_path / "report.json"
    assert deciban("report", path, "--interval", "none", "-o", text).status == 0
    assert deciban("report", path, "--interval", "none", "-o", saved).status == 0
    assert saved.read_text() == deciban("evaluate", path, "--interval", "none", "--format", "json").out
    ended = deciban("report", path, "-o", text, "--scale", "ln_lr")
    assert ended.status == 2
    assert "--scale" in ended.err
    assert "holds counts" in ended.err
