"""Names of systems as a figure writes them: letters that its font has, long ones short, and no two alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from deciban.records.display import printable, shortened

LONGEST: Final = 32
"""Letters of a name: two of these, with what is drawn of the systems, find room in the width of a figure."""


def legible(text: str) -> str:
    r"""Text without control characters, and with an escape such as ``\u65e5`` for each letter that the font lacks."""
    written = printable(text)
    if written.isascii():
        return written
    fonts = _fonts()
    return "".join(c if any(font.get_char_index(ord(c)) for font in fonts) else _escape(c) for c in written)


def shown_names(names: Iterable[str], longest: int = LONGEST) -> dict[str, str]:
    """Each name as the legend has it; those that would look alike once shortened are numbered.

    >>> shown_names(["raw", "a" * 40 + "x", "a" * 40 + "y"], 12)
    {'raw': 'raw', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaax': 'aaaaaaa…aaax', \
'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaay': 'aaaaaaa…aaay'}
    >>> list(shown_names(["a" * 20 + "x" + "a" * 20, "a" * 20 + "y" + "a" * 20], 12).values())
    ['aaaaa…aa (1)', 'aaaaa…aa (2)']
    """
    whole = {name: legible(name) for name in names}
    short = {name: shortened(text, longest) for name, text in whole.items()}
    times = Counter(short.values())
    return {
        name: text if times[text] == 1 else f"{shortened(whole[name], longest - 4)} ({place})"
        for place, (name, text) in enumerate(short.items(), 1)
    }


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")


def _fonts() -> list[Any]:
    """The fonts that text is drawn in, the first of them that has a letter."""
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return [get_font(findfont(FontProperties(family=[family]))) for family in rcParams["font.family"]]
