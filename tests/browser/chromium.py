"""Where Chromium is, for tests that open a page in a real browser."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from typing import NoReturn

import pytest

PATH = "DECIBAN_CHROMIUM"
REQUIRED = "DECIBAN_REQUIRE_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
"""Without a sandbox, which root has none of in a container; the pages are those that tests write."""


def chromium() -> str:
    """The path of Chromium; without it or Playwright the test is skipped, or fails where required.

    It is ``DECIBAN_CHROMIUM``, else the first of the usual names on the path. ``DECIBAN_REQUIRE_CHROMIUM`` (set to
    anything but the empty text) makes absence a failure, so that continuous integration cannot skip in silence.
    """
    found = os.environ.get(PATH) or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        _absent(f"Chromium is absent (set {PATH} to its path)")
    if find_spec("playwright") is None:
        _absent("Playwright is absent (pip install playwright)")
    return found


def _absent(reason: str) -> NoReturn:
    if os.environ.get(REQUIRED):
        pytest.fail(reason)
    pytest.skip(reason)
