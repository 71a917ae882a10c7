"""Bad input on the command line: one message, exit status 2, nothing on stdout, nothing written, no traceback."""

import gzip
import re

import pytest

GOOD = "score,label,side\n0.9,1,l\n0.8,1,r\n0.3,0,l\n0.4,1,r\n0.2,0,l\n"


@pytest.fixture
def refused(deciban, tmp_path, monkeypatch):
    """Evaluate a file of the given content and return the message that it must end in."""
    monkeypatch.chdir(tmp_path)

    def run(content, *options, name="a.csv", files=("a.csv",)):
        if content is not None:
            (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        before = sorted(tmp_path.iterdir())
        ended = deciban("evaluate", *files, *options)
        assert (ended.status, ended.out) == (2, "")
        assert sorted(tmp_path.iterdir()) == before
        assert ended.err.startswith("deciban: error: ")
        assert "Traceback" not in ended.err
        assert ended.err.count("deciban: error") == 1
        assert not re.search(r"\b(target|nontarget|ignore|scale|missing|higher|prior)=", ended.err.partition("see ")[0])
        return ended.err.removeprefix("deciban: error: ").rstrip("\n")

    return run


COLUMNS = "a.csv (score column 'score', label column 'label'): "


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("", (), "a.csv: the file is empty"),
        ("score,label\n", (), "a.csv: there are column names but no rows"),
        (GOOD, ("--score", "scor"), "a.csv: no score column 'scor'; did you mean 'score'?"),
        (GOOD, ("--label", "labels"), "a.csv: no label column 'labels'; did you mean 'label'?"),
        (GOOD, ("--by", "sides"), "a.csv: no condition column 'sides'; did you mean 'side'?"),
        (GOOD, ("--by", "side,x"), "a.csv: no condition column 'x'; its columns are 'score', 'label', 'side'"),
        (GOOD, ("--by", "file"), "a.csv: no condition column 'file'"),
        (GOOD, ("--source", "spk"), "a.csv: no source column 'spk'"),
        (GOOD, ("--id", "trial"), "a.csv: no id column 'trial'"),
        (GOOD, ("--weight", "w"), "a.csv: no weight column 'w'"),
        (GOOD, ("--source", "a", "--source", "b", "--source", "c"), "--source: expected one or two columns, found 3"),
        (
            "score,label\n0.9,1\nNaN,1\n0.3,0\n,1\n0.2,0\n",
            (),
            COLUMNS + "scores: 2 missing (NaN or null) at rows 2, 4; leave those trials out with --missing drop or "
            "count them as never accepted with --missing reject",
        ),
        ("score,label\n" + ",1\n" * 9 + "1,0\n", (), "rows 1, 2, 3, 4, 5, … (9 in all)"),
        (
            "score,label\n,1\n1,0\n",
            ("--missing", "reject", "--scale", "ln_lr"),
            "use --scale score for error rates, or --missing drop",
        ),
        ("score,label\n,1\n,0\n", ("--missing", "drop"), "all are missing, so dropping them leaves no trial"),
        (
            "score,label\n1,a\n2,b\n3,c\n",
            (),
            COLUMNS + "labels: which label is the target? found 'a' (1), 'b' (1), 'c' (1); say which value is the "
            "target: --target, and --nontarget or --ignore for the others",
        ),
        (
            "score,label\n1,a\n2,b\n3,c\n",
            ("--target", "a"),
            "name the nontarget labels with --nontarget and the rest with --ignore",
        ),
        (GOOD, ("--target", "same"), COLUMNS + "labels: no label equals the target 'same'; found '1' (3), '0' (2)"),
        (GOOD, ("--target", "0.9"), "it occurs among the scores: is the label column right?"),
        ("score,label\n1,1\n2,1\n", (), "a.csv: an evaluation needs both classes, found 2 targets and 0 nontargets"),
        ("prob,label\n0.9,1\n1.3,0\n-0.2,0\n", (), "a probability lies in [0, 1]; found 1.3, -0.2 at rows 2, 3"),
        (
            "lr,label\n0.9,1\n-1.3,0\n",
            (),
            "a likelihood ratio is at least 0; found -1.3 at row 2; is --scale lr right?",
        ),
        ("score,label,w\n1,1,1\n2,0,-1\n3,0,inf\n", ("--weight", "w"), "found -1, inf at rows 2, 3"),
        ("score,label,w\n1,1,0\n2,0,0\n", ("--weight", "w"), "every weight is 0"),
        (bytes(range(256)) * 10, (), "a.csv: this is a binary file, not text"),
        ("score,label\n0.9,1\n0.3,0,7\n0.2,0\n", (), "a.csv: line 3: expected 2 fields separated by ',', found 3"),
        ("score,score,label\n1,1,1\n", (), "a.csv: column name 'score' occurs more than once"),
        ("score,label\n" + "x" * 10_000_000, (), "a.csv: line 2 is longer than"),
        ("score,label\n1,0.93\n0,0.12\n1,0.88\n0,0.31\n", (), "are scores and labels swapped?"),
        ("score,label\n0.9,1\n0.4,\n0.2,0\n", (), "labels: 1 missing label (row 2)"),
        (
            "score,label,id\n0.9,1,a\n0.4,0,a\n0.2,0,b\n",
            ("--id", "id"),
            "a.csv: LABEL-CONFLICT: trial a (rows 1 and 2) occurs both as target and as nontarget",
        ),
    ],
)
def test_data(refused, content, options, message):
    found = refused(content, *options)
    assert message in found
    assert "\n" not in found


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--prior", "2"), "--prior: expected a probability strictly between 0 and 1, found 2.0"),
        (("--prior", "nan"), "--prior: expected a probability strictly between 0 and 1, found nan"),
        (("--p-target", "0"), "--p-target: expected a probability strictly between 0 and 1"),
        (("--p-target", "0.3"), "--p-target: raw scores have no posteriors; say what they are with --scale"),
        (("--scale", "probability", "--p-target", "0.3"), "known: give it with --prior"),
        (("--scale", "probability", "--metric", "brier:p_target=0.3"), "known: give it with --prior"),
        (("--level", "nan"), "--level: expected a confidence level strictly between 0 and 1"),
        (("--level", "95"), "found 95.0"),
        (("--threshold", "nan"), "--threshold: expected a number in the unit of the scores, found nan"),
        (("--seed", "-1"), "--seed: expected a whole number >= 0"),
        (("--replicates", "0"), "--replicates: expected at least 1"),
        (("--interval", "exact"), "--interval: expected one of auto, closed, bootstrap, none, found 'exact'"),
        (("--missing", "ignore"), "--missing: expected one of refuse, drop, reject, found 'ignore'"),
        (("--higher", "low"), "--higher: expected one of target, nontarget, found 'low'"),
        (("--scale", "llr"), "--scale: expected one of score, probability, lr, ln_lr"),
        (("--format", "xml"), "--format: expected one of table, json, csv, markdown, plain, found 'xml'"),
        (("--metric", "ece"), "calibration_error (Naeini; of probabilities, over bins)"),
        (("--metric", "cllr"), "cllr needs likelihood ratios, and the scores have scale 'score'"),
        (("--metric", "brier"), "brier needs probabilities or likelihood ratios"),
        (("--metric", "sensitivity"), "no metric 'sensitivity'; it is called 'recall' here"),
        (("--metric", "eer:methd=nist"), "eer has no option 'methd'; did you mean 'method'?"),
        (("--metric", "eer:method=x"), "method must be one of rocch, interpolated"),
        (("--metric", "auc:all"), "auc has one definition only"),
        (("--metric", "p_miss_at"), "p_miss_at needs p_fa"),
        (("--metric", "p_miss_at:p_fa=x"), "p_fa must be a number, found 'x'"),
        (("--metric", "p_miss_at:p_fa=2"), "p_fa: expected a rate in [0, 1], found 2.0"),
        (("--cost", "voxsrc"), "--cost: expected preset=NAME (one of sre08, sre16, voxsrc, asvspoof5)"),
        (("--cost", "preset=x"), "preset must be one of sre08"),
        (("--cost", "p_target=0.1"), "costs have no default: give c_miss, c_fa"),
        (("--require", "auc"), "--require: expected e.g. 'auc >= 0.85'"),
        (("--require", "auc >= high"), "--require: expected a number after >=, found 'high'"),
        (("--require", "auc >= nan"), "--require: nothing compares with NaN"),
        (("--require", "eer:all < 1"), "is several figures; name one of them"),
        (("--require", "cllr < 1"), "cllr needs likelihood ratios"),
        (("--score", "label", "--label", "label"), "score and label are both column 'label'"),
    ],
)
def test_options(refused, options, message):
    assert message in refused(GOOD, *options)


def test_places(refused, tmp_path):
    (tmp_path / "folder").mkdir()
    assert refused(GOOD, files=("b.csv",)) == "b.csv: no such file; did you mean 'a.csv'?"
    assert refused(None, files=("folder",)) == "folder: is a folder; name the files in it, e.g. folder/*.csv"
    assert refused(None, files=("nothing*.csv",)) == "nothing*.csv: no file matches"
    assert "named twice" in refused(None, files=("a.csv", "a.csv"))
    packed = gzip.compress(b"score,label\n" + b"".join(b"%d,%d\n" % (i * i, i % 2) for i in range(5000)))
    assert "damaged or cut short" in refused(packed[:-100], name="cut.csv.gz", files=("cut.csv.gz",))


def test_several_files_say_where_rows_are(refused, tmp_path):
    (tmp_path / "b.csv").write_text("score,label,side\n1,1,l\n,0,r\n")
    message = refused(GOOD, files=("a.csv", "b.csv"))
    assert "1 missing (NaN or null) at row 7" in message
    assert message.endswith("\n  rows are counted through the files: a.csv 1–5, b.csv 6–7")
    (tmp_path / "c.csv").write_text("score,label\n1,1\n")
    assert "c.csv: several files are read as one table" in refused(None, files=("a.csv", "c.csv"))


def test_all_problems_at_once(refused):
    lines = refused("prob,label,w\n0.9,x,-1\n1.5,y,1\n,z,1\n-2,x,1\n", "--weight", "w").splitlines()
    assert lines[0] == "a.csv (score column 'prob', label column 'label'): 4 problems"
    assert [line[:11] for line in lines[1:-1]] == ["  - labels:", "  - scores:", "  - scores:", "  - weight:"]
    assert lines[-1] == "  row 1 is line 2"


def test_text_in_two_number_columns_at_once(refused):
    lines = refused("score,label,w\nx,1,1\n2,0,y\n", "--weight", "w").splitlines()
    assert [line.partition(";")[0] for line in lines] == [
        "a.csv: 2 problems",
        "  - score: expected numbers, found 'x' at row 1",
        "  - w: expected numbers, found 'y' at row 2",
        "  row 1 is line 2",
    ]


def test_text_hides_neither_missing_scores_nor_labels(refused):
    lines = refused("score,label\n,1\nabc,0\n1,2\n1e400,\n0,0\n").splitlines()
    assert lines == [
        "a.csv (score column 'score', label column 'label'): 4 problems",
        "  - score: expected numbers, found 'abc' at row 2; a missing number is written as nothing, -, ., ?, NA, N/A, "
        "#N/A, <NA>, NaN, null or None",
        "  - score: expected numbers that float64 can hold, found '1e400' at row 4: two different scores could become "
        "equal; rescale them first",
        "  - labels: 1 missing label (row 4); give each trial a label; besides: which label is the target? found "
        "'0' (2), '1' (1), '2' (1); say which value is the target: --target, and --nontarget or --ignore for the "
        "others",
        "  - scores: 1 missing (NaN or null) at row 1; leave those trials out with --missing drop or count them as "
        "never accepted with --missing reject",
        "  row 1 is line 2",
    ]
    assert "1 missing" not in refused("score,label\n,1\nabc,0\n", "--missing", "drop")


def test_swapped_columns_of_text(refused):
    message = refused("label,score\n0.93,yes\n0.12,no\n0.88,no\n")
    assert "the score and label columns are swapped" in message


def test_text_in_several_files(refused, tmp_path):
    (tmp_path / "b.csv").write_text("score,label,side\n1,1,l\nx,0,r\n")
    assert refused(GOOD, files=("a.csv", "b.csv")).splitlines() == [
        "2 files (a.csv, b.csv): score: expected numbers, found 'x' at row 7; a missing number is written as nothing, "
        "-, ., ?, NA, N/A, #N/A, <NA>, NaN, null or None",
        "  rows are counted through the files: a.csv 1–5, b.csv 6–7",
    ]


def test_the_line_of_the_first_row(refused):
    assert refused("\n\nscore,label\n\n,1\n0,0\n").endswith("(row 1 is line 5)")
    assert "row 1 is line" not in refused(",1\n0.5,0\n", "--score", "column0", "--label", "column1")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--metric", "precision:threshold=nan"), "precision:threshold=nan: threshold: expected a number in the unit"),
        (("--cost", "p_target=0,c_miss=1,c_fa=1"), "min_dcf:c_fa=1,c_miss=1,p_target=0: p_target: expected"),
        (("--metric", ""), "--metric: expected NAME or NAME:option=value"),
        (("--metric", "auc_within:by=side"), "auc_within is given for each grouping"),
        (("--require", "auc_within:by=x > 0", "--by", "side"), "was not evaluated: it needs groups, --by x"),
        (("--threshold", "1_000"), "--threshold: expected a number without underscores, found '1_000'"),
        (("--threshold", "1e400"), "--threshold: expected a number that float64 can hold, found '1e400'"),
        (("--threshold", "1e-400"), "--threshold: expected a number that float64 can hold"),
        (("--seed", "1_0"), "--seed: expected a whole number, found '1_0'"),
        (("--metric", "p_miss_at:p_fa=0.0_1"), "p_fa must be a number, found '0.0_1'"),
        (("--threshold-from", ""), "--threshold-from: expected a path, found ''"),
    ],
)
def test_what_an_error_of_an_option_names(refused, options, message):
    assert message in refused(GOOD, *options)


def test_the_rule_that_an_error_names(deciban, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(GOOD)
    ended = deciban("threshold", path, "--at", "min_dcf:p_target=0,c_miss=1,c_fa=1")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("deciban: error: --at: min_dcf:p_target=0,c_miss=1,c_fa=1: p_target: expected")
