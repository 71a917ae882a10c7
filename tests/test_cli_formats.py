"""Keys and readers on the command line, and tables made of other formats."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import deciban as db
from deciban.tables.column_names import USUAL_LABEL, USUAL_SCORE
from tests.format_examples import EXAMPLES

TRIALS = 400
AS_JSON = ("--interval", "none", "--format", "json")


@pytest.fixture
def files(tmp_path):
    """Two systems with a common key, each in its own order, as Kaldi writes them."""
    rng = np.random.default_rng(3)
    is_target = np.arange(TRIALS) % 4 == 0
    for name in ("one", "two"):
        score = rng.normal(size=TRIALS) + 2 * is_target
        lines = [
            f"m{at % 20} s{at} {score[at]!r}\n".replace("np.float64(", "").replace(")", "") for at in range(TRIALS)
        ]
        (tmp_path / f"{name}.scores").write_text("".join(lines[at] for at in rng.permutation(TRIALS)))
    words = np.where(is_target, "target", "nontarget")
    (tmp_path / "trials").write_text("".join(f"m{at % 20} s{at} {words[at]}\n" for at in range(TRIALS)))
    return tmp_path


def test_readers_are_listed(deciban):
    done = deciban("evaluate", "--reader", "list")
    assert done.status == 0
    assert [line.split()[0] for line in done.out.splitlines()][:3] == ["two-class", "kaldi", "voxceleb"]


def test_evaluate_with_a_key_says_what_was_recognised(deciban, files):
    done = deciban(
        "evaluate", files / "one.scores", "--key", files / "trials", "--interval", "none", "--format", "json"
    )
    assert done.status == 0
    assert f"assumed: reader kaldi (by {files / 'one.scores'} and {files / 'trials'})" in done.err
    record = json.loads(done.out)
    assert [file["rows"] for file in record["provenance"]["inputs"]] == [TRIALS, TRIALS]
    columns = record["provenance"]["columns"]
    assert (columns["reader"], columns["key"]) == ("kaldi", str(files / "trials"))
    trials = db.scan(files / "one.scores", key=files / "trials").trials()
    assert record["metrics"]["auc"]["value"] == db.auc(db.count(trials))


def test_a_record_with_a_key_is_verified(deciban, files):
    done = deciban(
        "evaluate", files / "one.scores", "--key", files / "trials", "--interval", "none", "--format", "json"
    )
    (files / "record.json").write_text(done.out, encoding="utf-8")
    assert deciban("verify", files / "record.json").status == 0
    moved = files / "elsewhere"
    moved.mkdir()
    for name in ("one.scores", "trials", "record.json"):
        (files / name).rename(moved / name)
    assert deciban("verify", moved / "record.json").status == 0
    for name in ("one.scores", "trials", "record.json"):
        (moved / name).rename(files / name)
    (files / "trials").write_text((files / "trials").read_text().replace("s0 target", "s0 nontarget"))
    assert deciban("verify", files / "record.json").status == 1


def test_systems_in_different_orders_are_compared_by_ids(deciban, files):
    systems = [f"{name}={files / name}.scores" for name in ("one", "two")]
    done = deciban(
        "compare", "--system", systems[0], "--system", systems[1], "--key", files / "trials", "--format", "json",
        "--metric", "auc", "--interval", "none",
    )  # fmt: skip
    assert done.status == 0, done.err
    assert json.loads(done.out)["pairing"]["by"] == "ids"


@pytest.mark.parametrize(
    "command",
    [
        ("threshold", "--at", "eer", "--interval", "none"),
        ("calibrate", "fit"),
        ("plot", "roc", "-o", "roc.svg"),
        ("report", "-o", "report.html", "--interval", "none"),
    ],
)
def test_commands_take_a_key(deciban, command, files, monkeypatch):
    monkeypatch.chdir(files)
    name, *rest = command
    first = [name, *rest[:1]] if name in ("plot", "calibrate") else [name]
    done = deciban(*first, "one.scores", "--key", "trials", *command[len(first) :])
    assert done.status == 0, done.err
    assert "reader kaldi" in done.err
    lacking = (files / "one.scores").read_text().splitlines(keepends=True)[1:]
    (files / "fewer.scores").write_text("".join(lacking))
    refused = deciban(*first, "fewer.scores", "--key", "trials", *command[len(first) :])
    assert refused.status == 2
    assert "1 id of the key without a score" in refused.err
    assert "with --unmatched drop" in refused.err
    dropped = deciban(*first, "fewer.scores", "--key", "trials", "--unmatched", "drop", *command[len(first) :])
    assert dropped.status == 0, dropped.err
    assert "dropped: 1 ids of the key without a score" in dropped.err


def test_a_laboratory_names_key_and_reader_in_its_criteria(deciban, files):
    (files / "criteria.toml").write_text(
        '[data]\nfile = "one.scores"\nkey = "trials"\nreader = "kaldi"\nscale = "ln_lr"\n', encoding="utf-8"
    )
    done = deciban("validate", "--criteria", files / "criteria.toml", "--interval", "none", "-o", files / "v.json")
    assert done.status in (0, 1), done.err
    inputs = json.loads((files / "v.json").read_text())["evaluation"]["provenance"]["inputs"]
    assert [file["path"] for file in inputs] == [str(files / "one.scores"), str(files / "trials")]
    assert deciban("verify", files / "v.json").status == 0


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_converted_table_holds_the_same_trials(deciban, name, suffix, tmp_path):
    example = EXAMPLES[name]
    given = example.write(tmp_path)
    trials = db.scan(given["source"], key=given["key"], reader=example.reader, ids=None).trials()
    output = tmp_path / f"table.{suffix}"
    options = ["--key", given["key"]] if given["key"] else []
    done = deciban("convert", given["source"], *options, "--reader", example.reader, "-o", output)
    assert done.status == 0, done.err
    ids = db.scan(given["source"], key=given["key"], reader=example.reader, ids=None).columns.ids
    again = db.scan(output, ids=ids, conditions=tuple(trials.conditions), sources=()).trials()
    assert again.score.tolist() == trials.score.tolist()
    assert again.is_target.tolist() == trials.is_target.tolist()
    assert again.scale == trials.scale
    assert [column.astype(str).tolist() for column in again.ids] == [
        column.astype(str).tolist() for column in trials.ids
    ]
    for condition, column in trials.conditions.items():
        assert again.conditions[condition].astype(str).tolist() == column.astype(str).tolist()
    unasked = db.scan(output)
    assert unasked.columns.reader is None
    assert unasked.trials().score.tolist() == trials.score.tolist()
    assert unasked.trials().is_target.tolist() == trials.is_target.tolist()


FURTHER = (*USUAL_SCORE, *USUAL_LABEL, "Label", "ln_lr_a", "log10_lr_a", "supported_a", "Sex", "sex", "room")
"""Columns of which most are called as scores or labels usually are, or as another in another case."""
KEPT = ("log10_lr_a", "supported_a", "Sex", "room")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("nist", False),
        ("asvspoof5", False),
        ("asvspoof5, track 2", False),
        ("bob, csv", True),
        ("bob, csv with attacks", True),
        ("a plain table", True),
    ],
)
def test_a_table_converted_with_further_columns_is_read_again_without_options(deciban, name, asked, suffix, tmp_path):
    example = EXAMPLES.get(name)
    if example is None:
        (tmp_path / "t.csv").write_text("s,l\n0.5,1\n-0.5,0\n")
        given = {"source": str(tmp_path / "t.csv"), "key": None, "reader": "table"}
        known = ["--score", "s", "--label", "l"]
    else:
        given, known = example.write(tmp_path), []
    path = Path(given["key"] or given["source"])
    header, *rows = path.read_text().splitlines()
    separator = "\t" if "\t" in header else ","
    columns = [one for one in FURTHER if one not in header.split(separator)]
    cells = [columns, *([f"v{at}"] * len(columns) for at in range(len(rows)))]
    lines = zip((header, *rows), cells, strict=True)
    path.write_text("".join(f"{separator.join([line, *further])}\n" for line, further in lines))
    options = [*known, "--reader", given["reader"], *(["--key", given["key"]] if given["key"] else [])]
    options += [word for one in columns for word in ("--by", one)] if asked else []
    output = tmp_path / f"out.{suffix}"
    done = deciban("convert", given["source"], *options, "-o", output)
    assert done.status == 0, done.err
    again = db.scan(output)
    trials = again.trials()
    wanted = list(example.score) if example else [0.5, -0.5]
    assert trials.score.tolist() == wanted
    assert trials.is_target.tolist() == (list(example.is_target) if example else [True, False])
    assert trials.scale == (example.scale if example else "score")
    # Two that differ in case still do with the same letters before them.
    written = {
        one: one if one in KEPT else f"other_other_{one}" if one == "Label" else f"other_{one}" for one in columns
    }
    found = db.scan(output, conditions=tuple(written.values())).trials().conditions
    for one, called in written.items():
        assert (f"column {one!r} is written as {called!r}" in done.err) == (called != one)
        if not (name.startswith("bob") and one == "label"):  # there it is the label that follows from the identities
            assert sorted(found[called].tolist()) == [f"v{at}" for at in range(len(rows))]


def test_a_condition_called_weight_is_written_beside_the_weights(deciban, tmp_path):
    given = EXAMPLES["nist"].write(tmp_path)
    for path, name, cells in ((given["source"], "w", "12"), (given["key"], "weight", "ab")):
        lines = Path(path).read_text().splitlines()
        Path(path).write_text("".join(f"{a}\t{b}\n" for a, b in zip(lines, (name, *cells), strict=True)))
    options = ("--key", given["key"], "--weight", "w", "-o", tmp_path / "o.csv")
    done = deciban("convert", given["source"], *options)
    assert done.status == 0, done.err
    assert (tmp_path / "o.csv").read_text().splitlines() == [
        "ln_lr,label,weight,modelid,segmentid,side,gender,other_weight",
        "-0.5,nontarget,2.0,m2,s1,a,f,a",
        "2.5,target,1.0,m1,s1,a,f,b",
    ]


@pytest.mark.parametrize("name", ["kaldi", "voxceleb", "sasv", "kaldi, one file with ids"])
def test_bosaris_text_is_read_again(deciban, name, tmp_path):
    example = EXAMPLES[name]
    given = example.write(tmp_path)
    options = ["--key", given["key"]] if given["key"] else []
    done = deciban(
        "convert", given["source"], *options, "--reader", example.reader, "--to", "bosaris", "-o", tmp_path / "s",
        "--key-output", tmp_path / "k",
    )  # fmt: skip
    assert done.status == 0, done.err
    again = db.scan(tmp_path / "s", key=tmp_path / "k", reader="bosaris", ids=None).trials()
    assert again.score.tolist() == list(example.score)
    assert again.is_target.tolist() == list(example.is_target)
    assert [" ".join(ids) for ids in zip(*again.ids, strict=True)] == list(example.ids)


def test_every_digit_of_a_score_is_written(deciban, files):
    trials = db.scan(files / "one.scores", key=files / "trials").trials()
    for output, more in ((files / "t.csv", ()), (files / "s", ("--to", "bosaris", "--key-output", files / "k"))):
        assert deciban("convert", files / "one.scores", "--key", files / "trials", "-o", output, *more).status == 0
    with (files / "t.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["score"]) for row in rows] == trials.score.tolist()
    assert list(rows[0]) == ["score", "label", "enroll", "test"]
    again = db.scan(files / "s", key=files / "k").trials()
    assert again.score.tolist() == trials.score.tolist()


def test_what_cannot_be_converted_is_refused(deciban, files):
    scores, key = files / "one.scores", files / "trials"
    assert "expected a name that ends in .csv" in deciban("convert", scores, "--key", key, "-o", files / "t.txt").err
    wanted = deciban("convert", scores, "--key", key, "--to", "bosaris", "-o", files / "s")
    assert "expected --key-output too" in wanted.err
    (files / "plain.csv").write_text("score,label\n1,1\n0,0\n")
    done = deciban("convert", files / "plain.csv", "--to", "bosaris", "-o", files / "s", "--key-output", files / "k")
    assert done.status == 2
    assert "name two columns with --id" in done.err
    assert not (files / "s").exists()


@pytest.mark.parametrize(
    ("rows", "options", "said"),
    [
        ("m s 1 1\nm t 2 0\nm s 3 1\n", (), "ids recur: trial m s (rows 1 and 3)"),
        ("m s 1 1\nm t 2 0\nm s 1 0\nm t 2 0\n", (), "trial m s (rows 1 and 3), trial m t (rows 2 and 4)"),
        ("m s 1 1\nm t  0\n", ("--missing", "reject"), "no word for a missing score: row 2;"),
    ],
)
def test_bosaris_text_holds_each_trial_once_with_its_score(deciban, tmp_path, rows, options, said):
    table = tmp_path / "t.csv"
    table.write_text("model,segment,score,label\n" + rows.replace(" ", ","))
    made = deciban(
        *("convert", table, "--to", "bosaris", "-o", tmp_path / "s", "--key-output", tmp_path / "k"),
        *("--id", "model", "--id", "segment", *options),
    )
    assert made.status == 2
    assert said in made.err
    assert sorted(tmp_path.iterdir()) == [table]


def test_standard_input_cannot_be_scores_and_key(deciban, files):
    ended = deciban("evaluate", "-", "--key", "-")
    assert ended.status == 2
    assert "standard input (-) is named for the scores and for the key" in ended.err
    systems = ("--system", f"one={files / 'one.scores'}", "--system", f"two={files / 'two.scores'}")
    assert "standard input (-) is named for one and for two" in deciban("compare", *systems, "--key", "-").err
