"""How lines of one plot differ: colours that colour-blind readers tell apart, and dashes and markers for grey paper."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

Dash = str | tuple[float, tuple[float, ...]]

BLUE, VERMILLION, GREEN, BLACK, PURPLE, ORANGE, SKY = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#000000",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
)
"""The palette of Okabe and Ito without its yellow, which thin lines on white paper lose."""

INDIGO, WINE, OLIVE, BROWN, STEEL = "#332288", "#882255", "#8A8A00", "#8C510A", "#5A7D9A"
"""More colours, for systems beyond the seventh."""

COLOURS: Final = (BLUE, VERMILLION, GREEN, BLACK, PURPLE, ORANGE, SKY, INDIGO, WINE, OLIVE, BROWN, STEEL)
DASHES: Final[tuple[Dash, ...]] = ("-", (0, (5, 2)), (0, (6, 2, 1.2, 2)), (0, (1.2, 1.2)), (0, (9, 2)))
MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X", "<", "p", ">", "*", "h")
GREY: Final = "0.45"

MOST: Final = len(COLOURS)
"""So many systems can be told apart on one set of axes."""


@dataclass(frozen=True, slots=True)
class Look:
    """Colour, dash and marker of one line; ``shift`` says at which share of it its few markers begin."""

    colour: str
    dash: Dash = "-"
    marker: str = "o"
    shift: float = 0.0


def look(index: int) -> Look:
    """The look of the system at a place: as many colours and markers as :data:`MOST`, and dashes that come round."""
    return Look(
        colour=COLOURS[index % MOST],
        dash=DASHES[index % len(DASHES)],
        marker=MARKERS[index % MOST],
        shift=0.02 + 0.02 * (index % 5),
    )


SOLID, DASHED, DOTTED = DASHES[0], DASHES[1], DASHES[3]

TARGET: Final = Look(BLUE, SOLID)
NONTARGET: Final = Look(VERMILLION, DASHED)
"""The two classes of a single system."""


def of_class(system: Look, alone: bool, *, target: bool) -> Look:
    """The look of one class: by colour and dash for one system; by dash alone for several, each in its colour."""
    if alone:
        return TARGET if target else NONTARGET
    return replace(system, dash=SOLID if target else DASHED)
