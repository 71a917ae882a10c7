"""Records that pages are made of in tests, and a page as its parts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

import numpy as np

import deciban as db
from deciban.report.page import page_of
from tests.validation_data import N0, N1, criterion, sources, system, write_criteria

VOID = {"meta", "link", "br", "img", "hr", "input", "col", "base"}

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "\u202eevil",
    "zero\u200bwidth",
    'quote" onload="alert(1)',
    "a\x1b[31m\nb",
    "$x_{y}$",
    "&amp;",
    "x" * 10_000,
)


@cache
def lr_record() -> db.Evaluation:
    """Likelihood ratios with sources, groups, costs and infinite values."""
    generator = np.random.default_rng(1)
    target = np.append(generator.normal(2, 2, 58), [np.inf, np.inf])
    scores = np.concatenate([target, np.append(generator.normal(-2, 2, 199), -np.inf)])
    labels = np.repeat([1, 0], [60, 200])
    trials = db.Trials.from_arrays(
        scores, labels, scale="ln_lr", conditions={"channel": np.where(np.arange(260) % 2, "studio", "telephone")}
    )
    return db.evaluate(trials, by="channel", costs=["preset=voxsrc"], thresholds=[0.0, 1.0], replicates=50)


@cache
def probability_record() -> db.Evaluation:
    generator = np.random.default_rng(2)
    stated = generator.beta(1, 2, 300).round(3)
    return db.evaluate(
        db.Trials.from_arrays(stated, generator.random(300) < stated, target=True, scale="probability"), replicates=50
    )


@cache
def score_record() -> db.Evaluation:
    return db.evaluate(db.Counts.from_classes([3.0, 4.0, 2.5], [1.0, 2.0, 2.5, 0.0]), interval="closed")


@cache
def comparison_record(n: int = 2) -> db.Comparison:
    generator = np.random.default_rng(3)
    labels = np.repeat([1, 0], 40)
    systems = {
        name: db.Trials.from_arrays(labels * 2.0 + generator.normal(0, 1 + at, 80), labels, scale="ln_lr")
        for at, name in enumerate(["first", "second", "third"][:n])
    }
    return db.compare(systems, replicates=50)


@cache
def hostile_record() -> db.Evaluation:
    names = np.repeat(np.array(HOSTILE, dtype=object), 8)
    trials = db.Trials.from_arrays(
        np.arange(names.size) % 7, np.arange(names.size) % 2, scale="ln_lr", conditions={'<i>col"': names}
    )
    return db.evaluate(trials, by='<i>col"', replicates=20)


CRITERIA = """
[laboratory]
name = "A <b>laboratory</b>"
method = "<script>alert(1)</script> method"
version = "2.1"
author = "=A. Author"
proposition_1 = "both are of one source"
[decision]
fixed_on = 2026-03-01
replicates = 50
[verbal]
scale = "enfsi"
""" + "".join(
    [
        criterion("A2", margin=0.1),
        criterion("D1", limit="<= 0.25"),
        criterion("N2", limit=">= 30", fixed_on="2026-02-01"),
        criterion("R1", margin=0.5),
        criterion("C2", use=False, reason="no line"),
        criterion("<i>L1", characteristic="discrimination", metric="auc", limit=">= 0.99", graph="ROC, <i>"),
    ]
)


@cache
def validation_record() -> db.Validation:
    """A validation with a baseline, sources and conditions, some criteria of which pass, fail and stay open."""
    named = {"sources": sources(N1 + N0), "conditions": {"channel": ["a", "b"] * ((N1 + N0) // 2)}}
    with TemporaryDirectory() as folder:
        path = write_criteria(Path(folder), CRITERIA)
        record = db.validate(system(**named), criteria=path, baseline=system(3.0, **named))
    return replace(record, config=replace(record.config, name="criteria.toml"))


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    inside: tuple[str, ...]
    text: str = ""


@dataclass
class Page(HTMLParser):
    """Every element of a page, with its ancestors' tags and its own text."""

    source: str
    elements: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[Element] = []
        self.feed(self.source)
        self.close()
        if self._open:
            raise ValueError(f"<{self._open[-1].tag}> is not closed")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        if len(names) > len(set(names)):
            raise ValueError(f"<{tag}> has an attribute twice: {names}")
        found = {name: value or "" for name, value in attrs}
        element = Element(tag, found, tuple(one.tag for one in self._open))
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1].tag != tag:
            raise ValueError(f"</{tag}> closes <{self._open[-1].tag if self._open else 'nothing'}>")
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def all(self, tag: str) -> list[Element]:
        return [element for element in self.elements if element.tag == tag]

    def figures(self) -> list[Element]:
        """Every drawing that is in the page; those of the explorer are drawn by its script."""
        return [element for element in self.all("figure") if not element.attributes["id"].startswith("explorer-")]

    def without_scripts(self) -> str:
        """The page but for its scripts, and what these hold."""
        return re.sub(r"<script.*?</script>", "", self.source, flags=re.DOTALL)

    def ids(self) -> list[str]:
        return [element.attributes["id"] for element in self.elements if "id" in element.attributes]

    def section(self, name: str) -> str:
        """The text of one section."""
        (found,) = (one for one in self.all("section") if one.attributes["id"] == name)
        return re.sub(r"\s+", " ", found.text)

    def files(self) -> dict[str, str]:
        """What can be saved from the page, by name."""
        return {
            link.attributes["download"]: unquote(link.attributes["href"].partition(",")[2])
            for link in self.all("a")
            if "download" in link.attributes
        }


@cache
def page(record: str, vocabulary: str = "neutral") -> Page:
    """The page of one of the records above."""
    return Page(page_of(RECORDS[record](), vocabulary=vocabulary))


RECORDS = {
    "lr": lr_record,
    "probability": probability_record,
    "score": score_record,
    "comparison": comparison_record,
    "hostile": hostile_record,
    "validation": validation_record,
}
