"""The page in a browser: silent, offline, by keyboard, on paper, in the dark, on a phone, with hostile names."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

import deciban as db
from tests.browser.pages import Visit, write_bare, write_page
from tests.report_pages import validation_record

pytestmark = pytest.mark.xdist_group("browser")
"""One browser, and each page written once."""

PHONE = {"width": 375, "height": 740}
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    "\"' onmouseover='alert(3)",
    "\u202egnitset\u202c שלום",
    "{{ 7 * 7 }} ${7*7} &lt;b&gt; <!-- ",
    "x" * 10_000,
)


def systems() -> dict[str, db.Trials]:
    generator = np.random.default_rng(3)
    return {
        name: db.Trials.from_classes(generator.normal(2, 2, 80), generator.normal(-2, 2, 120), scale="ln_lr")
        for name in ("first", "second")
    }


@pytest.fixture(scope="module", params=["bare", "evaluation", "comparison", "validation"])
def path(request, tmp_path_factory):
    """A page of each kind, written once."""
    found = tmp_path_factory.mktemp("pages") / f"{request.param}.html"
    if request.param == "comparison":
        return write_page(db.compare(systems(), interval="none"), found)
    if request.param == "validation":
        return write_page(validation_record(), found)
    record = db.evaluate(systems()["first"], interval="none", thresholds=[0.0, 1.0])
    return write_bare({"": record}, found) if request.param == "bare" else write_page(record, found)


def focused(page: Visit) -> str:
    """What has the focus: its id, or its text."""
    return str(page.page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))


def test_every_control_is_reached_and_worked_by_the_keyboard(path, visit):
    page = visit(path)
    controls = page.page.locator(".explorer :is(input, button, select):visible")
    expected = controls.evaluate_all("(all) => all.map((one) => one.id || one.textContent.trim())")
    page.page.locator("body").press("Tab")
    for _ in range(300):
        if focused(page) == expected[0]:
            break
        page.page.keyboard.press("Tab")
    reached = []
    for _ in expected:
        reached.append(focused(page))
        page.page.keyboard.press("Tab")
    assert reached == expected
    page.page.locator("#explorer-slider").focus()
    page.page.keyboard.press("Home")
    lowest = page.threshold
    page.page.keyboard.press("ArrowRight")
    assert page.threshold > lowest
    page.page.keyboard.press("ArrowLeft")
    assert page.threshold == lowest
    page.page.keyboard.press("End")
    assert page.threshold == float("inf")
    page.page.locator("#explorer-typed").focus()
    page.page.keyboard.press("Control+A")
    page.page.keyboard.type("-inf")
    page.page.keyboard.press("Enter")
    assert page.threshold == float("-inf")
    page.page.locator(".explorer").get_by_role("button", name="EER").focus()
    page.page.keyboard.press("Space")
    assert page.threshold > lowest
    page.page.locator("#explorer-odds").focus()
    page.page.keyboard.press("Home")
    assert "log10 odds -3)" in page.text("#explorer-question")


def test_every_control_says_what_it_is(path, visit):
    page = visit(path).page
    for control in page.locator(".explorer :is(input, button, select)").all():
        if control.is_visible():
            name = control.evaluate("(one) => one.ariaLabel ?? (one.labels?.[0] ?? one).textContent")
            assert name.strip()
    assert (
        page.locator("#explorer-slider")
        .get_attribute("aria-valuetext")
        .endswith(page.locator("#explorer-typed").input_value())
    )
    assert page.locator("#explorer-state").get_attribute("aria-live") == "polite"
    for chart in page.locator(".explorer figure:visible [role=img]").all():
        assert chart.get_attribute("aria-label")


def test_paper_shows_what_was_chosen_and_no_controls(path, visit):
    page = visit(path)
    page.slide(7)
    state, headings = page.state, page.page.locator("h1, h2").all_inner_texts()
    page.page.emulate_media(media="print")
    assert page.page.locator("#explorer-state").is_visible()
    assert page.page.locator("#explorer-question").is_visible()
    assert page.page.locator(".explorer :is(input, button):visible").count() == 0
    assert page.page.locator(".explorer figure svg:visible").count() == 5
    body = page.page.locator("body").inner_text()
    assert re.sub("[\u2068\u2069]", "", body).find(state) >= 0
    for heading in headings:
        assert heading in body
    assert page.page.pdf()[:5] == b"%PDF-"


def test_charts_are_readable_on_black_and_on_white(path, visit):
    colours = set()
    for scheme in ("light", "dark"):
        page = visit(path, color_scheme=scheme).page
        ink = page.locator("#explorer").evaluate("(one) => getComputedStyle(one).color")
        text = page.locator("#explorer-roc svg text").first.evaluate("(one) => getComputedStyle(one).fill")
        line = page.locator("#explorer-roc svg .mark-line path").first.evaluate("(one) => getComputedStyle(one).stroke")
        assert text == ink
        colours.add((text, line))
    assert len(colours) == 2
    assert len({line for _, line in colours}) == 2


@pytest.mark.parametrize("width", [320, 375, 768, 1280])
def test_no_width_needs_scrolling_sideways(path, width, visit):
    page = visit(path, viewport={"width": width, "height": 740}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    charts = [chart.bounding_box() for chart in page.locator(".explorer figure:visible svg").all()]
    assert all(box["x"] + box["width"] <= width for box in charts)
    if width == PHONE["width"]:
        assert len({box["x"] for box in charts}) == 1


def test_the_matrix_reads_on_a_phone_and_on_paper(visit, tmp_path):
    path = write_page(validation_record(), tmp_path / "validation.html")
    page = visit(path, viewport=PHONE).page
    row = page.locator("#criterion-1")
    cells = [cell.bounding_box() for cell in row.locator("th, td").all()]
    assert len({box["x"] for box in cells}) == 1
    assert all(above["y"] < below["y"] for above, below in pairwise(cells))
    heads = row.locator("td").evaluate_all("(all) => all.map((one) => getComputedStyle(one, '::before').content)")
    assert heads == ['"Requirement"', '"Result"', '"Data"', '"Decision"']
    assert not page.locator(".signatures").is_visible()
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 960})
    cells = [cell.bounding_box() for cell in row.locator("th, td").all()]
    assert len({box["y"] for box in cells}) == 1
    assert page.locator(".signatures").is_visible()
    assert page.locator("html").evaluate("(one) => one.scrollWidth") <= 680


def test_a_decision_leads_to_its_row(visit, tmp_path):
    page = visit(write_page(validation_record(), tmp_path / "validation.html")).page
    page.locator(".tally").get_by_role("link", name="D1", exact=True).click()
    assert page.locator("tr:target b").inner_text() == "D1"
    assert page.locator("tr:target").get_by_role("link", name="DET").is_visible()


def test_without_scripts_the_page_says_so(path, visit):
    page = visit(path, java_script_enabled=False).page
    assert page.locator(".explorer-missing").is_visible()
    assert not page.locator("#explorer").is_visible()


def test_hostile_names_do_nothing(visit, tmp_path):
    generator = np.random.default_rng(4)
    named = {
        name: db.Trials.from_classes(generator.normal(1, 1, 20), generator.normal(0, 1, 30), scale="ln_lr")
        for name in HOSTILE
    }
    result = db.compare(named, interval="none", metrics=["auc"])
    for written in (write_page(result, tmp_path / "a.html"), write_bare(result.systems, tmp_path / "b.html")):
        page = visit(written, viewport=PHONE)
        assert page.page.locator("img").count() == 0
        assert page.page.locator("#explorer-system option").count() == len(HOSTILE)
        for place in range(len(HOSTILE)):
            page.page.locator("#explorer-system").select_option(str(place))
            page.drawn()
            page.slide(5)
        assert page.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_hostile_column_is_text(visit, tmp_path):
    column = "<img src=x onerror=alert(1)>\u202e"
    frame = {column: [0.1, 0.4, 0.35, 0.8], "label": ["n", "n", "t", "t"]}
    import pandas as pd

    table = db.scan(pd.DataFrame(frame), score=column, label="label", target="t")
    page = visit(write_page(db.evaluate(table, interval="none", thresholds=[0.3]), tmp_path / "page.html"))
    assert "<img src=x onerror=alert(1)>" in page.state
    assert page.page.locator("img").count() == 0
