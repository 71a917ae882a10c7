"""A record as a file to read: a page, Markdown or JSON, by the name of the file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from deciban.errors import OptionError
from deciban.records.reading import Readable
from deciban.records.validation import Validation
from deciban.records.writing import as_markdown
from deciban.values.option_checks import spoken
from deciban.values.whole_file import write_file
from deciban.vocabulary import find_vocabulary

PAGE: Final = (".html", ".htm")
SUFFIXES: Final = (*PAGE, ".md", ".json")


def write_report(
    record: Readable,
    path: str | Path,
    *,
    title: str | None = None,
    vocabulary: str = "neutral",
) -> None:
    """Write a record as a file that can be read and filed.

    Parameters
    ----------
    record
        What ``evaluate``, ``compare`` or ``validate`` returns, or what was read from its JSON.
    path
        Where to: ``.html`` for a page that holds everything and fetches nothing, ``.md`` for tables in Markdown,
        ``.json`` for the record itself. A file that is there already is replaced, whole or not at all.
    title
        Title of the page; default the names of the files, or of the systems.
    vocabulary
        Words of the page: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    None
        The same record gives the same bytes; those of a page depend on the version of matplotlib too.

    Raises
    ------
    OptionError
        When the record or the suffix is another, the vocabulary is unknown, or a title or vocabulary is given for what
        is no page.
    MissingExtraError
        When a page is asked for and jinja2 or matplotlib is absent.
    DecibanError
        When the file cannot be written.

    Examples
    --------
    >>> import deciban as db, tempfile, pathlib
    >>> result = db.evaluate(db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "report.html")
    ...     db.write_report(result, path)
    ...     path.read_text(encoding="utf-8")[:15]
    '<!doctype html>'
    """
    if not isinstance(record, Readable):
        raise OptionError(f"write_report: expected an Evaluation, a Comparison or a Validation, found {spoken(record)}")
    check_report(path, title=title, vocabulary=vocabulary)
    write_file(Path(path), report_text(record, suffix_of(path), title=title, vocabulary=vocabulary))


def check_report(path: str | Path, *, title: str | None = None, vocabulary: str = "neutral") -> None:
    """Refuse what cannot be written before anything is computed."""
    suffix = suffix_of(path)
    if suffix in PAGE:
        from deciban.plots.canvas import require_matplotlib
        from deciban.report.page import require_jinja2

        find_vocabulary(vocabulary)
        require_jinja2()
        require_matplotlib()
    elif title is not None or vocabulary != "neutral":
        raise OptionError(f"title, vocabulary: only a page (.html) has them, not {suffix}")


def suffix_of(path: str | Path) -> str:
    """What the name of a file asks for; :class:`OptionError` for another than HTML, Markdown and JSON."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise OptionError(f"{path}: expected a name that ends in .html, .md or .json")
    return suffix


def report_text(record: Readable, suffix: str, *, title: str | None = None, vocabulary: str = "neutral") -> str:
    """The report in the form that a suffix asks for."""
    if suffix in PAGE:
        from deciban.report.page import page_of

        return page_of(record, title=title, vocabulary=vocabulary)
    if suffix == ".json":
        return record.to_json()
    return record.to_markdown() if isinstance(record, Validation) else as_markdown(record)
