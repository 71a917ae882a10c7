"""Fixtures that several tests share, and how Hypothesis runs.

Hypothesis tries the same examples each time, unless ``HYPOTHESIS_PROFILE=hunt`` asks for many new ones. How long an
example takes depends on what else the machine does, and is no property of the code: there is no deadline.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from tests.command_line import Program

settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("hunt", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


@pytest.fixture
def deciban(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    """The command line, called in this process: ``deciban("evaluate", path)``."""
    return Program(capsys, monkeypatch)
