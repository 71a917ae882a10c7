"""The text that names a quantity: metric, part and options, as in ``min_dcf:preset=voxsrc`` or ``elub.lower``.

It is at once the key in records, the ``--metric`` of the command line and the left side of ``--require``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from deciban.errors import OptionError
from deciban.metrics.catalogue import BY_NAME, find
from deciban.metrics.spec import Option, Spec
from deciban.values.option_checks import check_text
from deciban.values.spelled import spelled_float, spelled_int


@dataclass(frozen=True, slots=True)
class Expression:
    """A metric, one of its parts (or None), and the options that differ from their defaults."""

    spec: Spec
    part: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The canonical text: options equal to the default left out, the rest sorted, numbers in shortest form."""
        name = self.spec.name if self.part is None else f"{self.spec.name}.{self.part}"
        given = [f"{option}={format_value(self.options[option])}" for option in sorted(self.options)]
        return f"{name}:{','.join(given)}" if given else name

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest value that this quantity can take."""
        if self.spec.narrower is None:
            return self.spec.range
        return self.spec.narrower(self.part, self.spec.complete(self.options))

    def parts(self) -> list[Expression]:
        """One expression for each part of a record, or this one alone."""
        if self.part is not None or not self.spec.parts:
            return [self]
        return [Expression(self.spec, part, self.options) for part in self.spec.parts]


def express(spec: Spec, options: Mapping[str, object], part: str | None = None) -> Expression:
    """Build the expression of a metric with options; illegal ones raise :class:`OptionError`."""
    complete = spec.complete(options)
    changed = {name: value for name, value in complete.items() if value != spec.option(name).default}
    return Expression(spec, part, changed)


def parse(text: str) -> list[Expression]:
    """Read one expression; ``NAME:all`` gives one for each choice of the metric's method.

    Raises
    ------
    OptionError
        When metric, part, option or value is unknown: the message names the nearest ones.

    Examples
    --------
    >>> [expression.key for expression in parse("min_dcf:preset=voxsrc")]
    ['min_dcf:preset=voxsrc']
    >>> parse("eer:method=rocch")[0].key
    'eer'
    """
    check_text("metrics", text, "an expression such as 'auc' or 'p_miss_at:p_fa=0.01'")
    name, _, tail = text.strip().partition(":")
    if not name.strip():
        raise OptionError(f"metric: expected NAME or NAME:option=value,option=value, found {text!r}")
    spec, part = _metric_and_part(name.strip())
    if tail.strip() == "all":
        chosen = [option for option in spec.options if option.choices and option.name == "method"]
        if not chosen:
            raise OptionError(f"{text}: {spec.name} has one definition only; leave ':all' out")
        return [express(spec, {"method": method}, part) for method in chosen[0].choices]
    return [express(spec, parse_options(spec, tail), part)]


def parse_options(spec: Spec, text: str) -> dict[str, object]:
    """Read ``name=value,name=value`` as options of a metric."""
    options: dict[str, object] = {}
    for item in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, value = (piece.strip() for piece in item.partition("="))
        if not equals or not value:
            raise OptionError(f"{spec.name}: expected option=value, found {item!r}")
        if name in options:
            raise OptionError(f"{spec.name}: option {name} is given twice")
        options[name] = read_value(spec, spec.option(name), value)
    return options


def read_value(spec: Spec, option: Option, text: str) -> object:
    """Read the text of one option as the type that the option has."""
    if option.kind is bool:
        if text.lower() not in ("true", "false"):
            raise OptionError(f"{spec.name}: {option.name} must be true or false, found {text!r}")
        return text.lower() == "true"
    if option.kind is str:
        return text
    try:
        return spelled_int(text) if option.kind is int else spelled_float(text)
    except ValueError:
        kind = "a whole number" if option.kind is int else "a number"
        raise OptionError(f"{spec.name}: {option.name} must be {kind}, found {text!r}") from None


def format_value(value: object) -> str:
    """Write an option value in its shortest form: 1 for 1.0, 1e-05, true, inf."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        number = float(value)
        if math.isfinite(number) and number.is_integer() and abs(number) < 1e16:
            return str(int(number))
        return repr(number)
    return str(value)


def _metric_and_part(name: str) -> tuple[Spec, str | None]:
    """The metric and the part that a dotted name means; some metrics have a dot in their own name."""
    if name in BY_NAME:
        return BY_NAME[name].spec, None
    head, dot, part = name.rpartition(".")
    if dot and head in BY_NAME and BY_NAME[head].spec.parts:
        spec = BY_NAME[head].spec
        if part not in spec.parts:
            raise OptionError(f"{head} has the parts {', '.join(spec.parts)}, found {part!r}")
        return spec, part
    return find(name).spec, None
