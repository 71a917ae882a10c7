"""Criteria as they are used: the defaults, what the laboratory changed of them and why, and its own."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from deciban.errors import OptionError
from deciban.metrics.expression import parse
from deciban.records.validation_rows import Criterion, Origin, Rule
from deciban.values.toml_tables import TomlTable
from deciban.workflow.intervals.null_bands import JUDGED
from deciban.workflow.require import parse_limit
from deciban.workflow.validation.defaults import DEFAULTS, Default
from deciban.workflow.validation.kinds import BOUNDS, KINDS

if TYPE_CHECKING:
    from deciban.workflow.validation.criteria import Deciding

_BY_ID: Final = {default.id: default for default in DEFAULTS}


@dataclass(frozen=True, slots=True)
class _Said:
    """What one table ``[[criterion]]`` says, None where it does not."""

    settings: dict[str, Any]
    rule: Rule | None
    fixed_on: str | None
    reason: str | None
    characteristic: str | None
    graph: str | None
    in_use: bool


_NOTHING: Final = _Said({}, None, None, None, None, None, in_use=True)
"""Of a default that has no table."""


def settle_criteria(
    tables: Sequence[TomlTable], decision: Deciding
) -> tuple[tuple[Criterion, ...], tuple[Criterion, ...]]:
    """The criteria that are used, defaults first, and those that are switched off."""
    given: dict[str, TomlTable] = {}
    for table in tables:
        name = table.text("id")
        if name is None:
            raise OptionError(f"{table.where} id: expected a name such as 'A1' or one of your own, found none")
        if name in given:
            raise OptionError(f"{table.where} id: {name!r} is given twice")
        table.where += f" (id {name!r})"
        given[name] = table
    settled = [_default(default, given.get(default.id), decision) for default in DEFAULTS]
    used = [criterion for criterion, in_use in settled if in_use]
    used += [_own(name, table, decision) for name, table in given.items() if name not in _BY_ID]
    return tuple(used), tuple(criterion for criterion, in_use in settled if not in_use)


def _default(default: Default, table: TomlTable | None, decision: Deciding) -> tuple[Criterion, bool]:
    """A default criterion with what the laboratory says of it, and whether it is used."""
    said = _NOTHING if table is None else _said(default.kind, table)
    usual = default.rule or decision.rule
    changed = [
        key for key, value in said.settings.items() if key not in default.awaited and value != default.settings.get(key)
    ]
    changed += [] if said.in_use else ["use"]
    changed += [] if said.rule in (None, usual) else ["rule"]
    if table is not None and changed and said.reason is None:
        verb = "differs" if len(changed) == 1 else "differ"
        raise OptionError(
            f'{table.where}: expected a reason, since {" and ".join(changed)} {verb} from the default; add reason = "…"'
        )
    origin: Origin = "changed" if changed else "default"
    if not changed and any(key in default.awaited for key in said.settings):
        origin = "completed"
    settings = {**default.settings, **said.settings}
    criterion = _made(default.id, default.kind, settings, said, decision, origin, default.rule)
    return (
        replace(
            criterion,
            characteristic=default.characteristic,
            graph=said.graph or default.graph,
            reason=said.reason or default.why,
        ),
        said.in_use,
    )


def _own(name: str, table: TomlTable, decision: Deciding) -> Criterion:
    """A criterion of the laboratory: a figure and its limit."""
    said = _said("figure", table)
    near = [default for default in _BY_ID if default.casefold() == name.casefold()]
    hint = f"did you mean {near[0]!r}?" if near else f"any id but {', '.join(_BY_ID)} is a criterion of your own"
    for key, example in (("metric", "eer"), ("limit", "<= 0.05")):
        if key not in said.settings:
            raise OptionError(f"{table.where} {key}: expected one such as {example!r}, found none; {hint}")
    if said.characteristic is None:
        raise OptionError(f"{table.where} characteristic: expected a text such as 'discriminating power', found none")
    if not said.in_use:
        raise OptionError(f"{table.where} use: a criterion of your own is not used when its table is left out")
    return _made(name, "figure", said.settings, said, decision, "laboratory", None)


def _made(
    name: str,
    kind_name: str,
    settings: dict[str, Any],
    said: _Said,
    decision: Deciding,
    origin: Origin,
    usual: Rule | None,
) -> Criterion:
    kind = KINDS[kind_name]
    rule = kind.rule or said.rule or usual or decision.rule
    _check_limit(name, kind_name, settings, rule)
    return Criterion(
        id=name,
        characteristic=said.characteristic or "",
        kind=kind_name,
        metric=kind.metric(settings),
        graph=said.graph or "none",
        says=kind.says(settings, rule, decision.level),
        settings=settings,
        rule=rule,
        fixed_on=said.fixed_on or decision.fixed_on,
        origin=origin,
        reason=said.reason,
    )


def _check_limit(name: str, kind: str, settings: Mapping[str, Any], rule: Rule) -> None:
    """Refuse a limit that nothing is decided by: == of an interval, or one that all values of a figure meet or miss."""
    if settings.get("limit") is None:
        return
    limit = parse_limit(settings["limit"])
    if limit.comparison == "==":
        if rule == "bound":
            raise OptionError(
                f"criterion {name} limit: no end of an interval is decided by ==; use <= or >=, or rule = 'point'"
            )
        return
    if kind != "figure":
        return
    expression = parse(settings["metric"])[0]
    low, high = expression.spec.range
    if expression.part is None and limit.met_by(low) == limit.met_by(high):
        raise OptionError(
            f"criterion {name} limit: every value of {settings['metric']}, which goes from {low:g} to {high:g}, "
            f"{'meets' if limit.met_by(low) else 'misses'} {limit}: give a limit that can be met and missed"
        )


def _said(kind: str, table: TomlTable) -> _Said:
    """Read one table; what it says beside is refused."""
    said = _Said(
        settings=_settings(kind, table),
        rule=_rule(kind, table),
        fixed_on=table.date("fixed_on"),
        reason=table.text("reason"),
        characteristic=table.text("characteristic"),
        graph=table.text("graph"),
        in_use=table.flag("use") is not False,
    )
    table.finish()
    return said


def _rule(kind: str, table: TomlTable) -> Rule | None:
    """The rule that the laboratory chose, where there is one to choose."""
    if KINDS[kind].rule is not None:
        return None
    return table.choice("rule", ("bound", "point"))  # type: ignore[return-value]


def _settings(kind: str, table: TomlTable) -> dict[str, Any]:
    """The settings of a criterion that the table holds."""
    found = {key: READERS[key](table, kind) for key in KINDS[kind].settings}
    return {key: value for key, value in found.items() if value is not None}


def _metric(table: TomlTable, kind: str) -> str | None:
    text = table.text("metric")
    if text is None:
        return None
    try:
        parts = [part for expression in parse(text) for part in expression.parts()]
    except OptionError as error:
        raise OptionError(f"{table.where} metric: {error}") from None
    if len(parts) > 1:
        raise OptionError(f"{table.where} metric: {text!r} is several figures: name one of {_keys(parts)}")
    (one,) = parts
    if kind == "baseline" and one.spec.direction == "target value":
        raise table.error("metric", "a figure of which more or less is better", text)
    if kind == "null_band" and one.key not in JUDGED:
        raise table.error("metric", f"one of {', '.join(map(repr, JUDGED))}", text)
    return one.key


def _keys(parts: Sequence[Any]) -> str:
    return ", ".join(part.key for part in parts)


def _limit(table: TomlTable, kind: str) -> str | None:
    text = table.text("limit")
    if text is None:
        return None
    limit = parse_limit(text, f"{table.where} limit")
    if math.isinf(limit.number):
        raise table.error("limit", "a comparison with a finite number, which can be met and missed", text)
    if kind in ("errors", "sources") and (limit.comparison not in (">=", ">") or limit.met_by(0.0)):
        raise table.error("limit", "a smallest number such as '>= 30'", text)
    return str(limit)


def _margin(table: TomlTable, kind: str) -> float | None:
    return _within(table, "margin", 0.0, sys.float_info.max, "a finite number of at least 0")


def _within(table: TomlTable, key: str, low: float, high: float, expected: str) -> float | None:
    value = table.number(key)
    if value is not None and not low <= value <= high:
        raise table.error(key, expected, value)
    return value


def _strengths(table: TomlTable, kind: str) -> list[float] | None:
    values = table.numbers("k")
    if any(not 1.0 < value < float("inf") for value in values):
        raise table.error("k", "LRs above 1", list(values))
    return list(values) or None


def _alpha(table: TomlTable, kind: str) -> float | None:
    value = table.number("alpha")
    if value is not None and not 0.0 < value < 1.0:
        raise table.error("alpha", "a number strictly between 0, which nothing misses, and 1", value)
    return value


READERS: Final[dict[str, Callable[[TomlTable, str], Any]]] = {
    "metric": _metric,
    "limit": _limit,
    "margin": _margin,
    "k": _strengths,
    "alpha": _alpha,
    "bounds": lambda table, _: table.choice("bounds", BOUNDS),
    "lower": lambda table, _: _within(table, "lower", 0.0, 1.0, "an LR from 0 to 1"),
    "upper": lambda table, _: _within(table, "upper", 1.0, float("inf"), "an LR of at least 1"),
}
"""How each setting is read."""
