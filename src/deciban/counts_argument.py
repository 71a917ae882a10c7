"""The first argument of every function of counts, told apart from what people try in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from deciban.errors import InputError, OptionError

if TYPE_CHECKING:
    from deciban.counts import Counts

F = TypeVar("F", bound=Callable[..., Any])

ARRAYS = "for scores and labels use deciban.Counts.from_arrays(scores, labels)"


def as_counts(value: object, what: str) -> Counts:
    """Return ``value`` if it is Counts, else raise :class:`InputError` that says how to make them of it."""
    from deciban.counts import Counts

    if isinstance(value, Counts):
        return value
    raise InputError(f"{what}: expected Counts, found {_kind(value)}: {_instead(value, what)}")


def of_counts(function: F) -> F:
    """Check the first argument of a function of counts, and that further ones without a name are those it has."""
    kinds = [parameter.kind for parameter in signature(function).parameters.values()]
    positional = sum(kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) for kind in kinds)
    what = function.__name__

    @wraps(function)
    def checked(*given: Any, **options: Any) -> Any:
        if given or "counts" in options:
            _check(what, given or (options["counts"],), positional)
        return function(*given, **options)

    return cast(F, checked)


def only_counts(what: str, given: tuple[Any, ...], options: dict[str, Any]) -> Counts:
    """Return the counts of a call that takes nothing else without a name, out of ``options`` when they have theirs."""
    if not given and "counts" in options:
        given = (options.pop("counts"),)
    if not given:
        raise InputError(f"{what}: expected Counts, found no argument: {ARRAYS}")
    _check(what, given, 1)
    return cast("Counts", given[0])


def _check(what: str, given: tuple[object, ...], most: int) -> None:
    """Raise unless the first of the arguments without a name is Counts and there are not too many of them."""
    if len(given) > most and _is_column(given[0]):
        raise InputError(f"{what}: expected Counts, found {len(given)} separate arguments: {ARRAYS}")
    as_counts(given[0], what)
    if len(given) > most:
        raise OptionError(f"{what}: give options by name after the counts, found {_kind(given[most])} without one")


def _is_column(value: object) -> bool:
    return isinstance(value, (list, tuple, np.ndarray)) or hasattr(value, "to_numpy")


def _kind(value: object) -> str:
    name = {"NoneType": "None", "ndarray": "an array", "str": "text"}.get(type(value).__name__)
    if name is not None:
        return name
    name = type(value).__name__
    return name if name[:1].isupper() else f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


def _instead(value: object, what: str) -> str:
    """What to pass instead."""
    kind = type(value).__name__
    if kind in ("Trials", "Table"):
        return f"use deciban.count({kind.lower()})"
    parts = list(value.values()) if isinstance(value, Mapping) else value
    if isinstance(parts, (list, tuple)) and parts and all(type(part).__name__ == "Counts" for part in parts):
        return (
            "use deciban.merge(*parts)"
            if what == "merge"
            else "use one of them, or all of them with deciban.merge(*parts)"
        )
    if isinstance(value, Mapping) or hasattr(value, "columns") or isinstance(value, str):
        return "use deciban.count(deciban.scan(…))"
    return ARRAYS
