"""Write docs/metrics.md: every metric of the catalogue with its definition, as ``deciban metrics NAME`` says it.

python docs/metrics.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from deciban.metrics.catalogue import METRICS
from deciban.metrics.described import anchor_text, better, default_text, definition
from deciban.metrics.spec import Metric, Spec

PAGE: Final = Path(__file__).parent / "metrics.md"

SCORES: Final = {"any": "any", "probability": "probabilities, or LRs", "lr": "likelihood ratios"}

HEAD: Final = """# Metrics

Every figure by its name, which is the key in the record, the argument of `--metric` and a function of counts in Python
(`deciban.auc(counts)`). *Perfect* and *no information* are the values of a system that makes no error and of one whose
scores say nothing. Made by `docs/metrics.py` from the functions themselves; `deciban metrics NAME` says the same.

| name | what it is | unit | scores | perfect | no information |
| --- | --- | --- | --- | --- | --- |
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(written(), encoding="utf-8")


def written() -> str:
    """The page."""
    rows = "".join(f"| {' | '.join(_row(metric.spec))} |\n" for metric in METRICS)
    return HEAD + rows + "".join("\n".join(_section(metric)) for metric in METRICS)


def _row(spec: Spec) -> Iterator[str]:
    yield f"[`{spec.name}`](#{_anchor(spec)})"
    yield spec.title
    yield spec.unit or "–"
    yield SCORES[spec.needs]
    yield from map(anchor_text, spec.anchors)


def _section(metric: Metric[Any]) -> Iterator[str]:
    spec = metric.spec
    yield f"\n## {spec.name}\n"
    yield f"**{spec.title}.** {definition(metric).replace('``', '`')}\n"
    yield f"* From {spec.range[0]:g} to {spec.range[1]:g}; better: {better(spec)}."
    yield f"* Use it when {spec.use_when}."
    yield f"* Avoid it when {spec.avoid_when}."
    if spec.parts:
        yield f"* Parts: {', '.join(f'`{spec.name}.{part}`' for part in spec.parts)}."
    for option in spec.options:
        choices = f", one of {', '.join(f'`{choice}`' for choice in option.choices)}" if option.choices else ""
        yield f"* Option `{option.name}`{choices}; {default_text(option)}."
    yield f"* Reference: {spec.reference}.\n"


def _anchor(spec: Spec) -> str:
    return spec.name.replace(".", "")


if __name__ == "__main__":
    main()
