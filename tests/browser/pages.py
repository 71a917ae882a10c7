"""Pages to open, and what a visitor does on them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import deciban as db
from deciban.report.explorer import explorer_fragment
from deciban.report.policy import content_policy

BARE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>bare</title><style>{style}</style></head><body>{html}{scripts}</body></html>"""


def write_bare(systems: Mapping[str, Any], path: Path, vocabulary: str = "neutral") -> Path:
    """Write a page with the explorer alone, under the policy of a report."""
    fragment = explorer_fragment(systems, vocabulary)
    assert fragment is not None
    policy = content_policy([fragment.style], fragment.scripts)
    scripts = "".join(f"<script>{script}</script>" for script in fragment.scripts)
    path.write_text(BARE.format(policy=policy, style=fragment.style, html=fragment.html, scripts=scripts), "utf-8")
    return path


def write_page(record: db.Evaluation | db.Comparison | db.Validation, path: Path, vocabulary: str = "neutral") -> Path:
    """Write the report of a record."""
    db.write_report(record, path, vocabulary=vocabulary)
    return path


@dataclass
class Visit:
    """An open page, what it said on the console or raised, and every address it asked for."""

    page: Any
    address: str
    said: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, context: Any, path: Path) -> Visit:
        """Open a file and wait until its explorer is drawn, where it has one."""
        page = context.new_page()
        visit = cls(page, path.resolve().as_uri())
        page.on("console", lambda message: visit.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: visit.said.append(f"error: {error}"))
        page.on("request", lambda request: visit.requests.append(request.url))
        page.goto(visit.address)
        if page.locator("#explorer:visible").count():
            visit.drawn()
        return visit

    def drawn(self) -> None:
        """Wait until every chart that is to be seen is drawn."""
        self.page.wait_for_function(
            "Array.from(document.querySelectorAll('.explorer figure:not([hidden]) > div'))"
            ".every((div) => div.querySelector('svg .role-axis'))"
        )

    def text(self, selector: str) -> str:
        """The text of one element, without the marks that keep directions of writing apart."""
        return re.sub("[\u2068\u2069]", "", self.page.locator(selector).text_content()).strip()

    @property
    def state(self) -> str:
        """The line that says what is accepted."""
        return self.text("#explorer-state")

    @property
    def threshold(self) -> float:
        """The threshold that the line says, for the scores as given."""
        found = re.search(r"Accept when .* [<>]= (\S+):", self.state)
        assert found is not None, self.state
        return float(found.group(1).replace("−", "-").replace("∞", "inf"))

    def counts(self) -> dict[str, float]:
        """The confusion matrix of the page."""
        return {name: float(self.text(f"[data-count={name}]")) for name in ("tp", "fp", "fn", "tn")}

    def rates(self) -> dict[str, str]:
        """Every rate of the page."""
        cells = self.page.locator("[data-rate]")
        return dict(cells.evaluate_all("(all) => all.map((cell) => [cell.dataset.rate, cell.textContent])"))

    def decision(self, name: str) -> str:
        """One cell of the table of decisions."""
        return self.text(f"[data-decision={name}]")

    def slide(self, place: int) -> None:
        """Move the slider to a place."""
        self.page.locator("#explorer-slider").fill(str(place))

    def enter(self, name: str, value: str) -> None:
        """Type into a field and leave it."""
        self.page.locator(f"#explorer-{name}").fill(value)
        self.page.locator(f"#explorer-{name}").blur()

    def press(self, button: str) -> None:
        """Press a button of the explorer."""
        self.page.locator(".explorer").get_by_role("button", name=button, exact=True).click()
