"""Draws and swaps of several systems together, and the unpaired test of two AUCs."""

import itertools
import math

import numpy as np
import pytest

import deciban as db
from deciban.errors import UndefinedMetricError
from deciban.uncertainty.bootstrap.replicate import each
from deciban.uncertainty.bootstrap.sources import by_source
from deciban.uncertainty.bootstrap.swapping import p_of_replicates, p_of_swaps, pair_up, swapped_differences
from deciban.uncertainty.bootstrap.together import apart, figures_of_draws, together
from deciban.uncertainty.delong.placements import midranks

AUC = {"auc": db.auc}


def trials(scores, labels, **more):
    return db.Trials.from_arrays(scores, labels, **more)


def test_unpaired_by_hand():
    # Placements 1, 1, 2/3 and 2/3, 1, 1: variances 1/81 + 1/81; of the other system 4/81 + 4/81. z² = (1/9)/(10/81).
    found = db.delong_unpaired(
        db.Counts.from_classes([9, 7, 4], [5, 2, 1]), db.Counts.from_classes([8, 3, 2], [4, 6, 1])
    )
    assert found.difference == pytest.approx(1 / 3, rel=1e-15)
    assert found.variance == pytest.approx(10 / 81, rel=1e-14)
    assert found.z**2 == pytest.approx(0.9, rel=1e-14)
    assert found.interval.method == "delong-unpaired"


def test_unpaired_without_variance():
    perfect, worst = db.Counts.from_classes([3, 4], [1, 2]), db.Counts.from_classes([1, 2], [3, 4])
    same = db.delong_unpaired(perfect, perfect)
    assert (same.difference, same.z, same.p_value, same.interval) == (0.0, 0.0, 1.0, None)
    with pytest.raises(UndefinedMetricError) as caught:
        db.delong_unpaired(perfect, worst)
    assert caught.value.reason == "zero_variance"


@pytest.mark.parametrize("sources", [(), (list("aabbcc"),), (list("aabbcc"), list("cdadbe"))])
@pytest.mark.parametrize("weight", [None, [1.0, 0.0, 2.0, 1.0, 0.5, 3.0]])
def test_one_draw_for_all(sources, weight):
    """The same trials weigh the same in both systems: tags that differ in order only give equal counts at each tag."""
    labels = [1, 1, 1, 0, 0, 0]
    first = trials([1, 2, 3, 4, 5, 6], labels, sources=sources, weight=weight)
    second = trials([6, 5, 4, 3, 2, 1], labels, sources=sources, weight=weight)
    drawing = together([first, second])
    assert {part.resampled for part in drawing.parts} == {"sources" if sources else "trials"}
    for number in range(20):
        one, other = (replicate.counts() for replicate in drawing.draw(np.random.default_rng(number)))
        assert dict(zip(one.score, one.n_target, strict=True)) == {
            7.0 - s: n for s, n in zip(other.score, other.n_target, strict=True)
        }
        if not sources and weight is None:
            assert (one.total_target, one.total_nontarget) == (3, 3)


def test_sources_together_are_drawn_as_alone():
    one = trials([1, 2, 2, 3, 2, 5], [1, 1, 1, 0, 0, 0], sources=list("aabbcc"))
    for number in range(5):
        (drawn,) = together([one]).draw(np.random.default_rng(number))
        assert drawn.counts() == by_source(one).draw(np.random.default_rng(number)).counts()


def test_by_trial_together_draws_what_by_trial_alone_does_in_the_mean():
    one = trials([1, 2, 2, 3, 2, 5], [1, 1, 1, 0, 0, 0])
    drawn = figures_of_draws(together([one, one]), [each(AUC)(["auc"])] * 2, 1, replicates=4000, seed=1)
    assert drawn.shape == (4000, 2, 1)
    assert (drawn[:, 0] == drawn[:, 1]).all()
    assert drawn.mean() == pytest.approx(db.auc(db.count(one)), abs=0.01)


def test_apart_draws_each_by_itself():
    one = trials([1, 2, 2, 3, 2, 5], [1, 1, 1, 0, 0, 0])
    drawn = figures_of_draws(apart([one, one]), [each(AUC)(["auc"])] * 2, 1, replicates=200, seed=1)
    assert (drawn[:, 0] != drawn[:, 1]).mean() > 0.5


@pytest.mark.parametrize("weight", [None, [1.0, 2.0, 1.0, 0.5, 1.0, 2.0]])
def test_every_swap_by_brute_force(weight):
    labels = [1, 1, 1, 0, 0, 0]
    a, b = np.array([9.0, 8.0, 4.0, 6.0, 2.0, 1.0]), np.array([7.0, 3.0, 5.0, 4.0, 9.0, 6.0])
    pair = pair_up(trials(a, labels, weight=weight), trials(b, labels, weight=weight))
    statistic = each({"auc": db.auc, "eer": db.eer})(["auc", "eer"])
    for swap in itertools.product([0, 1], repeat=6):
        swapped = np.array(swap, dtype=bool)
        one = db.count(trials(np.where(swapped, b, a), labels, weight=weight))
        other = db.count(trials(np.where(swapped, a, b), labels, weight=weight))
        expected = [db.auc(one) - db.auc(other), db.eer(one) - db.eer(other)]
        assert pair.difference(statistic, swapped) == pytest.approx(expected, rel=1e-13, abs=1e-15)


def test_random_swaps_tend_to_all_swaps():
    labels = [1, 1, 1, 0, 0, 0]
    a, b = midranks([9, 8, 4, 6, 2, 1]), midranks([7, 3, 5, 4, 9, 6])
    pair, statistic = pair_up(trials(a, labels), trials(b, labels)), each(AUC)(["auc"])
    observed = pair.difference(statistic, np.zeros(6))[0]
    assert observed == 8 / 9 - 3 / 9
    every = [pair.difference(statistic, np.array(s))[0] for s in itertools.product([0, 1], repeat=6)]
    exact = np.mean(np.abs(every) >= observed * (1 - 1e-12))
    drawn = swapped_differences([(pair, statistic)], 1, draws=4000, seed=3)
    assert p_of_swaps(observed, drawn[:, 0]) == pytest.approx(exact, abs=0.03)


def test_p_of_swaps():
    assert p_of_swaps(0.2, np.array([0.1, -0.2, 0.3, math.nan])) == 4 / 5
    assert p_of_swaps(0.0, np.array([0.0, 0.1])) == 1.0
    assert p_of_swaps(0.1 + 0.2, np.array([0.3, 0.1])) == 2 / 3, "equal but for rounding"


def test_p_of_replicates():
    drawn = np.array([0.1, 0.2, 0.3, -0.1, math.nan])
    assert p_of_replicates(0.2, drawn, reflected=False) == 2 * 2 / 5
    assert p_of_replicates(-0.2, -drawn, reflected=False) == 2 * 2 / 5
    # Reflected at 0.2: 0.3, 0.2, 0.1, 0.5.
    assert p_of_replicates(0.2, drawn, reflected=True) == 2 * 1 / 5
    assert p_of_replicates(0.0, drawn, reflected=False) == 1.0
    assert p_of_replicates(0.1, np.array([0.0, 0.0]), reflected=False) == 1.0
    assert math.isnan(p_of_replicates(0.1, np.array([math.nan]), reflected=False))
    assert math.isnan(p_of_replicates(math.inf, drawn, reflected=False))
