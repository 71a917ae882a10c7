"""Streams and places that fail: permissions, closed and full streams, signals; nothing is left behind."""

import errno
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from deciban.errors import InputError
from deciban.tables.counts_reading import load_counts
from deciban.tables.files.csv_files import WIDE
from deciban.tables.files.duck import connect
from deciban.tables.files.inputs import InputFile
from deciban.tables.scanning import read_trials, scan
from tests.command_line import WITHOUT_POWERS, process

CSV = b"score,label\n0.9,1\n0.6,1\n0.4,0\n0.1,0\n"
needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")


def refused(ended: subprocess.CompletedProcess[bytes], *parts: str) -> None:
    """Check that a process ended in one message and status 2."""
    said = ended.stderr.decode()
    assert ended.returncode == 2, said
    assert "Traceback" not in said
    assert said.count("deciban: error: ") == 1
    for part in parts:
        assert part in said


ONCE = "and it can be read once only: write it to a file, and name that"


@pytest.mark.skipif(not os.path.exists("/dev/stdin"), reason="needs /dev/stdin")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("evaluate", "-", "-"), "(-) is named twice"),
        (("evaluate", "-", "/dev/stdin"), "(- and /dev/stdin) is named twice"),
        (("evaluate", "/dev/stdin", "/dev/stdin"), "(/dev/stdin) is named twice"),
        (("evaluate", "/dev/stdin", "--key", "-"), "(/dev/stdin and -) is named for the scores and for the key"),
        (("compare", "-", "a.csv", "--score", "s", "--score", "t"), "(-) is named for s and for t"),
        (("compare", "--system", "a=-", "--system", "b=/dev/stdin"), "(- and /dev/stdin) is named for a and for b"),
        (
            ("asvspoof", "tandem", "--asv", "/dev/stdin", "--cm", "-"),
            "(/dev/stdin and -) is named for --asv and for --cm",
        ),
        (
            ("asvspoof", "tandem", "--asv", "a.csv", "--cm", "-", "--cm-key", "-"),
            "(-) is named for --cm and for --cm-key",
        ),
        (
            ("asvspoof", "tandem", "--asv", "-", "--cm", "a.csv", "--cm-key", "-"),
            "(-) is named for --asv and for --cm-key",
        ),
        (("pan", "-", "/dev/stdin"), "(- and /dev/stdin) is named for the truth and for the answers"),
    ],
)
def test_standard_input_is_named_once(arguments, said, tmp_path):
    (tmp_path / "a.csv").write_bytes(CSV)
    refused(process(*arguments, stdin=CSV, cwd=tmp_path), f"standard input {said}, {ONCE}")


@pytest.mark.parametrize("names", [("-", "a.csv"), ("?.csv", "-"), ("-", "/dev/stdin")])
def test_a_file_that_is_redirected_is_not_counted_under_its_name_too(names, tmp_path):
    (tmp_path / "a.csv").write_bytes(CSV)
    with (tmp_path / "a.csv").open("rb") as file:
        command = [sys.executable, "-m", "deciban", "evaluate", *names]
        ended = subprocess.run(command, stdin=file, capture_output=True, cwd=tmp_path, check=False)
    refused(ended, "standard input", "the same file is named twice, which would count its trials twice")


def test_one_system_may_come_on_standard_input(tmp_path):
    (tmp_path / "a.csv").write_bytes(CSV)
    ended = process("plot", "roc", "--system", "a=a.csv", "--system", "b=-", "-o", "r.svg", stdin=CSV, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr


def test_a_stream_without_content_may_have_been_read_before():
    refused(
        process("evaluate", "-"), "standard input: nothing came in, or it was read before: a stream can be read once"
    )


@pytest.fixture
def closed(tmp_path):
    """A folder that may not be entered, with a file in it, and one that may not be listed."""
    for name, mode in (("closed", 0o000), ("unlisted", 0o100)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.csv").write_bytes(CSV)
        (tmp_path / name).chmod(mode)
    (tmp_path / "unreadable.csv").write_bytes(CSV)
    (tmp_path / "unreadable.csv").chmod(0)
    yield tmp_path
    for name in ("closed", "unlisted"):
        (tmp_path / name).chmod(0o700)


PLACES = {
    "unreadable.csv": "unreadable.csv: cannot be opened: Permission denied",
    "closed/a.csv": "closed/a.csv: cannot be opened: Permission denied",
    "closed/*.csv": "closed/*.csv: cannot be opened: Permission denied",
    "unlisted/*.csv": "the folder unlisted cannot be read: Permission denied",
    "*/a.csv": "cannot be read: Permission denied",
    "**/*.csv": "cannot be read: Permission denied",
    "closed/b.csv": "closed/b.csv: cannot be opened: Permission denied",
    "unlisted/b.csv": "unlisted/b.csv: no such file",
}
ONE_BY_ONE = """
import sys
from deciban.__main__ import run
for name in sys.argv[1:]:
    sys.argv = ["deciban", "evaluate", name]
    try:
        run()
    except SystemExit as end:
        print(name, end.code)
"""


def test_places_without_permission(closed):
    """All in one process, since root must start another to be without its powers."""
    before: tuple[str, ...] = ()
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root may read everything, and there is no setpriv")
        before = WITHOUT_POWERS
    command = [*before, sys.executable, "-c", ONE_BY_ONE, *PLACES]
    ended = subprocess.run(command, cwd=closed, capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines() == [f"{name} 2" for name in PLACES]
    for line, said in zip(ended.stderr.splitlines(), PLACES.values(), strict=True):
        assert line.startswith("deciban: error: ")
        assert said in line


def test_a_place_that_cannot_be_asked_about(tmp_path, monkeypatch):
    def denied(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    (tmp_path / "a.csv").write_bytes(CSV)
    monkeypatch.setattr("deciban.tables.files.inputs.os.stat", denied)
    for name in ("a.csv", "*.csv"):
        with pytest.raises(InputError, match="cannot be opened: Permission denied"):
            scan(tmp_path / name)


@pytest.mark.parametrize("command", ["evaluate", "threshold"])
def test_standard_input_that_is_closed(command):
    options = ("--at", "eer") if command == "threshold" else ()
    start = ("sh", "-c", 'exec "$@" <&-', "sh")
    refused(process(command, "-", *options, before=start), "standard input is closed")


def test_standard_input_that_is_no_stream_of_bytes(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("score,label\n"))
    with pytest.raises(InputError, match="standard input is closed, or is no stream of bytes"):
        scan("-")


def test_no_room_for_standard_input(tmp_path):
    start = ("sh", "-c", 'ulimit -f 8; exec "$@"', "sh")
    data = CSV + b"0.5,1\n" * 1_000_000
    ended = process("evaluate", "-", stdin=data, before=start, TMPDIR=str(tmp_path))
    refused(ended, "standard input: a copy is needed and cannot be written", "File too large", "TMPDIR")
    assert list(tmp_path.iterdir()) == []


def test_no_room_for_a_copy_in_plain_form(tmp_path):
    path = tmp_path / "a.csv"
    # So many columns are rewritten whatever DuckDB thinks of the file.
    others = [f"x{index}" for index in range(WIDE)]
    rows = [
        ["score", "label", *others],
        *([f"0.{row:04}", str(row % 2), *("" for _ in others)] for row in range(2_000)),
    ]
    path.write_text("\n".join(",".join(row) for row in rows) + "\n", encoding="utf-8")
    (tmp_path / "room").mkdir()
    start = ("sh", "-c", 'ulimit -f 8; exec "$@"', "sh")
    refused(
        process("evaluate", path, before=start, TMPDIR=str(tmp_path / "room")), "a copy is needed", "File too large"
    )
    assert list((tmp_path / "room").iterdir()) == []


def test_no_folder_for_temporary_files(monkeypatch):
    def none(*_: object, **__: object) -> None:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr("tempfile.mkstemp", none)
    with pytest.raises(InputError, match="temporary files: No usable temporary directory found; name a folder"):
        read_trials("/proc/self/mounts")


@needs_full
@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("metrics",)])
def test_help_on_a_full_disk(arguments):
    start = ("sh", "-c", 'exec "$@" >/dev/full', "sh")
    refused(process(*arguments, before=start), "standard output: cannot be written: No space left on device")


@needs_full
def test_nobody_to_complain_to():
    start = ("sh", "-c", 'exec "$@" 2>/dev/full', "sh")
    assert process("evaluate", "nothing.csv", before=start).returncode == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
def test_a_signal_while_data_arrive(tmp_path, number):
    program = subprocess.Popen(
        [sys.executable, "-m", "deciban", "evaluate", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert program.stdin is not None
    program.stdin.write(CSV + b"0.5,1\n" * 500_000)
    program.stdin.flush()  # more than a pipe holds, so it is reading by now
    time.sleep(0.1)
    program.send_signal(number)
    _, err = program.communicate()
    assert program.returncode in (130, 143, -number)
    assert b"Traceback" not in err
    assert list(tmp_path.iterdir()) == []


STOPPED = """
import os
import sys
from pathlib import Path
from deciban.__main__ import run

def stop(self, mode):
    self.write_bytes(self.read_bytes()[:100])
    os.kill(os.getpid(), number)

number = int(sys.argv.pop())
Path.chmod = stop
run()
"""
"""The program, sent a signal when an output is half written and has not its name yet."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_while_a_file_is_written(tmp_path, number, deciban):
    scores, kept = tmp_path / "scores.csv", tmp_path / "kept.parquet"
    scores.write_bytes(CSV)
    kept.write_bytes(b"of an earlier run")
    command = [sys.executable, "-c", STOPPED, "count", str(scores), "-o", str(kept), str(int(number))]
    ended = subprocess.run(command, capture_output=True, check=False)
    assert ended.returncode in (130, 143, -number)
    assert b"Traceback" not in ended.stderr
    assert kept.read_bytes() == b"of an earlier run"
    left = [path for path in tmp_path.iterdir() if path not in (scores, kept)]
    # Nothing can be cleaned up after SIGKILL; what is left is hidden and under another name.
    assert len(left) == (number == signal.SIGKILL)
    assert all(path.name.startswith(".kept.parquet.") for path in left)
    assert deciban("count", scores, "-o", kept).status == 0
    assert load_counts(kept).total_target == 2
    assert [path for path in tmp_path.iterdir() if path not in (scores, kept)] == left


def test_programs_do_not_share_a_folder_for_what_does_not_fit():
    places = set()
    for _ in range(2):
        with connect() as db:
            places |= {Path(*row) for row in db.execute("SELECT current_setting('temp_directory')").fetchall()}
    assert len(places) == 2
    assert {place.parent for place in places} == {Path(tempfile.gettempdir())}
    assert not any(place.exists() for place in places)


def test_a_temporary_file_has_a_path_as_long_as_it_lives(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("deciban.tables.files.scratch._OPEN_FILES", tmp_path / "nowhere")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CSV)))
    table = scan("-")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [CSV]
    assert len(table.trials()) == 4
    del table
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_with_a_name(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = subprocess.Popen(["sh", "-c", f"printf 'score,label\\n1,1\\n0,0\\n' > {tmp_path / 'pipe'}"])
    assert read_trials(tmp_path / "pipe").score.tolist() == [1.0, 0.0]
    assert writer.wait() == 0


def test_a_file_that_fails_while_it_is_read(tmp_path, monkeypatch):
    class Failing(io.BytesIO):
        def read(self, *_: object) -> bytes:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    path = tmp_path / "a.csv"
    path.write_bytes(CSV)
    monkeypatch.setattr(InputFile, "open", lambda _: Failing())
    with pytest.raises(InputError, match="cannot be read: Input/output error"):
        scan(Path(path))
