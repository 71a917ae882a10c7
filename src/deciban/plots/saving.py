"""Figures as files that are the same bytes each time."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from deciban.errors import OptionError
from deciban.plots.canvas import require_matplotlib
from deciban.values.option_checks import check_choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS: Final = ("svg", "pdf", "png")
RESOLUTION: Final = 200
"""Dots per inch of a PNG."""

_PLACES: Final = re.compile(rb'^(?:<path d=")?[ML] [-0-9. ]+$|translate\([^)]*\)| [xy]="[^"]*"', re.MULTILINE)
_INDENTED: Final = re.compile(rb"^ +", re.MULTILINE)
_DIGITS: Final = re.compile(rb"(\.\d\d)\d+")

_UNDATED: Final[dict[str, dict[str, Any]]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}


def format_of(path: Path) -> str:
    """The format that a file's name asks for; :class:`OptionError` for others than SVG, PDF and PNG."""
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        raise OptionError(f"{path}: expected a name that ends in .svg, .pdf or .png")
    return suffix


@contextmanager
def default_style() -> Iterator[None]:
    """Draw as matplotlib does by itself, whatever the user's settings are, so that a file depends on its input only."""
    require_matplotlib()
    from matplotlib import style

    with style.context("default"):
        yield


def save(figure: Figure | Axes, path: str | Path, *, format: str | None = None) -> None:  # noqa: A002 - as savefig
    """Write a figure as SVG, PDF or PNG: the same picture gives the same bytes, with no date in them.

    Parameters
    ----------
    figure
        What to write: a figure, or the axes on it.
    path
        Where to.
    format
        "svg", "pdf" or "png"; default what the name ends in. PNG has 200 dots per inch.

    Returns
    -------
    None
        The bytes depend on the versions of matplotlib and NumPy, and on nothing else.

    Raises
    ------
    OptionError
        When the format is another.
    OSError
        When the file cannot be written.

    Examples
    --------
    >>> import deciban as db, tempfile, pathlib
    >>> ax = db.plots.roc(db.roc(db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1])))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "roc.svg")
    ...     db.plots.save(ax, path)
    ...     path.read_text()[:13]
    '<?xml version'
    """
    kind = format_of(Path(path)) if format is None else format
    check_choice("format", kind, FORMATS)
    Path(path).write_bytes(_drawn(figure, kind))


def svg_with_text(figure: Figure | Axes) -> str:
    """Draw a figure as SVG whose letters are text, for a page that brings its own fonts and colours."""
    return _drawn(figure, "svg", letters="none").decode("utf-8")


def _drawn(figure: Figure | Axes, kind: str, letters: str = "path") -> bytes:
    import matplotlib as mpl

    whole: Any = figure.figure if hasattr(figure, "figure") else figure
    if not hasattr(whole, "savefig"):
        raise OptionError(f"save: expected a figure of matplotlib or axes on one, found {type(figure).__name__}")
    # Names of parts of an SVG are random unless salted; the setting lasts no longer than the call.
    with mpl.rc_context({"svg.hashsalt": "deciban", "svg.fonttype": letters}), io.BytesIO() as drawn:
        whole.savefig(drawn, format=kind, dpi=RESOLUTION, metadata=_UNDATED[kind])
        return _lighter(drawn.getvalue()) if kind == "svg" else drawn.getvalue()


def _lighter(svg: bytes) -> bytes:
    """Leave out indentation, and digits of places beyond a hundredth of a typographic point: a third of the file."""
    svg = _INDENTED.sub(b"", svg)
    return _PLACES.sub(lambda place: _DIGITS.sub(rb"\1", place.group()), svg)
