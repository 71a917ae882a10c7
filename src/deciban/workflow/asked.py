"""What the caller of an evaluation asks for, as lists: one value is a list of one, None is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Real

import numpy as np

from deciban.errors import InputError, OptionError
from deciban.records.threshold import ChosenThreshold
from deciban.values.option_checks import check_number, check_text, spoken
from deciban.values.record import from_plain, to_plain

EXAMPLES = {"metrics": "'eer:all'", "costs": "'preset=voxsrc'", "by": "'channel'"}


def threshold_list(given: object) -> list[float | ChosenThreshold]:
    """Thresholds as numbers and chosen ones: of a list, an array, a column of a dataframe, or alone."""
    if isinstance(given, (ChosenThreshold, Real)) or (isinstance(given, np.ndarray) and given.ndim == 0):
        given = [given.item() if isinstance(given, np.ndarray) else given]
    elif isinstance(given, (str, bytes)):
        raise OptionError(f"thresholds: expected numbers, found the text {given!r}; write 0.5 rather than '0.5'")
    return [
        at if isinstance(at, ChosenThreshold) else check_number("threshold", at, "a number in the unit of the scores")
        for at in _several("thresholds", given, "numbers")
    ]


def written_threshold(threshold: float | ChosenThreshold) -> object:
    """A threshold as the record of options holds it: a chosen one with where it comes from."""
    return to_plain(threshold) if isinstance(threshold, ChosenThreshold) else threshold


def read_threshold(written: object) -> float | ChosenThreshold:
    """The threshold that :func:`written_threshold` wrote; :class:`InputError` for what is none."""
    if isinstance(written, Mapping):
        return from_plain(ChosenThreshold, to_plain(written), "record.provenance.options.thresholds")
    if isinstance(written, bool) or not isinstance(written, Real):
        raise InputError(f"record.provenance.options.thresholds: expected a threshold, found {written!r}")
    return float(written)


def word_list(name: str, given: object) -> list[str]:
    """Expressions or names of columns."""
    if isinstance(given, str):
        return [given]
    expected = f"texts such as {EXAMPLES[name]}"
    return [check_text(name, word, expected) for word in _several(name, given, expected)]


def _several(name: str, given: object, expected: str) -> list[object]:
    if given is None:
        return []
    if not isinstance(given, Iterable):
        raise OptionError(f"{name}: expected {expected}, found {spoken(given)}")
    return list(given)
