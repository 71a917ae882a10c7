"""What figures are, in the words of their docstrings and specifications."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from deciban.metrics.catalogue import BY_NAME
from deciban.metrics.described import anchor_text, better, definition
from deciban.metrics.spec import Metric, Spec
from deciban.report.naming import definition_id, expression_of
from deciban.report.section import Code, Definition, Words

_MARKED: Final = re.compile(r"``([^`]+)``|:\w+:`~?([^`]+)`")


def definitions_of(keys: Iterable[str]) -> tuple[Definition, ...]:
    """One definition for each metric that expressions of the record name."""
    specs = {found.spec.name: found.spec for key in keys if (found := expression_of(key)) is not None}
    return tuple(_definition(BY_NAME[name]) for name in specs)


def marked_up(text: str) -> Words:
    """Words with what stands between double back-quotes as code."""
    words: list[str | Code] = []
    at = 0
    for match in _MARKED.finditer(text):
        words += [text[at : match.start()], Code(match[1] or match[2].rpartition(".")[2])]
        at = match.end()
    return tuple(word for word in (*words, text[at:]) if word)


def _definition(metric: Metric[Any]) -> Definition:
    spec = metric.spec
    described = definition(metric).removeprefix("Compute ")
    described = described[:1].upper() + described[1:]
    paragraphs = tuple(marked_up(" ".join(part.split())) for part in described.split("\n\n"))
    return Definition(definition_id(spec), spec.title, spec.name, paragraphs, _facts(spec))


def _facts(spec: Spec) -> tuple[tuple[str, str], ...]:
    perfect, none = map(anchor_text, spec.anchors)
    low, high = (f"{end:g}".replace("-", "−").replace("inf", "∞") for end in spec.range)
    unit = f" {spec.unit}" if spec.unit else ""
    return (
        ("Range", f"{low} to {high}{unit}; perfect {perfect}; no information {none}; {better(spec)} is better"),
        ("Use when", spec.use_when),
        ("Avoid when", spec.avoid_when),
        ("Reference", spec.reference),
    )
