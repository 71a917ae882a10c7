"""Running the program: in this process for speed, or as a process of its own for streams, signals and imports."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import typer.main

from deciban.__main__ import run

commands = cache(typer.main.get_command)
"""What the program is made of, built once: building it takes longer than most commands."""


@dataclass(frozen=True)
class Ended:
    """What the program wrote and how it ended."""

    status: int
    out: str
    err: str

    @property
    def plain(self) -> dict[str, str]:
        """The ``name value`` lines of ``--format plain``."""
        return dict(line.rsplit(" ", 1) for line in self.out.splitlines())


class Program:
    """The command line, called in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys, self._monkeypatch = capsys, monkeypatch

    def __call__(self, *arguments: object) -> Ended:
        self._monkeypatch.setattr(sys, "argv", ["deciban", *map(str, arguments)])
        self._monkeypatch.setattr(typer.main, "get_command", commands)
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            run()
        out, err = self._capsys.readouterr()
        return Ended(int(ended.value.code or 0), out, err)


WITHOUT_POWERS = (
    "setpriv",
    "--bounding-set=-dac_override,-dac_read_search",
    "--inh-caps=-dac_override,-dac_read_search",
)
"""What runs a program as root who may not read everything, as any other user."""


def process(
    *arguments: object,
    stdin: bytes = b"",
    cwd: Path | None = None,
    before: Sequence[str] = (),
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    """The command line as a process of its own; ``before`` is a program that starts it."""
    return subprocess.run(
        [*before, sys.executable, "-m", "deciban", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, **environment},
        check=False,
    )
