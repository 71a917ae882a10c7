"""Fixtures that several tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.command_line import Program

# How long an example takes depends on what else the machine does, and is no property of the code.
settings.register_profile("deciban", deadline=None)
settings.load_profile("deciban")


@pytest.fixture
def deciban(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    """The command line, called in this process: ``deciban("evaluate", path)``."""
    return Program(capsys, monkeypatch)
