"""What the how-to pages show is what the program does, on the files that their script makes."""

from __future__ import annotations

import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import Program

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "how-to"
LEFT_OUT = "…"


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def commands(page: Path) -> Iterator[tuple[list[str], list[str]]]:
    """Each command as words, and the lines shown below it."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *shown = part.splitlines()
            yield shlex.split(command), shown


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def test_page(page, tmp_path, monkeypatch, capsys):
    """Every command in its turn, in a folder that holds the simulated files; then the Python lines."""
    runpy.run_path(str(PAGES / "simulate.py"))["main"](tmp_path)
    monkeypatch.chdir(tmp_path)
    ran = 0
    for command, shown in commands(page):
        check_shown(f"{page.name}: {' '.join(command)}", shown, output(command, capsys, monkeypatch))
        ran += 1
    assert ran, "no command is shown"
    for block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), {})


def output(command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lines on stdout of ``deciban …``, or of a script of this repository."""
    program, *arguments = command
    if program == "python":
        script, *rest = arguments
        done = subprocess.run([sys.executable, str(ROOT / script), *rest], capture_output=True, text=True, check=True)
        return [line.rstrip() for line in done.stdout.splitlines()]
    assert program == "deciban"
    ended = Program(capsys, monkeypatch)(*arguments)
    assert ended.status == 0, ended.err
    return [line.rstrip() for line in ended.out.splitlines()]


def check_shown(where: str, shown: list[str], printed: list[str]) -> None:
    """Lines are printed as shown, in that order; only where "…" stands, or where none is shown, are some left out."""
    at, skipping = 0, not shown
    for line in shown:
        if line == LEFT_OUT:
            skipping = True
            continue
        assert line in printed[at:], f"{where}: {line!r} is not printed"
        found = printed.index(line, at)
        between = [skipped for skipped in printed[at:found] if skipped]
        assert skipping or not between, f"{where}: {between} is left out without a sign"
        at, skipping = found + 1, False
    assert skipping or not any(printed[at:]), f"{where}: {printed[at:]} is left out without a sign"
