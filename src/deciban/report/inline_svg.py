"""A drawing of matplotlib as part of a page: no style of its own, no name that another drawing has, the page's ink.

The page's policy forbids style attributes, so that they become presentation attributes. Black becomes the colour of
the page's text and white that of its paper, so that drawings follow a dark page.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markupsafe import Markup

XLINK: Final = "{http://www.w3.org/1999/xlink}href"
INK, PAPER = ("#000000", "black"), ("#ffffff", "white")
KEPT: Final = (
    *("fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-dashoffset"),
    *("stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "opacity", "text-anchor", "font-size", "font-weight"),
)
"""Properties that a drawing may set; the font is the page's."""

_SIZE: Final = re.compile(r"([\d.]+)px")
_STEP: Final = re.compile(r"\s*([MLCQZz])\s*|\s+")
_PLACE: Final = re.compile(r"\d+\.\d+")
_REFERENCE: Final = re.compile(r"url\(#([^)]+)\)")
_UNTURNED: Final = re.compile(r"^rotate\(-?0 [^)]*\)$")


def inline(svg: str, prefix: str, alt: str) -> Markup:
    """Make of an SVG file an element of the page; ``prefix`` begins every name in it, ``alt`` says what it shows."""
    from markupsafe import Markup

    root = ET.fromstring(svg)
    _without(root, ("metadata", "style"))
    names = _names(root, prefix)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        _restyle(element)
        _rename(element, names)
        for name in ("d", "x", "y"):
            if name in element.attrib:
                element.set(name, _shorter(element.attrib[name]))
    background = root.find("./g/g/path")
    if background is not None:
        background.set("fill", "none")
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.attrib |= {"role": "img", "aria-label": alt, "stroke-linejoin": "round", "fill": "currentColor"}
    return Markup(ET.tostring(root, encoding="unicode"))


def _shorter(path: str) -> str:
    """A path or place to a tenth of a typographic point, a fifth of a pixel, without spaces that nobody needs.

    >>> _shorter("M 44.25 6.79  L 44.85 10.00  z")
    'M44.2 6.8L44.9 10z'
    """
    rounded = _PLACE.sub(lambda place: f"{float(place[0]):.1f}".removesuffix(".0"), path)
    return _STEP.sub(lambda step: step[1] or " ", rounded).strip()


def _without(root: ET.Element, kinds: tuple[str, ...]) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.rpartition("}")[2] in kinds:
                parent.remove(child)


def _names(root: ET.Element, prefix: str) -> dict[str, str]:
    """New names of the elements that others refer to."""
    found: dict[str, str] = {}
    for element in root.iter():
        targets = [element.get(XLINK, "").removeprefix("#")]
        targets += [match for value in element.attrib.values() for match in _REFERENCE.findall(value)]
        for target in filter(None, targets):
            found.setdefault(target, f"{prefix}-{len(found)}")
    return found


def _rename(element: ET.Element, names: dict[str, str]) -> None:
    name = element.attrib.pop("id", None)
    if name in names:
        element.set("id", names[name])
    target = element.attrib.pop(XLINK, None)
    if target is not None:
        element.set("href", f"#{names[target.removeprefix('#')]}")
    for key, value in element.attrib.items():
        element.set(key, _REFERENCE.sub(lambda match: f"url(#{names[match[1]]})", value))
    if _UNTURNED.match(element.get("transform", "")):
        element.attrib.pop("transform")


def _restyle(element: ET.Element) -> None:
    """Write the style as attributes, in the colours of the page."""
    style = element.attrib.pop("style", "")
    for declaration in style.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name == "font" and (size := _SIZE.search(value)):
            name, value = "font-size", size[1]
        if name in KEPT:
            element.set(name, value.removesuffix("px"))
    for name in ("fill", "stroke"):
        value = element.get(name, "")
        if value in INK:
            element.set(name, "currentColor")
        if value in PAPER:
            element.set("class", f"{element.get('class', '')} paper-{name}".strip())
