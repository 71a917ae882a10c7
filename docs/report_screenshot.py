"""The picture of the README: the top of the report of ``deciban demo``, down to the first charts of the explorer.

Needs Playwright and Chromium (``chromium`` on the path, or ``DECIBAN_CHROMIUM``): python docs/report_screenshot.py
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import sync_playwright

import deciban as db
from deciban.workflow.demonstrate import write_trials

WIDTH = 1180
COLOURS = 64
"""Enough for letters and lines on white; a quarter of the file."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]


def write_demo(folder: Path) -> Path:
    """Write the report of ``deciban demo``, whose trials come from a seed."""
    table = db.scan(write_trials(folder / "speakers.csv"), sources=("enrolled", "tested"), conditions="channel")
    db.write_report(db.evaluate(table, by="channel", costs=["preset=voxsrc"]), folder / "report.html")
    return folder / "report.html"


def pictured(page_file: Path) -> bytes:
    """Take the picture as PNG."""
    chromium = os.environ.get("DECIBAN_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": WIDTH, "height": 900})
        page.goto(page_file.resolve().as_uri())
        page.wait_for_function(
            "Array.from(document.querySelectorAll('.explorer figure:not([hidden]) > div'))"
            ".every((div) => div.querySelector('svg .role-axis'))"
        )
        box = page.locator("#explorer-roc").bounding_box()
        height = 900 if box is None else box["y"] + box["height"] + 12
        picture = page.screenshot(full_page=True, clip={"x": 0, "y": 0, "width": WIDTH, "height": height})
        browser.close()
    return picture


def main(path: Path) -> None:
    """Write the picture in few colours."""
    with TemporaryDirectory() as folder:
        picture = Image.open(io.BytesIO(pictured(write_demo(Path(folder)))))
    picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(path, picture.size, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "report.png")
