"""What holds for the ranking figures whatever the data."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.counts import Counts
from deciban.errors import UndefinedMetricError
from deciban.metrics.catalogue import BY_NAME

INF = math.inf

CASES: list[tuple[str, dict[str, Any]]] = [
    ("partial_auc", {"high": 0.3}),
    ("partial_auc", {"axis": "p_miss", "low": 0.1, "high": 0.8}),
    ("partial_auc_standardised", {"low": 0.2, "high": 0.3}),
    ("pr_trapezoid", {}),
    ("pr_davis_goadrich", {}),
    ("pr_gain_area", {}),
    ("d_prime_auc", {}),
    ("youden", {}),
    ("ks", {}),
    ("h_measure", {}),
    ("h_measure", {"alpha": 0.3, "beta": 40.0}),
    ("decidability", {}),
    ("precision_at", {"threshold": 0.5, "prevalence": 0.01}),
    ("d_prime", {"threshold": 0.5}),
]
each = pytest.mark.parametrize(("name", "options"), CASES)
few = settings(max_examples=60, deadline=None)
score = st.one_of(st.sampled_from([-INF, -1.0, 0.0, 0.5, 1.0, INF]), st.floats(allow_nan=False))
sample = st.tuples(st.lists(score, min_size=1, max_size=9), st.lists(score, min_size=1, max_size=9))


def value(name: str, counts: Counts, options: dict[str, Any]) -> Any:
    try:
        return BY_NAME[name](counts, **options)
    except UndefinedMetricError as error:
        return error.reason


def weighted(counts: Counts, draw: Any) -> Counts:
    factors = st.lists(st.floats(1e-3, 1e3), min_size=counts.n_distinct, max_size=counts.n_distinct)
    n_target, n_nontarget = (n * np.array(draw.draw(factors)) for n in (counts.n_target, counts.n_nontarget))
    return Counts(counts.score, n_target, n_nontarget, weighted=True)


@each
@given(sample, st.data())
@few
def test_range(name, options, data, draw):
    low, high = BY_NAME[name].spec.range
    counts = db.Counts.from_classes(*data)
    for each_counts in (counts, weighted(counts, draw)):
        found = value(name, each_counts, options)
        assert isinstance(found, str) or (type(found) is float and low - 1e-15 <= found <= high + 1e-15)


@each
@given(sample, st.randoms(use_true_random=False))
@few
def test_rows_may_come_in_any_order(name, options, data, random):
    targets, nontargets = data
    want = value(name, db.Counts.from_classes(targets, nontargets), options)
    rows = [(s, 1) for s in targets] + [(s, 0) for s in nontargets]
    random.shuffle(rows)
    scores, labels = zip(*rows, strict=True)
    assert value(name, db.Counts.from_arrays(scores, labels, target=1, nontarget=0), options) == want


@pytest.mark.parametrize(("name", "options"), [case for case in CASES if BY_NAME[case[0]].spec.rank_only])
@given(sample)
@few
def test_ranks_are_all_that_counts(name, options, data):
    distinct = np.unique(np.concatenate(data))
    ranks = [np.searchsorted(distinct, np.array(scores) + 0.0) for scores in data]
    before, after = (db.Counts.from_classes(*scores) for scores in (data, ranks))
    assert value(name, after, options) == value(name, before, options)


@pytest.mark.parametrize(("name", "options"), [case for case in CASES if case[0] != "decidability"])
@given(sample)
@few
def test_every_trial_twice_is_the_same(name, options, data):
    counts = db.Counts.from_classes(*data)
    found, want = (value(name, c, options) for c in (db.merge(counts, counts), counts))
    assert found == want or found == pytest.approx(want, rel=1e-13, abs=1e-15)


@given(sample)
@few
def test_the_other_class(data):
    targets, nontargets = data
    counts = db.Counts.from_classes(targets, nontargets)
    other = db.Counts.from_classes([-s for s in nontargets], [-s for s in targets])
    for name, options in CASES:
        if BY_NAME[name].spec.swapped == "same":
            found, want = value(name, other, options), value(name, counts, options)
            assert found == want or found == pytest.approx(want, rel=1e-12, abs=1e-12), name
    assert db.h_measure(other, alpha=3.0, beta=0.5) == pytest.approx(
        db.h_measure(counts, alpha=0.5, beta=3.0), abs=1e-14
    )
    for low, high in ((0.0, 0.3), (0.2, 0.9)):
        one = db.partial_auc(counts, axis="p_miss", low=low, high=high, exact=True)
        assert one == db.partial_auc(other, axis="p_fa", low=low, high=high, exact=True)


@given(sample, st.lists(st.floats(0, 1), min_size=1, max_size=4))
@few
def test_partial_areas_add_up(data, cuts):
    counts = db.Counts.from_classes(*data)
    ends = sorted({0.0, 1.0, *cuts})
    for axis in ("p_fa", "p_miss"):
        parts = [db.partial_auc(counts, axis=axis, low=a, high=b, exact=True) for a, b in pairwise(ends)]
        assert sum(parts) == db.auc(counts, exact=True)


@given(sample)
@few
def test_order_of_the_figures(data):
    counts = db.Counts.from_classes(*data)
    assert db.youden(counts) <= db.ks(counts)
    assert db.h_measure(counts) > 0 or db.youden(counts) == 0
    assert db.partial_auc(counts, high=0.5) <= min(0.5, db.auc(counts))
    assert (db.d_prime_auc(counts) > 0) == (db.auc(counts) > 0.5)
