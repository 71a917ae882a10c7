"""What the how-to pages show is what the program does, on the files that their script makes."""

from __future__ import annotations

import re
import runpy
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import Program

PAGES = Path(__file__).resolve().parents[1] / "docs" / "how-to"
LEFT_OUT = "…"


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def commands() -> Iterator[tuple[str, str, list[str]]]:
    """Page, command and the lines shown below it."""
    for page in sorted(PAGES.glob("*.md")):
        for block in blocks(page, "console"):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, *shown = part.splitlines()
                yield page.stem, command, shown


COMMANDS = list(commands())


@pytest.fixture(scope="session")
def simulated(tmp_path_factory):
    """A folder with the files of the pages."""
    folder = tmp_path_factory.mktemp("how-to")
    runpy.run_path(str(PAGES / "simulate.py"))["main"](folder)
    return folder


@pytest.mark.parametrize(("page", "command", "shown"), COMMANDS, ids=[f"{page}: {line}" for page, line, _ in COMMANDS])
def test_commands(page, command, shown, simulated, monkeypatch, capsys):
    """Lines are printed as they are shown and in that order; only where "…" stands are others left out."""
    monkeypatch.chdir(simulated)
    name, *arguments = shlex.split(command)
    assert name == "deciban"
    ended = Program(capsys, monkeypatch)(*arguments)
    assert ended.status == 0, ended.err
    printed = [line.rstrip() for line in ended.out.splitlines()]
    at, skipping = 0, False
    for line in shown:
        if line == LEFT_OUT:
            skipping = True
            continue
        assert line in printed[at:], f"{page}: {line!r} is not printed"
        found = printed.index(line, at)
        between = [skipped for skipped in printed[at:found] if skipped]
        assert skipping or not between, f"{page}: {between} is left out without a sign"
        at, skipping = found + 1, False
    assert skipping or not any(printed[at:])


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def test_python_lines_run(page, simulated, monkeypatch):
    monkeypatch.chdir(simulated)
    for block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), {})


def test_every_page_shows_a_command():
    assert {page for page, _, _ in COMMANDS} == {page.stem for page in PAGES.glob("*.md")}
