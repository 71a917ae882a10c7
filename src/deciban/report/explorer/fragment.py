"""The explorer as a piece of a page: its HTML, its style and its scripts, which need nothing from outside."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from importlib.resources import files
from importlib.util import find_spec
from itertools import islice
from typing import Any, Final

from deciban.errors import MissingExtraError
from deciban.plots.looks import MOST
from deciban.report.explorer.charts import CHARTS, LINES, charts
from deciban.report.explorer.libraries import bundling, chart_libraries
from deciban.report.explorer.payload import Explored, payload
from deciban.report.section import Fragment
from deciban.report.subject import Subject
from deciban.vocabulary import Vocabulary, find_vocabulary

RATES: Final = (
    *("recall", "p_miss", "p_fa", "specificity", "precision", "npv"),
    *("f1", "accuracy", "balanced_accuracy", "mcc", "lr_positive", "lr_negative"),
)
"""Ratios of the table; explorer.js computes each under this name."""

FALSE_ALARMS: Final = ("0.1", "0.01", "0.001", "0.0001")
"""Rates whose lowest threshold a button goes to."""

NEEDED: Final = ("jinja2", "altair", "vl_convert")


def explore(subject: Subject) -> Fragment | None:
    """The explorer of what a page is about."""
    return explorer_fragment(subject.systems, subject.words.name)


def preparing(subject: Subject) -> AbstractContextManager[None]:
    """Prepare the explorer while the rest of a page is made, where there will be one."""
    if not _drawable(subject.systems):
        return nullcontext()
    require_report()
    return bundling()


def explorer_fragment(systems: Mapping[str, Explored], vocabulary: str = "neutral") -> Fragment | None:
    """Make the explorer of one or more records.

    Parameters
    ----------
    systems
        What ``deciban.evaluate`` returned, or the systems of a comparison, by name; the name of a single one is not
        shown. Of more than twelve, the first twelve.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Fragment or None
        HTML without inline styles and handlers, its style, and scripts that evaluate no text as code, which follow the
        HTML in their order. None where no record has operating points.

    Raises
    ------
    OptionError
        When the vocabulary is unknown.
    MissingExtraError
        When jinja2, altair or vl-convert-python is absent.

    Examples
    --------
    >>> import deciban as db
    >>> record = db.evaluate(db.Counts.from_classes([3.0, 4.0], [1.0, 3.5]), interval="none")
    >>> fragment = explorer_fragment({"": record})
    >>> "<noscript>" in fragment.html, len(fragment.scripts)
    (True, 2)
    """
    words = find_vocabulary(vocabulary)
    require_report()
    drawable = _drawable(systems)
    if not drawable:
        return None
    explored = [payload(name, record) for name, record in islice(drawable.items(), MOST)]
    return Fragment(
        html=_html(explored, len(drawable) - len(explored), words),
        style=_text("explorer.css"),
        scripts=(chart_libraries(), _text("explorer.js")),
    )


def _drawable(systems: Mapping[str, Explored]) -> dict[str, Explored]:
    """The records that have operating points."""
    return {name: record for name, record in systems.items() if record.curves.operating_points is not None}


def require_report() -> None:
    """Raise :class:`MissingExtraError` with the line that installs what a report needs, where it is absent."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        names = ", ".join("vl-convert-python" if name == "vl_convert" else name for name in missing)
        raise MissingExtraError(f'a report needs {names}: pip install "deciban[report]"')


def _html(explored: list[dict[str, Any]], left_out: int, words: Vocabulary) -> str:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    data = {
        "systems": explored,
        "charts": charts(words),
        "words": {"targets": words.targets, "nontargets": words.nontargets},
    }
    page = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    return page.from_string(_text("explorer.html.j2")).render(
        words=words,
        rates=[(name, words.ratio(name)) for name in RATES],
        false_alarms=FALSE_ALARMS,
        charts=CHARTS,
        lines=LINES,
        names=[system["name"] for system in explored],
        left_out=left_out,
        # Names are anybody's text: within a script element only "<" could end it.
        data=Markup(json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")),
    )


def _text(name: str) -> str:
    return (files("deciban.report.explorer") / name).read_text(encoding="utf-8")
