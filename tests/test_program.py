"""The program as a process: streams, signals, locale, terminal, start, help, wrong use, and its smaller commands."""

import csv
import os
import signal
import subprocess
import sys
import time

import pytest

import deciban as db
from tests.command_line import process

CSV = "score,label,side\n0.9,1,l\n0.6,1,r\n0.4,1,l\n0.8,0,r\n0.4,0,l\n0.1,0,r\n"


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(CSV)
    return path


def test_standard_input():
    ended = process("evaluate", "-", "--interval", "none", "--format", "plain", stdin=CSV.encode())
    assert ended.returncode == 0
    assert b"auc 0.722222\n" in ended.stdout


@pytest.mark.parametrize("arguments", [("metrics",), ("evaluate", "-", "--interval", "none"), ("evaluate", "--help")])
def test_closed_pipe_is_no_error(arguments):
    program = subprocess.Popen(
        [sys.executable, "-m", "deciban", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdin is not None
    assert program.stdout is not None
    assert program.stderr is not None
    program.stdout.close()
    program.stdin.write(CSV.encode())
    program.stdin.close()
    err = program.stderr.read()
    program.stderr.close()
    program.wait()
    assert b"Traceback" not in err
    assert b"Exception" not in err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_disk(scores):
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "deciban", "evaluate", str(scores), "--interval", "none"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert ended.returncode == 2
    assert b"standard output: cannot be written: No space left on device" in ended.stderr
    assert b"Traceback" not in ended.stderr


def test_ctrl_c_is_quiet(deciban, scores, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("deciban.workflow.evaluating.evaluate.evaluate", interrupted)
    ended = deciban("evaluate", scores)
    assert (ended.status, ended.out, ended.err) == (130, "", "deciban: stopped\n")


def test_ctrl_c_of_a_real_process():
    program = subprocess.Popen(
        [sys.executable, "-m", "deciban", "evaluate", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(1.0)  # it waits for its input by then; earlier, the interpreter itself may be starting still
    program.send_signal(signal.SIGINT)
    out, err = program.communicate()
    assert program.returncode in (130, -signal.SIGINT)
    assert out == b""
    assert b"Traceback" not in err


def test_the_database_hands_ctrl_c_on():
    from deciban.tables.files.duck import interruptible

    with pytest.raises(KeyboardInterrupt), interruptible():
        raise RuntimeError("Query interrupted")
    with pytest.raises(RuntimeError, match="else"), interruptible():
        raise RuntimeError("something else")


@pytest.mark.parametrize("environment", [{"LANG": "C", "LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}])
def test_output_is_utf8_in_any_locale(scores, environment):
    ended = process("evaluate", scores, "--threshold", 0.6, "--interval", "closed", **environment)
    assert ended.returncode == 0
    assert "±" in ended.stdout.decode("utf-8")


def test_width_of_the_terminal_changes_nothing(scores):
    arguments = ("evaluate", scores, "--threshold", 0.6, "--interval", "closed")
    assert len({process(*arguments, COLUMNS=columns).stdout for columns in ("20", "300")}) == 1


def test_same_input_same_bytes(scores):
    arguments = ("evaluate", scores, "--format", "json", "--by", "side", "--replicates", 20)
    assert len({process(*arguments, PYTHONHASHSEED=seed).stdout for seed in ("1", "2")}) == 1


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_light_start(argument):
    script = (
        "import sys; sys.argv[1:] = [sys.argv[1]]\n"
        "from deciban.__main__ import run\n"
        "try: run()\n"
        "except SystemExit: pass\n"
        "print(*(m for m in ('numpy', 'scipy', 'duckdb', 'narwhals', 'pandas') if m in sys.modules), file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", script, argument], capture_output=True, text=True, check=True)
    assert ended.stderr.strip() == ""
    assert ended.stdout


def test_version_and_help(deciban):
    assert deciban("--version").out == f"deciban {db.__version__}\n"
    for command in ((), ("evaluate",), ("metrics",), ("demo",)):
        ended = deciban(*command, "--help")
        assert (ended.status, ended.err) == (0, "")
        assert "Usage" in ended.out
    assert deciban("-h").out == deciban("--help").out


def test_help_cuts_nothing(deciban, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = deciban("evaluate", "--help").out
    assert "…" not in text
    assert "p_target=0.01,c_miss=10,c_fa=1" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("evaluate", "x.csv", "--treshold", "1"),
            "No such option: --treshold (Possible options: --resolution, --threshold, --threshold-from)",
        ),
        (("evaluat",), "No such command 'evaluat'. Did you mean 'evaluate'"),
        (("evaluate", "x.csv", "--threshold", "abc"), "--threshold: expected a number, found 'abc'"),
        (("evaluate", "x.csv", "--seed", "1.5"), "--seed: expected a whole number, found '1.5'"),
        (("evaluate", "x.csv", "--threshold"), "requires an argument"),
        (("metrics", "auc", "eer"), "extra argument"),
        (("evaluate", "--label", "x"), "Missing argument"),
    ],
)
def test_wrong_use_is_one_line(deciban, arguments, said):
    ended = deciban(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("deciban: error: ")
    assert said in ended.err
    assert ended.err.count("\n") == 1
    assert "--help" in ended.err


def test_nothing_asked_shows_the_help(deciban):
    for command in ((), ("evaluate",)):
        ended = deciban(*command)
        assert ended.status == 2
        assert "Usage" in ended.out + ended.err


def test_metrics(deciban):
    from deciban.metrics.catalogue import METRICS

    listed = deciban("metrics")
    assert listed.status == 0
    assert [line.split()[0] for line in listed.out.splitlines()[1:]] == [metric.spec.name for metric in METRICS]
    eer = deciban("metrics", "eer").out
    assert "option          method: one of rocch, interpolated" in eer
    assert "avoid when" in eer
    assert deciban("metrics", "eer:method=nist").out == eer
    assert "eer_fvc.low" in deciban("metrics", "eer_fvc.low").out
    for metric in METRICS:
        assert deciban("metrics", metric.spec.name).out.startswith(f"{metric.spec.name}: {metric.spec.title}\n")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nonsense", "no metric 'nonsense'; known: baseline_accuracy,"),
        ("FNMR", "no metric 'FNMR'; it is called 'p_miss' here"),
        ("acuracy", "did you mean 'accuracy'"),
        ("ece", "say empirical_cross_entropy (Ramos"),
    ],
)
def test_metrics_unknown(deciban, name, said):
    ended = deciban("metrics", name)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err


@pytest.fixture
def few_replicates(monkeypatch):
    """Evaluations draw 20 replicates, however many are asked for; how-to pages are tested with all of them."""
    evaluate = db.evaluate
    monkeypatch.setattr(
        "deciban.workflow.evaluating.evaluate.evaluate", lambda *a, **o: evaluate(*a, **{**o, "replicates": 20})
    )


def test_demo(deciban, few_replicates, tmp_path):
    folder = tmp_path / "new" / "demo"
    ended = deciban("demo", "-o", folder)
    assert ended.status == 0
    assert sorted(path.name for path in folder.iterdir()) == ["record.json", "report.html", "speakers.csv"]
    record = db.Evaluation.from_json((folder / "record.json").read_text())
    assert ended.out == str(record)
    assert record["cllr"].value is not None
    command = ended.err.splitlines()[-1].split()
    assert command[:2] == ["deciban", "report"]
    page = (folder / "report.html").read_bytes()
    (folder / "report.html").unlink()
    assert deciban(*command[1:]).status == 0
    assert (folder / "report.html").read_bytes() == page


def test_demo_where_it_cannot_write(deciban, tmp_path):
    (tmp_path / "file").write_text("")
    ended = deciban("demo", "-o", tmp_path / "file")
    assert (ended.status, ended.out) == (2, "")
    assert "file: no folder can be made there: File exists" in ended.err


def test_demo_says_what_it_replaces_by_the_same(deciban, few_replicates, tmp_path):
    speakers, record, page = (tmp_path / name for name in ("speakers.csv", "record.json", "report.html"))
    record.write_text("mine")
    assert f"deciban: replaced what was there: {record}\n" in deciban("demo", "-o", tmp_path).err
    before = [path.read_bytes() for path in (speakers, record, page)]
    assert f"deciban: replaced what was there: {speakers}, {record}, {page}\n" in deciban("demo", "-o", tmp_path).err
    assert [path.read_bytes() for path in (speakers, record, page)] == before


def test_demo_writes_all_or_nothing(deciban, tmp_path):
    (tmp_path / "report.html").mkdir()
    ended = deciban("demo", "-o", tmp_path)
    assert (ended.status, ended.out) == (2, "")
    assert "report.html: cannot be written: it is there already, and no file" in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.parametrize("arguments", [("demo", "-o", ""), ("threshold", "x.csv", "--at", "eer", "-o", "")])
def test_an_empty_path_is_refused(deciban, arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = deciban(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert "--output: expected a path, found ''" in ended.err
    assert list(tmp_path.iterdir()) == []


def test_a_threshold_is_announced_when_it_is_written(deciban, scores, tmp_path):
    ended = deciban("threshold", scores, "--at", "eer", "-o", tmp_path / "nowhere" / "t.json")
    assert ended.status == 2
    assert "deciban: threshold" not in ended.err
    assert "deciban: threshold" in deciban("threshold", scores, "--at", "eer", "-o", tmp_path / "t.json").err


def test_csv_for_spreadsheets(deciban, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("score,label,=g\n1,1,\x1b[31m\n2,0,\u202ex\n0,0,+1\n3,1,a\n-1,1,a\n")
    out = deciban("evaluate", path, "--by", "=g", "--interval", "none", "--format", "csv").out
    rows = list(csv.DictReader(out.splitlines()))
    assert {row["group"] for row in rows} == {"", "'=g=\\x1b[31m", "'=g=\\u202ex", "'=g=+1", "'=g=a"}
    assert {row["threshold"] for row in rows} == {""}


def test_a_long_name_of_a_group_does_not_widen_the_page(deciban, tmp_path):
    path = tmp_path / "a.csv"
    names = ["x" * 300 + end for end in "ab"]
    path.write_text("score,label,g\n" + "".join(f"{n},{n // 2 % 2},{names[n % 2]}\n" for n in range(8)))
    table = deciban("evaluate", path, "--by", "g", "--interval", "none").out
    assert max(map(len, table.splitlines())) < 200
    assert all(f"{'x' * 24}…{'x' * 14}{end}" in table for end in "ab")
    assert names[0] in deciban("evaluate", path, "--by", "g", "--interval", "none", "--format", "json").out


def test_no_half_written_file(tmp_path):
    from deciban.values.whole_file import whole_file

    path = tmp_path / "a.json"
    path.write_text("before")

    def interrupted():
        with whole_file(path) as temporary:
            temporary.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.json"]


def test_control_characters_of_the_data_stay_data(deciban, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("score,label,g\n1,1,\x1b[31mred\n2,0,\x1b[31mred\n0,0,<b>|x\n3,1,<b>|x\n")
    asked = ("evaluate", path, "--by", "g", "--interval", "none")
    for form in ("table", "markdown", "plain"):
        ended = deciban(*asked, "--format", form)
        assert "\x1b" not in ended.out + ended.err
        assert "x1b" in ended.out
    assert "<b>" not in deciban(*asked, "--format", "markdown").out.replace("\\<b>", "")
    (tmp_path / "\x1b[2J.csv").write_text("")
    assert "\x1b" not in deciban("evaluate", tmp_path / "\x1b[2J.csv").err
