"""McNemar's test, permutation, Holm's adjustment and replicates."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import deciban as db
from deciban.errors import InputError, OptionError, UndefinedMetricError

few = settings(max_examples=60)


def reason(call: Any) -> str:
    with pytest.raises(UndefinedMetricError) as caught:
        call()
    return caught.value.reason


@given(st.integers(0, 60), st.integers(0, 60))
@few
def test_mcnemar_in_fractions(b, c):
    n, fewer = b + c, min(b, c)
    here = Fraction(math.comb(n, fewer), 2**n)
    tail = sum((Fraction(math.comb(n, k), 2**n) for k in range(fewer + 1)), Fraction(0))
    exact = min(2 * tail, Fraction(1))
    mid_p = Fraction(1) if n == 0 else 1 - here / 2 if b == c else exact - here
    assert db.mcnemar(b, c).p_value == pytest.approx(float(exact), rel=1e-12)
    assert db.mcnemar(b, c, "mid-p").p_value == pytest.approx(float(mid_p), rel=1e-12)
    assert db.mcnemar(c, b, "mid-p") == db.mcnemar(b, c, "mid-p")
    assert db.mcnemar(b, c).statistic is None


def test_mcnemar_chi2():
    found = db.mcnemar(150, 86, "chi2")
    assert (found.statistic, found.method) == (pytest.approx(1024 / 59), "chi2")
    assert found.p_value == pytest.approx(stats.chi2.sf(1024 / 59, 1), rel=1e-12)
    assert db.mcnemar(5, 5, "chi2-corrected").p_value == 1.0
    assert db.mcnemar(0, 0, "chi2").p_value == 1.0
    assert db.mcnemar(np.int64(4 * 10**9), np.int64(0), "chi2").statistic == 4e9
    for wrong in ((-1, 2), (1.5, 2), (math.nan, 2)):
        with pytest.raises(OptionError, match="whole"):
            db.mcnemar(*wrong)
    with pytest.raises(OptionError, match="did you mean 'mid-p'"):
        db.mcnemar(1, 2, "midp")


def every_swap(first: list[float], second: list[float], labels: list[int]) -> float:
    """Share of all swaps whose difference of AUC is at least as large."""

    def difference(a: list[float], b: list[float]) -> float:
        return float(db.auc(db.Counts.from_arrays(a, labels)) - db.auc(db.Counts.from_arrays(b, labels)))

    observed = abs(difference(first, second))
    large, total = 0, 0
    for swaps in itertools.product([False, True], repeat=len(labels)):
        a = [y if swap else x for x, y, swap in zip(first, second, swaps, strict=True)]
        b = [x if swap else y for x, y, swap in zip(first, second, swaps, strict=True)]
        large, total = large + (abs(difference(a, b)) >= observed), total + 1
    return large / total


def test_permutation_tends_to_all_swaps():
    labels = [1, 1, 1, 0, 0, 0]
    first, second = [9.0, 8.0, 4.0, 6.0, 2.0, 1.0], [7.0, 3.0, 5.0, 4.0, 9.0, 6.0]
    found = db.permutation_test(first, second, labels, db.auc, draws=2000)
    assert found.p_value == pytest.approx(every_swap(first, second, labels), abs=0.035)
    assert found.difference == 8 / 9 - 3 / 9
    assert (found.draws, found.undefined) == (2000, 0)


def test_permutation_is_seeded():
    labels, generator = [1] * 20 + [0] * 20, np.random.default_rng(1)
    a, b = generator.normal(size=40), generator.normal(size=40)
    one, same = (db.permutation_test(a, b, labels, db.auc, draws=99, seed=4) for _ in range(2))
    assert one == same
    given_generator = db.permutation_test(a, b, labels, db.auc, draws=99, seed=np.random.default_rng(4))
    assert given_generator == one
    assert db.permutation_test(b, a, labels, db.auc, draws=99, seed=4).p_value == one.p_value


def test_permutation_of_identical_systems():
    scores = [3, 1, 2, 0]
    found = db.permutation_test(scores, scores, [1, 1, 0, 0], db.cllr, scale="ln_lr", draws=19)
    assert (found.difference, found.p_value) == (0.0, 1.0)


def test_permutation_refuses_what_has_no_value():
    lrs, labels = [math.inf, 1.0, 0.0, -1.0], [1, 1, 0, 0]
    wrong = [-math.inf, 1.0, 0.0, -1.0]
    assert reason(lambda: db.permutation_test(lrs, wrong, labels, db.cllr, scale="ln_lr")) == "infinite_end"
    with pytest.raises(OptionError, match="draws"):
        db.permutation_test(lrs, lrs, labels, db.auc, draws=0)

    def sometimes(counts: db.Counts) -> float:
        if counts.score[-1] > 8:
            raise UndefinedMetricError("too high")
        return float(counts.score[-1])

    found = db.permutation_test([8, 2, 0, 0], [7, 9 - 2, 0, 0], labels, sometimes, draws=50)
    assert found.undefined == 0
    assert reason(lambda: db.permutation_test([9, 2, 0, 0], [7, 7, 0, 0], labels, sometimes)) == "undefined_ratio"

    def swapped_only(counts: db.Counts) -> float:
        if counts.score.tolist() == [0.0, 1.0, 4.0]:
            raise UndefinedMetricError("no value")
        return 0.0 if 3.0 in counts.score else 1.0

    found = db.permutation_test([4, 2, 0, 0], [3, 1, 0, 0], labels, swapped_only, draws=200)
    assert 0 < found.undefined < 200
    assert found.p_value == 1.0


@given(st.lists(st.floats(0, 1), max_size=8))
@few
def test_holm(p_values):
    found = db.holm(p_values)
    m = len(p_values)
    for at, p in enumerate(p_values):
        # The largest of (number not smaller) · p over the tests that come before it.
        before = [q for q in p_values if q <= p]
        want = max(min(1.0, q * sum(r >= q for r in p_values)) for q in before)
        assert found[at] == pytest.approx(want, rel=1e-12)
        assert p <= found[at] <= min(1.0, m * p) * (1 + 1e-15)


def test_holm_refuses():
    for wrong in ([0.5, math.nan], [1.5], [-0.1], ["a"]):
        with pytest.raises(InputError, match="p_values"):
            db.holm(wrong)


def test_replicates():
    values, pairs = [1.0, 2.0, 4.0, 9.0, 7.0], ["a", "a", "b", "c", "c"]
    found = db.replicate_precision(values, pairs, level=0.9)
    assert found.df == 2
    assert found.pooled_sd == pytest.approx(math.sqrt(2.5 / 2), rel=1e-14)
    assert found.half_width == pytest.approx(stats.t.ppf(0.95, 2) * found.pooled_sd, rel=1e-9)
    shuffled = db.replicate_precision(values[::-1], pairs[::-1], level=0.9)
    assert shuffled.half_width == pytest.approx(found.half_width, rel=1e-14)
    frame = pd.DataFrame({"lr": values, "pair": pairs})
    assert db.replicate_precision(frame.lr, frame.pair, level=0.9) == found


def test_replicates_without_precision():
    assert reason(lambda: db.replicate_precision([1.0, 2.0], ["a", "b"])) == "too_few"
    assert reason(lambda: db.replicate_precision([0.1] * 3 + [2.0] * 2, list("aaabb"))) == "degenerate"
    assert reason(lambda: db.replicate_precision([math.inf, 2.0], ["a", "a"])) == "infinite_end"
    with pytest.raises(InputError, match="pair"):
        db.replicate_precision([1.0, 2.0], ["a", None])
    with pytest.raises(InputError, match="one length"):
        db.replicate_precision([1.0, 2.0], ["a"])
    with pytest.raises(InputError, match="missing"):
        db.replicate_precision([1.0, math.nan], ["a", "a"])
    with pytest.raises(OptionError, match="level"):
        db.replicate_precision([1.0, 2.0], ["a", "a"], level=2.0)
    with pytest.raises(InputError, match="index"):
        db.replicate_precision(pd.Series([1.0, 2.0]), pd.Series(["a", "a"], index=[1, 0]))


def test_pair_means():
    counts = db.pair_means([1.0, 2.0, math.inf, math.inf, -1.0], ["s", "s", "s", "s", "d"], [1, 1, 2, 2, 3], target="s")
    assert counts == db.Counts.from_classes([1.5, math.inf], [-1.0], scale="log10_lr")
    only = db.pair_means([1.0, 2.0], [1, 1], ["a", "a"], target=1)
    assert (only.total_target, only.total_nontarget) == (1, 0)
    with pytest.raises(InputError, match="'a' has LRs of both classes"):
        db.pair_means([1.0, 2.0], [1, 0], ["a", "a"])
    assert reason(lambda: db.pair_means([math.inf, -math.inf], [1, 1], ["a", "a"], target=1)) == "infinite_end"
