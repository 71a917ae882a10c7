"""Verbal scales of evidence: which step of a published scale a likelihood ratio stands on, and what it is called.

Their limits are no powers of ten, and differ from country to country: they are data, one file a scale in this
folder, and a laboratory may bring its own.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Final

from deciban.errors import InputError, OptionError, did_you_mean
from deciban.values.option_checks import check_number
from deciban.values.toml_tables import TomlTable, read_toml

SCALES: Final = ("enfsi", "afsp", "nfc")
"""Names of the scales that come with the package."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbalStep:
    """One step for LRs above 1; LRs below 1 have its mirror image, with the propositions exchanged.

    Attributes
    ----------
    low
        Smallest LR of the step.
    inclusive
        Whether an LR equal to ``low`` belongs to it.
    words
        What the step is called.
    """

    low: float
    inclusive: bool
    words: str

    def holds(self, lr: float) -> bool:
        """Whether an LR of at least 1 reaches the step."""
        return lr >= self.low if self.inclusive else lr > self.low

    def mirror_holds(self, lr: float) -> bool:
        """Whether an LR of at most 1 reaches the mirror image of the step."""
        # Compared with 1/limit, as the scales are written, and not by inverting the LR, which may round past a limit.
        return lr <= 1.0 / self.low if self.inclusive else lr < 1.0 / self.low


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbalScale:
    """A verbal scale that is the same for both propositions.

    Attributes
    ----------
    name, title
        The name it is asked for by (or its file), and what it is called.
    source, note
        Where it is published, and what was decided here where the text leaves it open.
    neutral
        What is said of LRs that reach no step.
    steps
        Steps in increasing order.
    sha256
        Of the file it was read from.
    """

    name: str
    title: str
    source: str
    note: str
    neutral: str
    steps: tuple[VerbalStep, ...]
    sha256: str

    def step(self, lr: float) -> int:
        """The step of an LR: positive for the target proposition, negative for the other, 0 for neither."""
        if check_number("lr", lr, "a likelihood ratio of at least 0") < 0.0:
            raise OptionError(f"lr: expected a likelihood ratio of at least 0, found {lr!r}")
        if lr >= 1.0:
            return sum(step.holds(lr) for step in self.steps)
        return -sum(step.mirror_holds(lr) for step in self.steps)

    def words(self, lr: float) -> str:
        """What the scale says of an LR, and for which proposition."""
        step = self.step(lr)
        if step == 0:
            return self.neutral
        return f"{self.steps[abs(step) - 1].words} for proposition {1 if step > 0 else 2}"

    def ranges(self) -> Iterator[tuple[str, str]]:
        """The LRs of each step from 1 upwards, in words, and what the step is called."""
        ends = [*self.steps[1:], None]
        first = self.steps[0]
        yield f"1 to {'below' if first.inclusive else 'at most'} {first.low:,.10g}", self.neutral
        for step, beyond in zip(self.steps, ends, strict=True):
            low = f"{'from' if step.inclusive else 'above'} {step.low:,.10g}"
            high = "" if beyond is None else f" to {'below' if beyond.inclusive else 'at most'} {beyond.low:,.10g}"
            yield low + high, step.words


def verbal_scale(scale: str | Path) -> VerbalScale:
    """Read a verbal scale: one that comes with the package, or a file of one's own.

    Parameters
    ----------
    scale
        ``enfsi`` (2015), ``afsp`` (2009) or ``nfc`` (Sweden); or the path of a TOML file of the same form: ``title``,
        ``source``, ``note``, ``neutral``, and for each step ``[[step]]`` its ``words`` and either ``at_least`` or
        ``above``, the smallest LR.

    Returns
    -------
    VerbalScale
        ``scale.step(lr)`` and ``scale.words(lr)`` say what it makes of an LR.

    Raises
    ------
    OptionError
        When there is no such scale, or a file does not hold one.
    InputError
        When a file cannot be read.

    References
    ----------
    ENFSI (2015), Guideline for Evaluative Reporting in Forensic Science; Association of Forensic Science Providers
    (2009), Science & Justice 49; Nordgaard et al. (2012), Law, Probability and Risk 11.

    Examples
    --------
    >>> import deciban as db
    >>> [db.verbal_scale(name).words(1.5) for name in ("enfsi", "afsp")]
    ['do not support one proposition over the other', 'weak or limited support for proposition 1']
    """
    if isinstance(scale, str) and scale in SCALES:
        return _packaged(scale)
    if not isinstance(scale, Path) and not str(scale).endswith(".toml"):
        raise OptionError(
            f"scale: no verbal scale {scale!r}; {did_you_mean(scale, SCALES)} A file of your own ends in .toml"
        )
    try:
        text = Path(scale).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"{scale}: cannot be read: {reason}") from None
    return parse_verbal_scale(text, str(scale))


@cache
def _packaged(name: str) -> VerbalScale:
    """A scale that comes with the package, read once: its file does not change."""
    text = (files("deciban") / "verbal" / f"{name}.toml").read_text(encoding="utf-8")
    return parse_verbal_scale(text, name)


def parse_verbal_scale(text: str, name: str) -> VerbalScale:
    """Read the text of a scale; ``name`` is what it is called in messages."""
    table = read_toml(text, name)
    steps = tuple(_step(item) for item in table.tables("step"))
    found = VerbalScale(
        name=name,
        title=_required(table, "title"),
        source=_required(table, "source"),
        note=table.text("note") or "",
        neutral=_required(table, "neutral"),
        steps=steps,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
    )
    table.finish()
    if not steps:
        raise OptionError(f"{name}: expected a table [[step]] for each step, found none")
    if any(one.low >= other.low for one, other in pairwise(steps)):
        raise OptionError(f"{name}: [[step]]: expected limits that increase, found {[step.low for step in steps]}")
    return found


def _step(table: TomlTable) -> VerbalStep:
    at_least, above = table.number("at_least"), table.number("above")
    words = _required(table, "words")
    table.finish()
    if at_least is None and above is None:
        raise OptionError(f"{table.where}: expected at_least or above, the smallest LR of the step; found neither")
    if at_least is not None and above is not None:
        raise OptionError(f"{table.where}: expected at_least or above, found both")
    low = at_least if at_least is not None else above
    if low is None or not 1.0 <= low < math.inf or (low == 1.0 and at_least is not None):
        raise OptionError(f"{table.where}: expected a finite LR above 1 (or above = 1), found {low!r}")
    return VerbalStep(low=low, inclusive=at_least is not None, words=words)


def _required(table: TomlTable, key: str) -> str:
    value = table.text(key)
    if value is None:
        raise OptionError(f"{table.where} {key}: expected a text, found none")
    return value


def verbal_step(lr: float, scale: str | Path = "nfc") -> int:
    """Find the step of a verbal scale on which a likelihood ratio stands.

    Parameters
    ----------
    lr
        Likelihood ratio, at least 0; infinity is legal.
    scale
        Name of the scale: ``nfc`` (−4 to 4, Sweden), ``enfsi``, ``afsp``, or a file as in :func:`verbal_scale`.

    Returns
    -------
    int
        Positive for the target proposition, negative for the other, 0 when the evidence does not tell. Mirrored:
        1/LR stands on the opposite step.

    Raises
    ------
    OptionError
        When the LR is negative or NaN, or there is no such scale.

    References
    ----------
    Nordgaard et al. (2012), Scale of conclusions for the value of evidence, Law, Probability and Risk 11.

    Examples
    --------
    >>> import deciban as db
    >>> db.verbal_step(6_000), db.verbal_step(5.9), db.verbal_step(1 / 100)
    (3, 0, -2)
    """
    return verbal_scale(scale).step(lr)
