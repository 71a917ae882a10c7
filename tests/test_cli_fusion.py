"""Fusion on the command line: fit, apply and show, of score columns and of tables joined by id."""

import csv
import json
import math

import numpy as np
import polars as pl
import pytest

import deciban as db
from deciban.errors import InputError, OptionError
from deciban.workflow.calibrating.calibrate import load_fitted


def frame(seed, n=120):
    generator = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    scores = {
        name: (2 * labels - 1) * pull + generator.normal(0, 1, n) for name, pull in (("voice", 0.6), ("words", 0.9))
    }
    return pl.DataFrame(
        {
            "id": [f"{seed}-{i:03d}" for i in range(n)],
            "speaker": [f"s{seed}.{i // 4}" for i in range(n)],
            **{name: column.round(3) for name, column in scores.items()},
            "same": labels,
        }
    )


def trials(table):
    return {
        name: db.Trials.from_arrays(
            table[name].to_numpy(), table["same"].to_numpy(), target=1, sources=table["speaker"].to_numpy()
        )
        for name in ("voice", "words")
    }


@pytest.fixture
def dev(tmp_path):
    frame(1).write_csv(tmp_path / "dev.csv")
    return tmp_path / "dev.csv"


@pytest.fixture
def cases(tmp_path):
    frame(2).write_csv(tmp_path / "cases.csv")
    return tmp_path / "cases.csv"


COLUMNS = ("--score", "voice", "--score", "words", "--label", "same")


@pytest.fixture
def fusion(deciban, dev, tmp_path):
    ended = deciban("calibrate", "fit", dev, *COLUMNS, "--source", "speaker", "-o", tmp_path / "fusion.json")
    assert ended.status == 0
    assert "fusion of voice, words, 60 targets, 60 nontargets" in ended.err
    return tmp_path / "fusion.json"


def split(table, folder, name, shuffle=0):
    """A table of each system, one of them in another order."""
    one, two = folder / f"{name}_one.parquet", folder / f"{name}_two.csv"
    table.select("id", "speaker", "same", score="voice").write_parquet(one)
    other = table.select("id", "speaker", "same", score="words")
    (other.sample(fraction=1, shuffle=True, seed=shuffle) if shuffle else other).write_csv(two)
    return [f"--system=voice={one}", f"--system=words={two}"]


def test_the_file_is_the_fusion_of_python_and_its_inputs(fusion, dev):
    loaded = db.load_fusion(fusion)
    want = db.LogisticFusion().fit(trials(frame(1)))
    assert (loaded.slopes, loaded.offset, loaded.training) == (want.slopes, want.offset, want.training)
    (file,) = loaded.inputs
    assert (file.path, file.rows) == (str(dev), 120)
    assert [loaded.columns[name]["score"] for name in loaded.slopes] == ["voice", "words"]
    assert load_fitted(fusion) == loaded


@pytest.mark.parametrize("given", [(), ("--score", "words", "--score", "voice")])
def test_apply_to_columns_of_one_table(deciban, fusion, cases, tmp_path, given):
    ended = deciban("calibrate", "apply", fusion, cases, *given, "-o", tmp_path / "llr.csv")
    assert ended.status == 0
    assert "120 rows" in ended.err
    got = pl.read_csv(tmp_path / "llr.csv")
    table, loaded = frame(2), db.load_fusion(fusion)
    assert got.select(table.columns).equals(table)
    applied = loaded.apply(trials(table))
    assert got["ln_lr"].to_list() == pytest.approx(applied.score.tolist(), rel=1e-13)
    columns = {name: table[name].to_numpy() for name in loaded.slopes}
    assert got["ln_lr"].to_list() == loaded.transform(columns).tolist()
    assert got["supported"].to_list() == loaded.supported(columns).tolist()
    inside = np.logical_and.reduce(
        [(columns[name] >= of.low) & (columns[name] <= of.high) for name, of in loaded.training.items()]
    )
    assert got["supported"].to_list() == inside.tolist()


def test_tables_are_joined_by_id(deciban, fusion, tmp_path):
    out = tmp_path / "llr.parquet"
    ended = deciban(
        "calibrate", "fit", *split(frame(1), tmp_path, "dev", 3), "--id", "id", "--source", "speaker",
        "-o", tmp_path / "joined.json",
    )  # fmt: skip
    assert ended.status == 0
    want, got = db.load_fusion(fusion), db.load_fusion(tmp_path / "joined.json")
    assert [*got.slopes.values()] == pytest.approx([*want.slopes.values()], rel=1e-9)
    systems = split(frame(2), tmp_path, "cases", 5)
    assert deciban("calibrate", "apply", tmp_path / "joined.json", *systems, "-o", out).status == 0
    table = pl.read_parquet(out)
    assert table.drop("ln_lr", "log10_lr", "supported").equals(pl.read_parquet(tmp_path / "cases_one.parquet"))
    direct = want.transform({name: frame(2)[name].to_numpy() for name in want.slopes})
    assert table["ln_lr"].to_list() == pytest.approx(direct.tolist(), rel=1e-9)


def test_rows_that_a_system_lacks(deciban, fusion, tmp_path):
    table, out = frame(2), tmp_path / "llr.parquet"
    systems = split(table, tmp_path, "cases", 5)
    other = pl.read_csv(tmp_path / "cases_two.csv")
    extra = other[:1].with_columns(id=pl.lit("more"))
    pl.concat([other.filter(~pl.col("id").is_in(["2-003", "2-007"])), extra]).write_csv(tmp_path / "cases_two.csv")
    ended = deciban("calibrate", "apply", fusion, *systems, "--score", "score", "--id", "id", "-o", out)
    assert ended.status == 2
    assert "cases_one.parquet: not in" in ended.err
    assert "by their ids: rows 4, 8;" in ended.err
    assert "--missing drop keep them without an LR" in ended.err
    ended = deciban(
        "calibrate", "apply", fusion, *systems, "--score", "score", "--id", "id", "-o", out, "--missing", "drop"
    )
    assert ended.status == 0
    assert "1 row of" in ended.err
    assert "120 rows, 2 without a score" in ended.err
    got = pl.read_parquet(out)
    assert (
        np.flatnonzero(got["ln_lr"].is_null()).tolist() == np.flatnonzero(got["supported"].is_null()).tolist() == [3, 7]
    )


def test_leaks_stop_unless_allowed(deciban, fusion, dev, tmp_path):
    shared = frame(2).with_columns(speaker=pl.lit("s1.3"))
    shared.write_csv(tmp_path / "shared.csv")
    for table, said in ((dev, "fitted to this very file"), (tmp_path / "shared.csv", "1 of its sources are among")):
        ended = deciban("calibrate", "apply", fusion, table, "-o", tmp_path / "x.csv")
        assert ended.status == 2
        assert said in ended.err
        ended = deciban("calibrate", "apply", fusion, table, "-o", tmp_path / "x.csv", "--allow-leak")
        assert ended.status == 0
        assert ended.err.count("LEAK") == 1


def test_bounds_of_a_fusion(deciban, dev, cases, tmp_path):
    cal = tmp_path / "bounded.json"
    assert deciban("calibrate", "fit", dev, *COLUMNS, "--bound", "elub", "-o", cal).status == 0
    loaded = db.load_fusion(cal)
    plain = db.LogisticFusion().fit(trials(frame(1)))
    calibrated = db.count(plain.apply(trials(frame(1)), allow_leak=True))
    assert (loaded.bounds.lower, loaded.bounds.upper) == pytest.approx(
        (db.elub(calibrated).lower, db.elub(calibrated).upper)
    )
    ended = deciban("calibrate", "apply", cal, cases, "-o", tmp_path / "llr.csv")
    assert "LRs kept within" in ended.err
    got = pl.read_csv(tmp_path / "llr.csv")
    assert got["ln_lr"].min() == math.log(loaded.bounds.lower)
    beyond = got["ln_lr"].is_in([math.log(loaded.bounds.lower), math.log(loaded.bounds.upper)])
    assert not got["supported"].filter(beyond).any()
    assert "bounds of the LRs (elub)" in deciban("calibrate", "show", cal).out
    for bound, said in (("sources", "bounds by number of sources"), ("tight", "--bound: expected elub")):
        ended = deciban("calibrate", "fit", dev, *COLUMNS, "--bound", bound)
        assert ended.status == 2
        assert said in ended.err
    assert db.LogisticFusion(bound="sources=9").fit(trials(frame(1))).bounds.upper == 9
    with pytest.raises(OptionError, match="bound: expected elub"):
        db.LogisticFusion(bound="tight")


def test_show(deciban, fusion):
    ended = deciban("calibrate", "show", fusion)
    assert ended.status == 0
    for said in ("Σ slope", "voice", "words", "targets", "scores from", "SHA-256"):
        assert said in ended.out
    assert json.loads(deciban("calibrate", "show", fusion, "--format", "json").out) == json.loads(fusion.read_text())
    assert "## Systems" in deciban("calibrate", "show", fusion, "--format", "markdown").out
    plain = deciban("calibrate", "show", fusion, "--format", "plain").plain
    assert float(plain["voice.slope"]) == pytest.approx(db.load_fusion(fusion).slopes["voice"], rel=1e-5)


def test_systems_that_are_certain_of_opposite_things(deciban, fusion, tmp_path):
    with (tmp_path / "cases.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["voice", "words"], [0.5, 1], ["inf", "-inf"], ["inf", 0], ["", 1], [1, 0]])
    out = tmp_path / "llr.csv"
    ended = deciban("calibrate", "apply", fusion, tmp_path / "cases.csv", "-o", out, "--missing", "drop")
    assert ended.status == 0
    assert "CAL-TORN: 1 row without an LR, since systems are certain of opposite things (row 2)" in ended.err
    assert "CAL-EXTRAP: system voice" in ended.err
    got = pl.read_csv(out, infer_schema=False)
    assert got["ln_lr"].is_null().to_list() == [False, True, False, True, False]
    assert got["supported"].to_list() == ["true", "false", "false", None, "true"]
    loaded = db.load_fusion(fusion)
    assert np.isnan(loaded.transform({"voice": [np.inf], "words": [-np.inf]})).all()
    with pytest.raises(InputError, match=r"voice: scores: 1 missing .* at row 1"):
        loaded.transform({"voice": [np.nan], "words": [1]})
    with pytest.raises(InputError, match="expected the systems voice, words, found voice"):
        loaded.transform({"voice": [1]})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", "kde"], "--model: several systems are fused by logistic regression only, found 'kde'"),
        (["-m", "svm"], "--model: 'svm' is unknown"),
        (["--bandwidth", "1"], "--bandwidth: the model 'logistic' has no such option"),
        (["--penalty", "-1"], "--penalty: expected a finite number >= 0"),
        (["--score", "voice"], "--score: the same column is given twice"),
        (["--score-prior", "7"], "--score-prior: expected a probability"),
    ],
)
def test_wrong_use_of_fit(deciban, dev, arguments, said):
    ended = deciban("calibrate", "fit", dev, *COLUMNS, *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err


def test_wrong_use(deciban, fusion, dev, cases, tmp_path):
    out = ["-o", tmp_path / "out.csv"]
    one = tmp_path / "one.json"
    assert deciban("calibrate", "fit", dev, "--score", "voice", "--label", "same", "-o", one).status == 0
    several = split(frame(2), tmp_path, "cases")
    for arguments, said in (
        (["fit", "--label", "same"], "expected a file, or --system NAME=FILE; see deciban calibrate fit --help"),
        (["fit", f"--system=a={dev}", "--label", "same"], "--system: expected one for each of two systems"),
        (["apply", fusion, *out], "expected a FILE, or --system NAME=FILE for each system of a fusion, found neither"),
        (["apply", fusion, cases, *several, *out], "found both"),
        (["apply", fusion, cases, "--score", "voice", *out], "expected the systems voice, words, found voice"),
        (["apply", fusion, *several[:1], *out], "expected the systems voice, words, found voice"),
        (["apply", fusion, *several, *out, "--score", "score"], "name them with --id"),
        (["apply", fusion, *several, *out, "--score", "score", "--id", "same"], "more than once, at rows 1, 2"),
        (["apply", fusion, *several, *out, "--score", "score", "--id", "who"], "no id column 'who'"),
        (["apply", fusion, *several, *out, "--score", "voice", "--id", "id"], "no score column 'voice'"),
        (["apply", fusion, tmp_path / "cases_two.csv", *out], "no score column (of the system 'voice') 'voice'"),
        (["apply", one, cases, "--score", "voice", "--score", "words", *out], "takes one FILE and one --score column"),
        (["apply", one, *several, *out], "takes one FILE and one --score column"),
    ):  # fmt: skip
        ended = deciban("calibrate", *arguments)
        assert ended.status == 2
        assert said in ended.err, arguments
    assert not (tmp_path / "out.csv").exists()


def test_pairing_advice_has_no_options_of_compare(deciban, tmp_path):
    table = frame(1)
    systems = split(table[:100], tmp_path, "dev")
    table.select("id", "speaker", "same", score="words").write_csv(tmp_path / "dev_two.csv")
    ended = deciban("calibrate", "fit", *systems, "--id", "id")
    assert ended.status == 2
    assert "not in every system" in ended.err
    assert "leave the others out" in ended.err
    assert "--unmatched" not in ended.err
    assert "--pairing" not in ended.err
    assert "error: fusion: pairing: not in every system: 20 trials of 'words' (trial 1-100" in ended.err
