"""Numbers and text as people read them."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from typing import Final

DECIMALS: Final = 9
"""Digits after the point that a table has room for."""


def number(value: float | None) -> str:
    """Write a number for a table: six significant digits, whole numbers as they are, ``-`` for none.

    >>> number(0.0359281437), number(2.0), number(None), number(float("-inf"))
    ('0.0359281', '2', '-', '-inf')
    """
    if value is None:
        return "-"
    if isinstance(value, int) or (math.isfinite(value) and value.is_integer() and abs(value) < 1e6):
        return f"{value:.0f}"
    return f"{value:.6g}"


def limits(low: float, high: float, digits: int = 3) -> str:
    """Write both ends of an interval with three digits of its width: more would be noise, fewer would hide an end.

    >>> limits(0.300123, 0.913204), limits(0.99958123, 0.99996), limits(0.0, 1.0), limits(1234.5, float("inf"))
    ('[0.300, 0.913]', '[0.999581, 0.999960]', '[0, 1]', '[1234.5, inf]')
    """
    ends = (low, high)
    decimals = _decimals(low, high, digits)
    if decimals is not None:
        return f"[{', '.join(number(end) if end.is_integer() else f'{end:.{decimals}f}' for end in ends)}]"
    return f"[{', '.join(map(number, ends))}]"


def enclosing(low: float, high: float) -> str:
    """Write both ends of a bracket with three digits of its width, rounded outward: what is shown holds the value too.

    >>> enclosing(0.91234567, 0.91234981), enclosing(0.25, 0.5), enclosing(0.0, float("inf")), enclosing(-1e-9, 3)
    ('0.91234566 … 0.91234982', '0.25 … 0.5', '0 … inf', '-0.01 … 3')
    """
    width = high - low
    places = max(2 - math.floor(math.log10(width)), 0) if 0.0 < width < math.inf else DECIMALS
    return f"{_rounded(low, places, ROUND_FLOOR)} … {_rounded(high, places, ROUND_CEILING)}"


def _rounded(end: float, places: int, towards: str) -> str:
    """An end to so many places, without zeros that say nothing."""
    if not math.isfinite(end) or end == int(end):
        return number(float(end)) if abs(end) < 1e6 or not math.isfinite(end) else f"{end:.0f}"
    with localcontext(prec=800):  # every digit that a double can have before and after the point that is kept
        rounded = Decimal(end).quantize(Decimal(1).scaleb(-places), rounding=towards)
    text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def within(value: float, low: float, high: float, digits: int = 3) -> str:
    """Write a value with as many decimals as the ends of its interval have.

    >>> within(0.951552, 0.936702, 0.963044), within(0.951552, 0.936702, 0.963044, digits=2), within(1.0, 0.9, 1.0)
    ('0.9516', '0.952', '1')
    """
    decimals = _decimals(low, high, digits)
    if decimals is None or not math.isfinite(value) or float(value).is_integer():
        return number(value)
    return f"{value:.{decimals}f}"


def _decimals(low: float, high: float, digits: int) -> int | None:
    """Decimals that show so many digits of an interval's width; None where no table has room for them."""
    width = high - low
    if not (width > 0.0 and math.isfinite(width) and abs(low) < 1e6 and abs(high) < 1e6):
        return None
    decimals = max(digits - 1 - math.floor(math.log10(width)), 0)
    return decimals if decimals <= DECIMALS else None


def decimal(value: float, digits: int = 3) -> str:
    """Write a small number with a few significant digits and no exponent: a rate that people compare with others.

    >>> decimal(0.00005), decimal(0.0059735), decimal(0.25), decimal(1.0)
    ('0.00005', '0.00597', '0.25', '1')
    """
    return f"{Decimal(f'{value:.{digits}g}'):f}"


def percent(level: float) -> str:
    """Write a confidence level as people say it.

    >>> percent(0.95), percent(0.999)
    ('95 %', '99.9 %')
    """
    return f"{level * 100:g} %"


def probability(value: float | None) -> str:
    """Write a p-value with three digits, ``-`` for none.

    >>> probability(0.02717584), probability(1.0), probability(0.00000123), probability(None)
    ('0.0272', '1', '1.23e-06', '-')
    """
    return "-" if value is None else f"{value:.3g}"


def amount(value: float) -> str:
    """Write how many trials there are: every digit of a whole number, six decimals of a sum of weights at most.

    >>> amount(1234567), amount(1234567.0), amount(2.5)
    ('1234567', '1234567', '2.5')
    """
    return str(value) if isinstance(value, int) else f"{value:.6f}".rstrip("0").rstrip(".")


def several(value: float, word: str, ending: str = "s") -> str:
    """Write how many of something: ``1 miss``, ``2 misses``.

    >>> several(1, "miss", "es"), several(0, "target")
    ('1 miss', '0 targets')
    """
    return f"{amount(value)} {word if value == 1 else word + ending}"


def exact_digits(value: float) -> str:
    """Write a threshold with every digit it has, in the shortest form: two thresholds never look alike.

    >>> exact_digits(0.5), exact_digits(0.0), exact_digits(0.30000000000000004)
    ('0.5', '0', '0.30000000000000004')
    """
    if math.isfinite(value) and float(value).is_integer() and abs(value) < 1e16:
        return f"{value:.0f}"
    return repr(float(value))


def six_decimals(value: float | None) -> str:
    """Write a number for ``name value`` lines: counts as whole numbers, the rest with six decimals, ``-`` for none.

    >>> six_decimals(12), six_decimals(0.5), six_decimals(None)
    ('12', '0.500000', '-')
    """
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.6f}"


def readable_fraction(text: str | None) -> str | None:
    """Return a fraction where it is one and short enough to be read, else None.

    >>> readable_fraction("9931/11022"), readable_fraction("1"), readable_fraction("1/" + "3" * 40)
    ('9931/11022', None, None)
    """
    return text if text is not None and "/" in text and len(text) <= 24 else None


def printable(text: str, keep: str = "") -> str:
    r"""Text that a terminal only shows: control characters, which data and file names may hold, become escapes.

    >>> printable("a\x1b[31m\n"), printable("a\n", keep="\n")
    ('a\\x1b[31m\\n', 'a\n')
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else c.encode("unicode_escape").decode("ascii") for c in text)


def shortened(name: str, width: int = 40) -> str:
    """A name for a table: a long one loses its middle, since names often differ at their ends.

    >>> shortened("codec"), shortened("a" * 50 + "z", 9)
    ('codec', 'aaaaa…aaz')
    """
    if len(name) <= width:
        return name
    tail = (width - 1) * 2 // 5
    return f"{name[: width - 1 - tail]}…{name[-tail:]}"


def harmless(text: str) -> str:
    """Text for a cell of a CSV file: no control character, and no formula where a spreadsheet would see one.

    >>> harmless("=1+1"), harmless("g=a")
    ("'=1+1", 'g=a')
    """
    shown = printable(text)
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@")) else shown
