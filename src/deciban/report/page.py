"""A record as one HTML page: sections in templates, style and script of our own, nothing fetched."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from deciban.errors import MissingExtraError
from deciban.plots.saving import default_style
from deciban.records.display import printable
from deciban.records.reading import Readable
from deciban.report.explorer import explore, preparing
from deciban.report.heading import heading
from deciban.report.policy import content_policy
from deciban.report.section import Section, figures_in
from deciban.report.sections import FIRST, SECTIONS, Maker
from deciban.report.subject import Subject, subject_of
from deciban.report.validation_heading import validation_heading
from deciban.report.wording import THIN
from deciban.version import __version__
from deciban.vocabulary import find_vocabulary

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES: Final = Path(__file__).parent / "templates"

READABLE: Final = f"\n{THIN}\u00a0"
"""Spaces and line ends that are no control characters to be written as escapes."""


def page_of(record: Readable, *, title: str | None = None, vocabulary: str = "neutral") -> str:
    """Make the page of a record; the same record gives the same bytes.

    Raises :class:`OptionError` for an unknown vocabulary, :class:`MissingExtraError` without jinja2 or matplotlib.
    """
    words = find_vocabulary(vocabulary)
    environment = _environment()
    subject = subject_of(record, words, title)
    validation = subject.validation
    before = FIRST if validation is not None else ()
    with default_style(), preparing(subject):
        first = _made(before, subject)
        sections = _made([make for make in SECTIONS if make not in before], subject)
    explorer = explore(subject)
    styles = [_own("style.css"), *([explorer.style] if explorer else [])]
    scripts = [*(explorer.scripts if explorer else []), _own("script.js")]
    return environment.get_template("page.html").render(
        policy=content_policy(styles, scripts),
        styles=styles,
        scripts=scripts,
        heading=heading(subject) if validation is None else validation_heading(subject, validation),
        first=first,
        explorer=explorer,
        sections=sections,
        numbers=_numbers([*first, *sections]),
        version=__version__,
    )


def _made(makers: Iterable[Maker], subject: Subject) -> list[Section]:
    """The sections that there is something to say in."""
    return [section for make in makers if (section := make(subject)) is not None]


def require_jinja2() -> None:
    """Raise :class:`MissingExtraError` with the line that installs jinja2, where it is absent."""
    if find_spec("jinja2") is None:
        raise MissingExtraError('a page needs jinja2: pip install "deciban[report]"')


def _environment() -> Environment:
    """Templates that escape every text and show control characters as escapes."""
    require_jinja2()
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def shown(value: Any) -> Any:
        return printable(value, keep=READABLE) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES, encoding="utf-8"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=shown,
    )
    # Parts that are ours, or made safe already, say so in the template by this filter.
    environment.filters["as_it_is"] = Markup
    return environment


def _own(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _numbers(sections: list[Section]) -> dict[str, int]:
    """The number of each drawing, in order of the page."""
    drawn = [figure.id for section in sections for figure in figures_in(section.blocks)]
    return {id_: number for number, id_ in enumerate(drawn, 1)}
