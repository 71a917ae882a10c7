"""Limits that a user sets on figures: ``auc >= 0.85``, ``low(auc) >= 0.8``, ``eer:method=interpolated < 0.1``."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from deciban.errors import OptionError
from deciban.metrics.expression import parse
from deciban.metrics.within import KEY
from deciban.records.evaluation import Evaluation
from deciban.values.spelled import spelled_float

COMPARE: Final[dict[str, Callable[[float, float], bool]]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}

PATTERN: Final = re.compile(r"^\s*(?:(low|high)\(\s*(.+?)\s*\)|(.+?))\s*((?:>=|<=|==|>|<)\s*\S+)\s*$")
LIMIT: Final = re.compile(r"^\s*(>=|<=|==|>|<)\s*(\S+)\s*$")

_FORM: Final = "e.g. 'auc >= 0.85' or 'low(auc) >= 0.8'"


@dataclass(frozen=True, slots=True)
class Limit:
    """A comparison with a number, ``<= 0.05``."""

    comparison: str
    number: float

    def met_by(self, value: float) -> bool:
        """Whether a value meets it."""
        return COMPARE[self.comparison](value, self.number)

    @property
    def upper(self) -> bool:
        """Whether it is a limit from above, which the upper end of an interval has to meet."""
        return self.comparison in ("<", "<=")

    def __str__(self) -> str:
        return f"{self.comparison} {self.number:.10g}"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One limit: the bound of the interval or the value itself, compared with a number.

    ``asked`` is the figure as an evaluation is asked for it: empty for one that comes with groups.
    """

    text: str
    bound: str | None
    expression: str
    limit: Limit
    asked: str

    def check(self, result: Evaluation) -> str | None:
        """Return None when the limit is met, else one sentence that says why not; no value meets no limit."""
        figure = result[self.expression]
        if self.bound is None and figure.value is None and figure.bracket is not None:
            # Met only when it is whatever the exact value is.
            low, high = figure.bracket.low, figure.bracket.high
            if self.limit.met_by(low) and self.limit.met_by(high):
                return None
            return f"{self.text}: not met for certain, found a value between {low:.10g} and {high:.10g}"
        if self.bound is None:
            value, missing = figure.value, figure.reason
        else:
            value = None if figure.interval is None else getattr(figure.interval, self.bound)
            missing = f"no interval: {figure.interval_reason}"
        if value is None:
            return f"{self.text}: not met, there is no value ({missing})"
        if self.limit.met_by(value):
            return None
        return f"{self.text}: not met, found {value:.10g}"


def parse_limit(text: str, where: str = "require") -> Limit:
    """Read ``<= 0.05``; raises :class:`OptionError` when it is not of the form."""
    found = LIMIT.match(text)
    if not found:
        raise OptionError(f"{where}: expected a comparison with a number, e.g. '<= 0.05' or '> 0.8', found {text!r}")
    comparison, number = found.groups()
    try:
        limit = spelled_float(number)
    except ValueError:
        raise OptionError(f"{where}: expected a number after {comparison}, found {number!r}") from None
    if math.isnan(limit):
        raise OptionError(f"{where}: nothing compares with NaN; give a number")
    return Limit(comparison, limit)


def parse_requirement(text: str) -> Requirement:
    """Read one limit; raises :class:`OptionError` when it is not of the form or names no metric."""
    found = PATTERN.match(text)
    if not found:
        raise OptionError(f"require: expected {_FORM}, found {text!r}")
    bound, inside, bare, compared = found.groups()
    named = (inside or bare).strip()
    if re.match(r"\w*\s*\(", named):
        raise OptionError(f"require: expected {_FORM}, found {text!r}: only low(…) and high(…) take a figure")
    limit = parse_limit(compared)
    if named.startswith(KEY):
        return Requirement(text.strip(), bound, named, limit, asked="")
    expressions = parse(named)
    if len(expressions) > 1 or expressions[0].parts() != [expressions[0]]:
        raise OptionError(f"require: {named!r} is several figures; name one of them")
    key = expressions[0].key
    return Requirement(text.strip(), bound, key, limit, asked=key)
