"""Where the public data for checks lie: a folder beside the checkout, never part of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FOLDER = "DECIBAN_SHARED"
REQUIRED = "DECIBAN_REQUIRE_SHARED"


def shared(path: str) -> Path:
    """The file or folder at ``path`` in the shared folder; without it the test is skipped, or fails where required.

    The folder is ``DECIBAN_SHARED``, else ``shared`` beside the checkout. ``DECIBAN_REQUIRE_SHARED`` (set to anything
    but the empty text) makes absence a failure, so that continuous integration cannot skip in silence.
    """
    folder = os.environ.get(FOLDER)
    root = Path(folder) if folder else Path(__file__).resolve().parents[2] / "shared"
    found = root / path
    if found.exists():
        return found
    reason = f"shared data absent: {found} (set {FOLDER} to the folder that holds {path})"
    if os.environ.get(REQUIRED):
        pytest.fail(reason)
    pytest.skip(reason)
