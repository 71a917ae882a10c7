"""The first argument of every function of counts, told apart from what people try in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from deciban.counts.buckets import at_edges
from deciban.errors import InputError, OptionError, UndefinedMetricError

if TYPE_CHECKING:
    from deciban.counts.counts import Counts

F = TypeVar("F", bound=Callable[..., Any])

ARRAYS = "for scores and labels use deciban.Counts.from_arrays(scores, labels)"


def as_counts(value: object, what: str) -> Counts:
    """Return ``value`` if it is Counts, else raise :class:`InputError` that says how to make them of it."""
    from deciban.counts.counts import Counts

    if isinstance(value, Counts):
        return value
    raise InputError(f"{what}: expected Counts, found {_kind(value)}: {_instead(value, what)}")


def of_counts(function: F) -> F:
    """Check the first argument of a function of counts, and that further ones without a name are those it has.

    Counts in buckets are refused: of those the function would say what holds for no score.
    """
    return _checked(function, unbucketed)


def of_edges(function: F) -> F:
    """Do the same for a curve of thresholds, which of counts in buckets shows the exact points at their edges."""
    return _checked(function, lambda counts, _: at_edges(counts))


def of_any_counts(function: F) -> F:
    """Do the same for a function that knows what buckets are."""
    return _checked(function, lambda counts, _: counts)


def unbucketed(counts: Counts, what: str) -> Counts:
    """Return the counts, or raise :class:`UndefinedMetricError` with reason ``bucketed`` where they are in buckets."""
    if counts.resolution is not None:
        raise UndefinedMetricError(
            f"{what}: the scores themselves are needed, and these counts are in buckets of width "
            f"{counts.resolution!r}; count the trials without resolution= (--resolution)",
            "bucketed",
        )
    return counts


def _checked(function: F, take: Callable[[Counts, str], Counts]) -> F:
    kinds = [parameter.kind for parameter in signature(function).parameters.values()]
    positional = sum(kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) for kind in kinds)
    what = function.__name__

    @wraps(function)
    def checked(*given: Any, **options: Any) -> Any:
        if given:
            _check(what, given, positional)
            return function(take(given[0], what), *given[1:], **options)
        if "counts" in options:
            _check(what, (options["counts"],), positional)
            options["counts"] = take(options["counts"], what)
        return function(**options)

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
