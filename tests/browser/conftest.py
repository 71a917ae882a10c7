"""A browser, started once per worker, and pages that must be silent and ask for nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.chromium import FLAGS, chromium
from tests.browser.pages import Visit

Opened = Callable[..., Visit]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Opened]:
    """Open a file: ``visit(path, viewport={…})``. In the end it must have said nothing and fetched nothing."""
    visits: list[Visit] = []

    def opened(path: Path, **options: Any) -> Visit:
        visits.append(Visit.of(browser.new_context(**options), path))
        return visits[-1]

    yield opened
    for each in visits:
        each.page.context.close()
    for each in visits:
        assert each.said == []
        assert each.requests == [each.address]
