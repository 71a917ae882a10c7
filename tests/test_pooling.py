"""Pooling of many blocks, against a stack in Python integers: data that defeat pooling by rounds among them."""

import numpy as np
import pytest
from numpy.typing import NDArray

import deciban as db
from deciban.passes.pool import pool, pool_laplace

Columns = tuple[NDArray[np.int64], NDArray[np.int64]]

N = 200_000
RISING = np.arange(1, N)
ONES = np.ones(N - 1, dtype=int)
HALF = 2**29


def stack_pav(n_target: list[int], n_nontarget: list[int]) -> list[tuple[int, int]]:
    """The blocks of PAV, one trial group at a time."""
    stack: list[tuple[int, int]] = []
    for k1, k0 in zip(n_target, n_nontarget, strict=True):
        while stack and stack[-1][0] * k0 >= k1 * stack[-1][1]:
            above = stack.pop()
            k1, k0 = k1 + above[0], k0 + above[1]  # noqa: PLW2901
        stack.append((k1, k0))
    return stack


def mixed(seed: int, most: int, size: int = N) -> Columns:
    random = np.random.default_rng(seed)
    return random.integers(1, most, size), random.integers(1, most, size)


def distinct(seed: int, size: int = N) -> Columns:
    is_target = (
        np.sort(np.random.default_rng(seed).normal(size=size)) + np.random.default_rng(seed).normal(size=size) > 0
    )
    return is_target.astype(int), 1 - is_target


SEQUENCES: dict[str, Columns] = {
    "all blocks mixed": mixed(0, 5),
    "all blocks mixed, large counts": mixed(1, 9000),
    "many zeros": (mixed(2, 3)[0] - 1, mixed(2, 3)[1] - 1),
    "distinct scores": distinct(3),
    "rising: nothing pools": (RISING, ONES),
    "falling: all pool": (RISING[::-1], ONES),
    "rising, then one violator unzips a block a round": (np.append(RISING, 0), np.append(ONES, 3 * N)),
    "one violator first": (np.insert(RISING, 0, 2 * N), np.insert(ONES, 0, 1)),
    "rising in steps of equal ratios": (1000 + RISING // 100, 1000 * ONES),
    "alternating": (np.tile([1, 0], N // 2), np.tile([0, 1], N // 2)),
    "targets below, nontargets above": (np.repeat([1, 0], N // 2), np.repeat([0, 1], N // 2)),
    "ratios that differ by 2^-58": (np.array([HALF - 1, HALF, HALF + 1]), np.array([HALF, HALF + 1, HALF + 2])),
    "the reverse": (np.array([HALF + 1, HALF, HALF - 1]), np.array([HALF + 2, HALF + 1, HALF])),
    "one block": (np.array([3]), np.array([4])),
    "pairs just below 2^62": (np.array([2**31 - 2, 1]), np.array([1, 2**31 - 1])),
    "as many as fit beside one": (np.array([2**61 - 1, 2**60]), np.array([0, 1])),
}


@pytest.mark.parametrize("name", SEQUENCES)
def test_pool_equals_the_stack(name):
    n_target, n_nontarget = SEQUENCES[name]
    kept = (n_target > 0) | (n_nontarget > 0)
    n_target, n_nontarget = n_target[kept], n_nontarget[kept]
    score = np.arange(n_target.size, dtype=float)
    pooled = pool(db.Counts(score, n_target, n_nontarget))
    assert list(zip(pooled.n_target.tolist(), pooled.n_nontarget.tolist(), strict=True)) == stack_pav(
        n_target.tolist(), n_nontarget.tolist()
    )
    assert (pooled.ln_lr[1:] >= pooled.ln_lr[:-1]).all()
    assert (pooled.low <= pooled.high).all()
    assert np.array_equal(pooled.low[1:], pooled.high[:-1] + 1)
    assert (pooled.low[0], pooled.high[-1]) == (score[0], score[-1])


@pytest.mark.parametrize("name", [name for name in SEQUENCES if "beside one" not in name])
def test_pool_laplace_equals_the_stack_with_four_trials_more(name):
    n_target, n_nontarget = SEQUENCES[name]
    kept = (n_target > 0) | (n_nontarget > 0)
    n_target, n_nontarget = n_target[kept].tolist(), n_nontarget[kept].tolist()
    pooled = pool_laplace(db.Counts(np.arange(len(n_target), dtype=float), n_target, n_nontarget))
    blocks = stack_pav([1, *n_target, 1], [1, *n_nontarget, 1])
    ratio = np.array([k1 / k0 for k1, k0 in blocks]) * (sum(n_nontarget) / sum(n_target))
    alone = [i for i in (0, -1) if blocks[i] == (1, 1) and len(blocks) > 1]
    ratio = ratio[1 if 0 in alone else 0 : -1 if -1 in alone else None]
    np.testing.assert_allclose(pooled.ln_lr, np.log(ratio), rtol=1e-12, atol=1e-15)
    assert pooled.n_target.sum() == sum(n_target)
    assert pooled.n_nontarget.sum() == sum(n_nontarget)


def test_pairs_beyond_64_bits_are_refused():
    just_fits = db.Counts([0.0, 1.0], [0, 2**31 - 1], [2**31, 0])
    assert db.auc(just_fits, exact=True) == 1
    assert db.eer(just_fits) == 0
    with pytest.raises(db.InputError, match="2\\^62"):
        db.Counts([0.0, 1.0], [0, 2**31], [2**31, 0])
    with pytest.raises(db.InputError, match="2\\^62"):
        db.Counts([0.0, 1.0], [2**62, 2**62], [0, 1])
    with pytest.raises(db.InputError, match="2\\^62"):
        db.Counts([0.0, 1.0], [2**62, 2**62], [0, 0])
    with pytest.raises(db.InputError, match="Laplace"):
        db.cllr_min(db.Counts([0.0, 1.0], [0, 2**62 - 1], [1, 0]), laplace=True)


@pytest.mark.parametrize("tail", [2**40, 2**55])
def test_figures_of_huge_counts(tail):
    """Rates do not depend on the number of trials behind them."""
    counts = db.Counts([0.0, 1.0], [tail, 3 * tail], [1, 1])
    assert db.auc(counts) == 0.625
    assert db.eer(counts, exact=True) == db.eer(db.Counts([0.0, 1.0], [1, 3], [1, 1]), exact=True)
    small = db.cllr_min(db.Counts([0.0, 1.0], [1, 3], [1, 1]))
    assert db.cllr_min(counts) == pytest.approx(small, rel=1e-14)
