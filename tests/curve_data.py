"""Counts for the tests of curves: random, full of ties and infinite scores, and the degenerate ones."""

import math
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

import deciban as db

UNHURRIED = settings(deadline=None)
"""A busy machine is no failure."""

SCORES = st.one_of(st.integers(-3, 3).map(float), st.floats(-40, 40), st.sampled_from([-math.inf, math.inf]))
PROBABILITIES = st.one_of(st.integers(0, 20).map(lambda k: k / 20), st.floats(0, 1))


def classes(values: st.SearchStrategy[float] = SCORES, most: int = 25) -> st.SearchStrategy[Any]:
    column = st.lists(values, min_size=1, max_size=most)
    return st.tuples(column, column)


def ln_lrs(data: Any) -> db.Counts:
    return db.Counts.from_classes(*data, scale="ln_lr")


def probabilities(data: Any) -> db.Counts:
    return db.Counts.from_classes(*data, scale="probability")


DEGENERATE = {
    "one each": ([1.0], [0.0]),
    "one each, reversed": ([0.0], [1.0]),
    "constant": ([2.0, 2.0], [2.0]),
    "perfect": ([math.inf, math.inf], [-math.inf]),
    "all wrong": ([-math.inf], [math.inf, math.inf]),
    "all infinite, mixed": ([math.inf, -math.inf], [-math.inf, math.inf, -math.inf]),
    "all at inf": ([math.inf], [math.inf]),
    "all at -inf": ([-math.inf], [-math.inf, -math.inf]),
}


def at_or_above(values: list[float], threshold: float) -> float:
    return sum(x >= threshold for x in values) / len(values)


def below(values: list[float], threshold: float) -> float:
    return sum(x < threshold for x in values) / len(values)
