"""Engines that tests need: imported, or the test is skipped; ``DECIBAN_REQUIRE_ENGINES=1`` makes absence a failure."""

from __future__ import annotations

import importlib
import os
import shutil
from typing import Any

import pytest

REQUIRED = "DECIBAN_REQUIRE_ENGINES"


def needed(*modules: str) -> Any:
    """The first of several modules; all must be there."""
    try:
        found = [importlib.import_module(module) for module in modules]
    except ImportError as error:
        absent(f"{error.name} is not installed (pip install --group engines)")
    return found[0]


def java() -> None:
    """A Java runtime, which Spark needs."""
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        absent("there is no java, which Spark needs (apt-get install default-jre-headless)")


def absent(reason: str) -> None:
    """Skip the test, or fail it where every engine must be there."""
    if os.environ.get(REQUIRED):
        pytest.fail(f"{reason}, and {REQUIRED} is set")
    pytest.skip(reason)
