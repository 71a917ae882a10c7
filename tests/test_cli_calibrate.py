"""The program ``deciban calibrate``: from development trials to the likelihood ratios of cases."""

import csv
import json
import math

import numpy as np
import polars as pl
import pytest

import deciban as db
from deciban.errors import InputError, UndefinedMetricError
from deciban.workflow.calibrating.calibrate import MODELS, calibrator_by_name
from tests.command_line import process


def table(path, seed, first_speaker, n=200, header=True):
    generator = np.random.default_rng(seed)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "speaker", "score", "same", "note"])
        for i in range(n):
            score = generator.normal(2 * (i % 2) - 1, 1.5)
            writer.writerow([f"{i:03d}", f"s{first_speaker + i // 4}", f"{score:.3f}", i % 2, 'a "b", c'])
    return path


@pytest.fixture
def dev(tmp_path):
    return table(tmp_path / "dev.csv", 1, 0)


@pytest.fixture
def cases(tmp_path):
    return table(tmp_path / "cases.csv", 2, 100)


@pytest.fixture
def cal(deciban, dev, tmp_path):
    ended = deciban("calibrate", "fit", dev, "--label", "same", "--source", "speaker", "-o", tmp_path / "cal.json")
    assert ended.status == 0
    return tmp_path / "cal.json"


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_file_says_what_it_was_fitted_to(cal, dev):
    loaded = db.load_calibration(cal)
    trials = db.read_trials(dev, score="score", label="same", sources="speaker")
    assert loaded.model == db.LogisticCalibrator().fit(trials).model
    assert (loaded.training.n_target, loaded.training.n_nontarget, loaded.training.n_sources) == (100, 100, 50)
    assert (loaded.training.low, loaded.training.high) == (trials.score.min(), trials.score.max())
    (file,) = loaded.inputs
    assert (file.rows, len(file.sha256)) == (200, 64)
    assert loaded.columns["sources"] == ["speaker"]
    assert set(loaded.versions) == {"deciban", "python", "numpy"}


def test_apply_keeps_every_column_and_adds_three(deciban, cal, cases, tmp_path):
    ended = deciban("calibrate", "apply", cal, cases, "-o", tmp_path / "llr.csv")
    assert ended.status == 0
    assert "score column 'score' (as in the fit)" in ended.err
    assert f"wrote {tmp_path / 'llr.csv'}: 200 rows" in ended.err
    before, after = read(cases), read(tmp_path / "llr.csv")
    assert list(after[0]) == ["id", "speaker", "score", "same", "note", "ln_lr", "log10_lr", "supported"]
    assert [{key: row[key] for key in before[0]} for row in after] == before
    calibration = db.load_calibration(cal)
    scores = [float(row["score"]) for row in before]
    assert [float(row["ln_lr"]) for row in after] == calibration.transform(scores).tolist()
    assert float(after[0]["log10_lr"]) == pytest.approx(float(after[0]["ln_lr"]) / math.log(10), rel=1e-15)
    assert [row["supported"] == "true" for row in after] == calibration.supported(scores).tolist()


def test_apply_to_parquet_keeps_types(deciban, cal, cases, tmp_path):
    frame = pl.read_csv(cases).with_columns(when=pl.lit("2024-01-02").str.to_date(), gap=pl.lit(None, dtype=pl.Int64))
    frame.write_parquet(tmp_path / "cases.parquet")
    assert deciban("calibrate", "apply", cal, tmp_path / "cases.parquet", "-o", tmp_path / "llr.parquet").status == 0
    got = pl.read_parquet(tmp_path / "llr.parquet")
    assert got["score"].to_list() == frame["score"].to_list()
    assert got.schema["ln_lr"] == pl.Float64
    assert got.schema["supported"] == pl.Boolean
    assert got.select(frame.columns).equals(frame)
    assert got.select(frame.columns).schema == frame.schema
    ended = deciban(
        *("evaluate", tmp_path / "llr.parquet", "--score", "ln_lr", "--label", "same"),
        *("--interval", "none", "--format", "plain"),
    )
    assert float(ended.plain["cllr"]) < 0.9


def test_cases_without_labels_or_scores(deciban, cal, tmp_path):
    (tmp_path / "cases.csv").write_text("case,score\nA,1.5\nB,\nC,99\n")
    ended = deciban("calibrate", "apply", cal, tmp_path / "cases.csv", "-o", tmp_path / "llr.csv")
    assert ended.status == 2
    assert "1 missing (NaN or null) at row 2" in ended.err
    ended = deciban("calibrate", "apply", cal, tmp_path / "cases.csv", "-o", tmp_path / "llr.csv", "--missing", "drop")
    assert ended.status == 0
    assert "whether sources were seen in the fit is not known" in ended.err
    assert "warn: CAL-EXTRAP: 50 % of the scores lie outside the fitted range" in ended.err
    assert "3 rows, 1 without a score, 1 not supported" in ended.err
    rows = read(tmp_path / "llr.csv")
    assert [row["supported"] for row in rows] == ["true", "", "false"]
    assert rows[1]["ln_lr"] == rows[1]["log10_lr"] == ""


def test_leaks_stop_unless_allowed(deciban, cal, dev, tmp_path):
    shared = table(tmp_path / "shared.csv", 3, 49)
    out = tmp_path / "llr.csv"
    ended = deciban("calibrate", "apply", cal, shared, "-o", out)
    assert ended.status == 2
    assert "LEAK: 1 of its sources are among those that were fitted" in ended.err
    assert "--allow-leak" in ended.err
    assert not out.exists()
    ended = deciban("calibrate", "apply", cal, dev, "-o", out)
    assert "fitted to this very file" in ended.err
    ended = deciban("calibrate", "apply", cal, shared, "-o", out, "--allow-leak")
    assert ended.status == 0
    assert "figures of these LRs are optimistic" in ended.err


def test_crossfit(deciban, dev, tmp_path):
    out = tmp_path / "llr.csv"
    ended = deciban(
        "calibrate", "crossfit", dev, "--label", "same", "--source", "speaker", "--folds", "source", "-o", out
    )
    assert ended.status == 0
    assert "200 trials, 50 models (by source)" in ended.err
    trials = db.read_trials(dev, score="score", label="same", sources="speaker")
    want = db.cross_fit(db.LogisticCalibrator(), trials, folds="source")
    assert [float(row["ln_lr"]) for row in read(out)] == want.trials.score.tolist()
    ended = deciban(
        "calibrate", "crossfit", dev, "--label", "same", "-o", out, "--folds", "5", "--seed", "3", "-m", "kde"
    )
    assert "5 models (by trial" in ended.err


def test_rows_that_are_no_trial_have_no_lr(deciban, tmp_path):
    path = tmp_path / "dev.csv"
    rows = [f"{s},{y}" for s, y in zip([1, 2, 0, 3, 1, 2, -1, 0] * 3, "11010x10" * 3, strict=True)]
    path.write_text("score,same\n" + "\n".join(rows) + "\n")
    ended = deciban(
        "calibrate", "crossfit", path, "--label", "same", "--target", "1", "--nontarget", "0", "--ignore", "x",
        "--folds", "3", "-o", tmp_path / "llr.csv",
    )  # fmt: skip
    assert ended.status == 0
    assert [row["ln_lr"] == "" for row in read(tmp_path / "llr.csv")] == [row.endswith("x") for row in rows]


def test_fit_to_stdout_and_show(deciban, dev):
    ended = deciban("calibrate", "fit", dev, "--label", "same", "-m", "isotonic-laplace", "--bound", "1/100,100")
    calibration = db.Calibration.from_json(ended.out)
    assert calibration.plain == db.IsotonicCalibrator(laplace=True)
    assert (calibration.bounds.lower, calibration.bounds.upper) == (0.01, 100.0)


def test_show(deciban, cal, tmp_path):
    ended = deciban("calibrate", "show", cal)
    assert ended.status == 0
    for said in ("logistic", "slope", "targets", "scores from", "SHA-256"):
        assert said in ended.out
    assert json.loads(deciban("calibrate", "show", cal, "--format", "json").out) == json.loads(cal.read_text())
    assert "ln LR = slope · (x − centre) + offset" in ended.out
    for said in ("the score as given", "intercept (ln LR at x = 0)"):
        assert said in ended.out
    assert "## Model" in deciban("calibrate", "show", cal, "--format", "markdown").out
    plain = deciban("calibrate", "show", cal, "--format", "plain").plain
    model = db.load_calibration(cal).model
    for name in ("slope", "centre", "offset", "intercept"):
        assert float(plain[name]) == pytest.approx(getattr(model, name), rel=1e-5)
    assert model.intercept == pytest.approx(float(model.ln_lr(np.zeros(1))[0]), abs=1e-12)
    db.IsotonicCalibrator().fit(db.Counts.from_classes([1], [0])).save(tmp_path / "apart.json")
    assert "CAL-SEP" in deciban("calibrate", "show", tmp_path / "apart.json").out


def test_findings_of_a_fit(deciban, tmp_path):
    (tmp_path / "dev.csv").write_text("score,same\n3,0\n1,0\n2,1\n0,1\n")
    ended = deciban("calibrate", "fit", tmp_path / "dev.csv", "--label", "same", "-o", tmp_path / "cal.json")
    assert ended.status == 0
    assert "warn: CAL-SLOPE: LRs fall while scores rise" in ended.err
    (tmp_path / "dev.csv").write_text("score,same\n0,0\n1,0\n2,1\n3,1\n")
    ended = deciban("calibrate", "fit", tmp_path / "dev.csv", "--label", "same")
    assert ended.status == 2
    assert "a threshold parts targets and nontargets" in ended.err
    assert "--penalty" in ended.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", "svm"], "--model: 'svm' is unknown"),
        (["-m", "kde", "--penalty", "3"], "--penalty: the model 'kde' has no such option; it belongs to logistic"),
        (["--bound", "tight"], "--bound: expected elub"),
        (["--bound", "2,3"], "0 < lower <= 1 <= upper"),
        (["--bound", "1/0,3"], "--bound: expected an LR"),
        (["--bound", "sources=x"], "--bound: expected a whole number"),
        (["--bound", "sources"], "--bound sources=N"),
        (["--prior", "1.5"], "--prior: expected a probability strictly between 0 and 1"),
    ],
)
def test_wrong_use_of_fit(deciban, dev, arguments, said):
    ended = deciban("calibrate", "fit", dev, "--label", "same", *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err


def test_wrong_use_of_apply(deciban, cal, cases, tmp_path):
    for arguments, said in (
        ([cal, cases, "-o", tmp_path / "llr.xlsx"], "ends in .csv or .parquet"),
        ([cases, cases, "-o", tmp_path / "llr.csv"], "expected JSON"),
        ([tmp_path / "none.json", cases, "-o", tmp_path / "llr.csv"], "cannot be read"),
        ([cal, cases, "-o", tmp_path / "llr.csv", "--score", "scores"], "did you mean 'score'"),
        ([cal, cases, "-o", tmp_path / "llr.csv", "--source", "x"], "no source column 'x'"),
        ([cal, cases, "-o", tmp_path / "none" / "llr.csv"], "cannot be written"),
        ([cal, cases, "-o", tmp_path / "llr.csv", "--score", "note"], "expected numbers"),
    ):
        ended = deciban("calibrate", "apply", *arguments)
        assert ended.status == 2
        assert said in ended.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cal.json", "cases.csv", "dev.csv"]


def test_columns_that_are_there_already(deciban, cal, cases, tmp_path):
    once, twice = tmp_path / "once.csv", tmp_path / "twice.csv"
    deciban("calibrate", "apply", cal, cases, "-o", once)
    ended = deciban("calibrate", "apply", cal, once, "-o", twice)
    assert "a column 'ln_lr' already; say --suffix _cal" in ended.err
    assert deciban("calibrate", "apply", cal, once, "-o", twice, "--suffix", "_cal").status == 0
    assert list(read(twice)[0])[-3:] == ["ln_lr_cal", "log10_lr_cal", "supported_cal"]
    ended = deciban("calibrate", "apply", cal, once, "-o", tmp_path / "x.csv", "--score", "ln_lr")
    assert "holds ln_lr by its name" in ended.err


def test_reversed_scores_are_reversed_again(deciban, tmp_path):
    for name, seed in (("dev.csv", 1), ("cases.csv", 2)):
        generator = np.random.default_rng(seed)
        lines = [f"{generator.normal(3 - 2 * (i % 2), 1):.3f},{i % 2}" for i in range(100)]
        (tmp_path / name).write_text("distance,same\n" + "\n".join(lines) + "\n")
    cal, out = tmp_path / "cal.json", tmp_path / "llr.csv"
    ended = deciban("calibrate", "fit", tmp_path / "dev.csv", "--label", "same", "--higher", "nontarget", "-o", cal)
    assert ended.status == 0
    assert "CAL-" not in ended.err
    deciban("calibrate", "apply", cal, tmp_path / "cases.csv", "-o", out)
    rows = read(out)
    assert min(rows, key=lambda row: float(row["distance"])) == max(rows, key=lambda row: float(row["ln_lr"]))
    ended = deciban("evaluate", out, "--score", "ln_lr", "--label", "same", "--format", "plain", "--interval", "none")
    assert float(ended.plain["auc"]) > 0.8


def test_every_model_has_a_name():
    made = {type(calibrator_by_name(name)) for name in MODELS}
    assert {made_of.__name__ for made_of in made} == {
        name for name in db._HOME if name.endswith("Calibrator") and name != "BoundedCalibrator"
    }


def test_as_a_process_of_its_own(cal, cases, tmp_path):
    ended = process("calibrate", "apply", cal, "-", "-o", tmp_path / "llr.csv", stdin=cases.read_bytes())
    assert ended.returncode == 0
    assert ended.stdout == b""
    assert len(read(tmp_path / "llr.csv")) == 200


def test_what_is_read_is_not_written_over(deciban, tmp_path):
    table = tmp_path / "dev.csv"
    table.write_text("score,label\n2,1\n1,1\n-1,1\n0,0\n-2,0\n1.5,0\n")
    before = table.read_bytes()
    for arguments in (
        ("calibrate", "fit", table, "-o", table),
        ("calibrate", "crossfit", table, "--folds", 2, "-o", table),
        ("threshold", table, "--at", "eer", "-o", table),
        ("calibrate", "fit", tmp_path / "*.csv", "-o", table),
    ):
        ended = deciban(*arguments)
        assert (ended.status, table.read_bytes()) == (2, before)
        assert "it is read from" in ended.err


def test_a_file_that_was_changed_is_refused(tmp_path):
    calibration = db.LogisticCalibrator().fit(db.Counts.from_classes([2.0, 1.0, -1.0], [0.0, -2.0, 1.5]))
    text = calibration.to_json()
    assert db.Calibration.from_json(text) == calibration
    for old, new in (
        ('"low": -2.0', '"low": -3.0'),
        ('"bounds": null', '"bounds": null, "more": 1'),
        ('"seal"', '"sea"'),
    ):
        assert old in text
        with pytest.raises(InputError, match=r"changed after it was written|unknown|more|sea"):
            db.Calibration.from_json(text.replace(old, new))


@pytest.mark.parametrize("constant", [7.3, 0.1, -0.868, 0.0])
def test_fusion_refuses_columns_that_say_nothing_or_the_same(constant):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    a = rng.normal(y, 1)

    def fuse(other):
        systems = {"a": db.Trials.from_arrays(a, y), "b": db.Trials.from_arrays(other, y)}
        for named in (systems, dict(reversed(systems.items()))):
            with pytest.raises(UndefinedMetricError) as caught:
                db.LogisticFusion().fit(named)
            yield caught.value.reason

    assert set(fuse(np.full(300, constant))) == {"zero_variance"}
    assert set(fuse(1.7 * a + constant)) == {"not_converged"}


def test_scores_alone_are_cases(deciban, tmp_path):
    development, cases, out = (tmp_path / name for name in ("dev.csv", "cases.csv", "out.csv"))
    development.write_text("score,label\n2,1\n1,1\n-1,1\n0,0\n-2,0\n1.5,0\n")
    cases.write_text("score\n1\n2\n-0.5\n")
    assert deciban("calibrate", "fit", development, "-o", tmp_path / "cal.json").status == 0
    assert deciban("calibrate", "apply", tmp_path / "cal.json", cases, "-o", out).status == 0
    assert [line.split(",")[0] for line in out.read_text().splitlines()] == ["score", "1", "2", "-0.5"]


def test_scores_without_an_lr_do_not_stop_the_others(deciban, tmp_path):
    development, cases, cal = tmp_path / "dev.csv", tmp_path / "cases.csv", tmp_path / "cal.json"
    development.write_text("score,label\n2,1\n1,1\n-1,0\n-2,0\n")
    cases.write_text("score\n1\n0\nNA\n-0.5\n-1\n")
    assert deciban("calibrate", "fit", development, "-m", "isotonic", "-o", cal).status == 0
    for out in (tmp_path / "out.csv", tmp_path / "out.parquet"):
        ended = deciban("calibrate", "apply", cal, cases, "-o", out, "--missing", "drop")
        assert ended.status == 0
        assert "warn: CAL-GAP: 2 of the scores (-0.5 to 0, rows 2, 4) lie between a block of nontargets" in ended.err
        assert "5 rows, 1 without a score, 2 not supported" in ended.err
    assert out.exists()
    assert [tuple(row.values()) for row in read(tmp_path / "out.csv")] == [
        ("1", "inf", "inf", "true"),
        ("0", "", "", "false"),
        ("NA", "", "", ""),
        ("-0.5", "", "", "false"),
        ("-1", "-inf", "-inf", "true"),
    ]
    got = pl.read_parquet(tmp_path / "out.parquet")
    assert got["ln_lr"].to_list() == [math.inf, None, None, None, -math.inf]
    assert got["supported"].to_list() == [True, False, None, False, True]


@pytest.mark.parametrize("command", ["fit", "crossfit"])
def test_errors_about_development_trials_name_options_of_the_command(deciban, tmp_path, command):
    table = tmp_path / "dev.csv"
    table.write_text("\nscore,label\n2,1\n1,1\n,1\n-1,1\n0,0\ninf,0\n-inf,1\n-2,0\n1.5,0\n")
    out = tmp_path / "out.csv"

    def said(*arguments):
        folds = ["--folds", 2] if command == "crossfit" else []
        ended = deciban("calibrate", command, table, *folds, "-o", out, *arguments)
        assert (ended.status, out.exists()) == (2, False)
        return ended.err.strip()

    assert said().endswith(
        f"error: {table} (score column 'score', label column 'label'): scores: 1 missing (NaN or null) at row 3; leave "
        "those trials out with --missing drop (row 1 is line 3)"
    )
    assert said("--missing", "drop").endswith(
        f"error: {table}: calibration: 2 of the scores are infinite, or probabilities of 0 or 1 at rows 6, 7, and the "
        "logistic calibrator is fitted to finite ones: leave those trials out and say so, or use the isotonic "
        "calibrator (row 1 is line 3)"
    )
    assert said("--missing", "reject").endswith("--missing: expected one of refuse, drop, found 'reject'")
    assert "--score-prior: expected a probability strictly" in said("--score-prior", 2)
    assert said("--score-prior", 0.5, "--scale", "ln_lr").endswith(
        "--score-prior: what probabilities were made under means nothing for scores of scale 'ln_lr': likelihood "
        "ratios have none"
    )
    assert "--prior: expected a probability strictly" in said("--prior", 2)


def test_errors_of_apply_name_the_file_and_the_rows_of_it(deciban, cal, tmp_path):
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("id,score\na,1\nb,\nc,2\nd,x\n")
    two.write_text("id,score\ne,\nf,1\n")
    out = tmp_path / "llr.csv"
    ended = deciban("calibrate", "apply", cal, one, two, "-o", out)
    assert ended.status == 2
    assert f"error: 2 files ({one}, {two}) (score column 'score'): 2 problems" in ended.err
    assert "score: expected numbers, found 'x' at row 4" in ended.err
    assert "scores: 2 missing (NaN or null) at rows 2, 5; leave those trials out with --missing drop\n" in ended.err
    assert f"rows are counted through the files: {one} 1–4, {two} 5–6" in ended.err
    probabilities = tmp_path / "p.csv"
    probabilities.write_text("p,label\n0.9,1\n0.4,1\n0.5,0\n0.1,0\n")
    fitted = tmp_path / "p.json"
    assert deciban("calibrate", "fit", probabilities, "--scale", "probability", "-o", fitted).status == 0
    one.write_text("p\n\n0.5\n1.5\n")
    ended = deciban("calibrate", "apply", fitted, one, "-o", out, "--missing", "drop")
    assert (
        f"{one} (score column 'p'): scores: a probability lies in [0, 1]; found 1.5 at row 3; the calibration"
        in ended.err
    )
    assert "was fitted to scores of scale probability: are these?" in ended.err


def test_crossfit_by_sources_needs_some(deciban, dev, tmp_path):
    ended = deciban("calibrate", "crossfit", dev, "--label", "same", "--folds", "source", "-o", tmp_path / "x.csv")
    assert "error: --folds source: the trials have no sources: give them with --source\n" in ended.err


def test_crossfit_leaves_scores_without_an_lr_empty(deciban, tmp_path):
    rows = [(9, 1), (9, 1), (5, 1), (-9, 0), (-9, 0), (-5, 0)]
    (tmp_path / "gap.csv").write_text("score,label\n" + "".join(f"{x},{y}\n" for x, y in rows))
    out = tmp_path / "out.csv"
    ended = deciban("calibrate", "crossfit", tmp_path / "gap.csv", "-m", "isotonic", "--folds", 3, "-o", out)
    assert ended.status == 0
    assert "CAL-GAP" in ended.err
    assert [(row["ln_lr"] == "", row["supported"]) for row in read(out)] == [
        (x in (5, -5), "false" if x in (5, -5) else "true") for x, _ in rows
    ]


def test_crossfit_of_rows_of_weight_0(deciban, tmp_path):
    generator = np.random.default_rng(3)
    rows = [f"{generator.normal(2 * (i % 2)):.2f},{i % 2},0.{1 + i % 3}" for i in range(40)] + ["9,1,0"]
    (tmp_path / "zw.csv").write_text("score,label,w\n" + "\n".join(rows) + "\n")
    out = tmp_path / "out.csv"
    given = ("calibrate", "crossfit", tmp_path / "zw.csv", "--weight", "w", "-m", "gaussian", "--folds", 2, "-o", out)
    assert deciban(*given).status == 0
    *others, last = read(out)
    assert (last["ln_lr"], last["supported"]) == ("", "")
    assert all(row["ln_lr"] for row in others)


@pytest.mark.parametrize("folds", ["x", "1", "2.5"])
def test_wrong_folds_are_said_in_words_of_the_command(deciban, dev, tmp_path, folds):
    out = tmp_path / "out.csv"
    ended = deciban("calibrate", "crossfit", dev, "--label", "same", "--folds", folds, "-o", out)
    assert ended.status == 2
    assert "--folds: expected a whole number >= 2, or 'source'" in ended.err


def test_the_scores_of_the_fit_are_known_in_another_file(deciban, dev, cases, tmp_path):
    cal, out = tmp_path / "plain.json", tmp_path / "out.csv"
    assert deciban("calibrate", "fit", dev, "--label", "same", "-o", cal).status == 0
    pl.read_csv(dev).reverse().select("score").write_parquet(tmp_path / "again.parquet")
    ended = deciban("calibrate", "apply", cal, tmp_path / "again.parquet", "-o", out)
    assert ended.status == 2
    assert "LEAK: its scores are the very ones it was fitted to" in ended.err
    assert deciban("calibrate", "apply", cal, tmp_path / "again.parquet", "-o", out, "--allow-leak").status == 0
    assert deciban("calibrate", "apply", cal, cases, "-o", out).status == 0


def test_sources_are_known_again_whatever_type_their_column_has(deciban, tmp_path):
    generator = np.random.default_rng(5)
    frame = pl.DataFrame(
        {"score": generator.normal(size=60), "label": [i % 2 for i in range(60)], "who": [i // 4 for i in range(60)]}
    )
    frame.write_csv(tmp_path / "dev.csv")
    cal, out = tmp_path / "cal.json", tmp_path / "out.csv"
    assert deciban("calibrate", "fit", tmp_path / "dev.csv", "--source", "who", "-o", cal).status == 0
    for kind in (pl.Float64, pl.Int8, pl.String):
        other = frame.head(8).with_columns(pl.col("score") + 1, pl.col("who").cast(kind))
        other.write_parquet(tmp_path / "cases.parquet")
        ended = deciban("calibrate", "apply", cal, tmp_path / "cases.parquet", "-o", out)
        assert "LEAK: 2 of its sources" in ended.err


def test_a_column_must_have_a_name(deciban, cal, dev, tmp_path):
    out = tmp_path / "out.csv"
    for command in (("fit", dev), ("apply", cal, dev), ("crossfit", dev)):
        ended = deciban("calibrate", *command, "--score", "", "-o", out)
        assert ended.status == 2
        assert "--score: expected the name of a column, found ''" in ended.err


@pytest.mark.parametrize("suffix", ["", "_cal"])
def test_what_apply_wrote_can_be_evaluated(deciban, cal, cases, tmp_path, suffix):
    out = tmp_path / "out.csv"
    assert deciban("calibrate", "apply", cal, cases, "-o", out, "--suffix", suffix).status == 0
    ended = deciban("evaluate", out, "--label", "same", "--metric", "cllr", "--interval", "none")
    assert ended.status == 0
    assert f"score column 'ln_lr{suffix}' (LRs of deciban calibrate)" in ended.err
    assert f"scale ln_lr (from the name of column 'ln_lr{suffix}')" in ended.err
    # Of two there is no telling.
    assert deciban("calibrate", "apply", cal, out, "-o", tmp_path / "two.csv", "--suffix", "_2").status == 0
    assert db.scan(tmp_path / "two.csv", score="log10_lr_2", label="same").trials().scale == "log10_lr"
    if not suffix:
        assert "all could be" in deciban("evaluate", tmp_path / "two.csv", "--label", "same").err
