"""What holds for the ranking figures beside what holds for every metric (test_properties.py)."""

import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.counts.counts import Counts
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
few = settings(max_examples=60, deadline=None)
score = st.one_of(st.sampled_from([-INF, -1.0, 0.0, 0.5, 1.0, INF]), st.floats(allow_nan=False))
sample = st.tuples(st.lists(score, min_size=1, max_size=9), st.lists(score, min_size=1, max_size=9))


def value(name: str, counts: Counts, options: dict[str, Any]) -> Any:
    try:
        return BY_NAME[name](counts, **options)
    except UndefinedMetricError as error:
        return error.reason


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
