"""Every definition of the equal error rate beside the others, where all of them were asked for."""

from __future__ import annotations

from collections.abc import Iterable

from deciban.counts.counts import Counts
from deciban.metrics.eer import METHODS, eer
from deciban.metrics.eer_definitions import every_equal_error
from deciban.metrics.expression import parse
from deciban.records.eer_definitions import DefinedError
from deciban.trials.direction import threshold_as_given


def equal_errors(counts: Counts, metrics: Iterable[str]) -> tuple[DefinedError, ...]:
    """The rate and threshold of each definition; nothing unless every definition was asked for, as by ``eer:all``."""
    asked = [expression for text in metrics for expression in parse(text) if expression.spec is eer.spec]
    if len({expression.key for expression in asked}) < len(METHODS):
        return ()
    found = every_equal_error(counts)
    return tuple(
        DefinedError(method=method, value=None, reason=one)
        if isinstance(one, str)
        else DefinedError(
            method=method,
            value=float(one.value),  # a fraction, where trials have no weights
            threshold=_as_given(counts, one.threshold),
            below=_as_given(counts, one.below),
            above=_as_given(counts, one.above),
        )
        for method, one in found.items()
    )


def _as_given(counts: Counts, threshold: float | None) -> float | None:
    """A threshold for the scores before they were reversed."""
    if threshold is None or not counts.reversed:
        return threshold
    return threshold_as_given(threshold, counts.scale)
