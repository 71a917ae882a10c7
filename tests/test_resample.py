"""Replicates are what counting the drawn trials would give, drawn from the right places in the right numbers."""

import os
from functools import partial
from multiprocessing import active_children

import numpy as np
import pytest

import deciban as db
from deciban.counts.columns import MAX_PAIRS
from deciban.errors import InputError, NeedsTrialsError, OptionError, UndefinedMetricError
from deciban.uncertainty.bootstrap.repeat import child, repeat
from deciban.uncertainty.bootstrap.replicate import Blocks, each
from deciban.uncertainty.bootstrap.resample import by_trial
from deciban.uncertainty.bootstrap.sources import by_source

DISTINCT = db.Counts.from_classes([3, 5, 7, 8, 9], [1, 2, 4, 6], scale="ln_lr")
TIED = db.Counts([1, 2, 3, 4], [1, 3, 0, 4], [2, 2, 5, 0])
HEAVY = db.Counts([1, 2, 3], [30, 0, 200], [100, 40, 0])


def repeated(counts, replicate):
    """Count the scores of a replicate written out one by one."""
    blocks = replicate.blocks
    columns = (blocks.target_at, replicate.n_target), (blocks.nontarget_at, replicate.n_nontarget)
    return db.Counts.from_classes(*(np.repeat(counts.score[at], n) for at, n in columns), scale=counts.scale)


@pytest.mark.parametrize("counts", [DISTINCT, TIED, HEAVY])
def test_a_replicate_is_the_count_of_the_drawn_trials(counts):
    resampling = by_trial(counts)
    for number in range(20):
        replicate = resampling.draw(child(7, number))
        drawn = replicate.counts()
        assert drawn == repeated(counts, replicate)
        assert drawn.sha256() == repeated(counts, replicate).sha256()
        assert (drawn.total_target, drawn.total_nontarget) == (counts.total_target, counts.total_nontarget)
        assert set(drawn.score) <= set(counts.score)
        assert not any(column.flags.writeable for column in (drawn.score, drawn.n_target, drawn.n_nontarget))


@pytest.mark.parametrize("counts", [DISTINCT, TIED, HEAVY])
def test_each_class_is_drawn_from_itself_with_multinomial_spread(counts):
    rng = np.random.default_rng(3)
    resampling = by_trial(counts)
    replicates = [resampling.draw(rng) for _ in range(4000)]
    for column in ("n_target", "n_nontarget"):
        drawn = np.array([getattr(replicate, column) for replicate in replicates])
        n = getattr(resampling.blocks.observed(), column)
        spread = n * (1 - n / n.sum())
        assert drawn.mean(axis=0) == pytest.approx(n, abs=5 * np.sqrt(spread.max() / 4000))
        assert drawn.var(axis=0) == pytest.approx(spread, rel=0.15)


def test_a_class_of_none_stays_empty():
    one = db.Counts([1, 2], [2, 1], [0, 0])
    assert by_trial(one).draw(np.random.default_rng(0)).counts().total_nontarget == 0


def test_weighted_trials_are_drawn_and_carry_their_weight():
    score, label, weight = [1, 2, 2, 3, 3, 5], [1, 0, 0, 1, 1, 0], np.array([0.5, 2.0, 4.0, 0.25, 8.0, 0.0])
    trials = db.Trials.from_arrays(score, label, weight=weight)
    resampling = by_trial(trials)
    assert resampling.blocks.counts == db.count(trials)
    seen = set()
    for number in range(200):
        replicate = resampling.draw(child(1, number))
        seen.add(replicate.n_nontarget.tolist()[0])
        assert replicate.counts().weighted
    assert seen == {4.0, 6.0, 8.0}  # two of the nontargets of weight 2 and 4; that of weight 0 is absence
    left = [resampling.without(0, unit).n_target.tolist() for unit in range(3)]
    assert left == [[0.0, 8.25], [0.5, 8.0], [0.5, 0.25]]


def test_sums_of_weights_cannot_be_drawn():
    with pytest.raises(UndefinedMetricError, match="give the trials") as caught:
        by_trial(db.Counts([1, 2], [1.0, 2.0], [1.5, 0.0], weighted=True))
    assert caught.value.reason == "weighted"


def test_without_one_trial():
    resampling = by_trial(TIED)
    assert [units.tolist() for units in resampling.strata()] == [[1, 3, 4], [2, 2, 5]]
    assert resampling.without(0, 1).n_target.tolist() == [1, 2, 4]
    assert resampling.without(1, 2).n_nontarget.tolist() == [2, 2, 4]
    assert resampling.blocks.counts == TIED


def test_too_many_pairs_are_refused():
    counts = db.Counts([1, 2], [2, 1], [1, 2])
    with pytest.raises(InputError, match=r"2\^62"):
        counts.reweighted(np.array([MAX_PAIRS, 0]), np.array([0, 1]))


def brute_force(trials, times_a, times_b, same_source):
    """Repeat each trial as often as its sources were drawn."""
    rows = []
    for row in range(len(trials)):
        a, *b = (column[row] for column in trials.sources)
        if b and a == b[0]:
            weight = times_a[a] ** 2 if same_source == "ferrer" else times_a[a]
        else:
            weight = times_a[a] * (times_b[b[0]] if b else 1)
        rows += [row] * weight
    return db.count(trials.select(np.array(rows, dtype=np.intp)))


def drawn_counts(names, seed_generator):
    """The draws of one pool, as by_source makes them: sources numbered in sorted order."""
    names = sorted(names)
    drawn = np.bincount(seed_generator.integers(0, len(names), len(names)), minlength=len(names))
    return dict(zip(names, drawn.tolist(), strict=True))


@pytest.mark.parametrize("same_source", ["once", "ferrer"])
@pytest.mark.parametrize("kind", ["one column", "one pool", "two pools"])
def test_source_weights_by_brute_force(kind, same_source):
    rng = np.random.default_rng(5)
    n = 60
    first = rng.choice(["a", "b", "c", "d"], n)
    second = rng.choice(["a", "b", "e"] if kind == "one pool" else ["x", "y", "z"], n)
    score = np.round(rng.normal(size=n), 1)
    label = rng.random(n) < 0.4
    sources = first if kind == "one column" else (first, second)
    trials = db.Trials.from_arrays(score, label, sources=sources)
    resampling = by_source(trials, same_source=same_source)
    assert resampling.blocks.counts == db.count(trials)
    for number in range(30):
        again = child(9, number)
        if kind == "one pool":
            times_a = times_b = drawn_counts({*first, *second}, again)
        else:
            times_a, times_b = drawn_counts({*first}, again), drawn_counts({*second}, again)
        expected = brute_force(trials, times_a, times_b, same_source)
        assert resampling.draw(child(9, number)).counts() == expected
    without_b = brute_force(trials, dict.fromkeys(first, 1) | {"b": 0}, dict.fromkeys([*first, *second], 1), "once")
    if kind != "one pool":
        assert resampling.without(0, 1).counts() == without_b
    else:
        keep = (first != "b") & (second != "b")
        assert resampling.without(0, 1).counts() == db.count(trials.select(keep))


def test_weighted_trials_of_drawn_sources():
    trials = db.Trials.from_arrays([1, 1, 2, 3], [0, 0, 1, 1], sources=list("abab"), weight=[0.5, 1.5, 1.0, 3.0])
    resampling = by_source(trials)
    for number in range(10):
        times = drawn_counts("ab", child(0, number))
        replicate = resampling.draw(child(0, number))
        assert replicate.n_nontarget.tolist() == [times["a"] * 0.5 + times["b"] * 1.5]
        assert replicate.n_target.tolist() == [times["a"] * 1.0, times["b"] * 3.0]


@pytest.mark.parametrize(
    ("first", "second", "pools"),
    [
        ([1, 2, 3], [1, 4, 5], (5,)),
        ([1, 2, 3], [4, 5, 6], (3, 3)),
        ([1, 2, 3], ["2", "x", "y"], (5,)),  # a reader took the first column for numbers
        (np.array([1, "m", 2.0], dtype=object), ["2", "x", "y"], (5,)),
        ([1.0, 2.0, 2.0], [1, 1, 1], (2,)),
        ([1, 2, 2], None, (2,)),
    ],
)
def test_two_columns_share_a_pool_when_an_id_is_in_both(first, second, pools):
    trials = db.Trials.from_arrays([1, 2, 3], [1, 0, 0], sources=first if second is None else (first, second))
    assert by_source(trials).pools == pools


def test_sources_must_be_known():
    plain = db.Trials.from_arrays([1, 2], [0, 1])
    for data in (plain, db.count(plain)):
        with pytest.raises(NeedsTrialsError, match="sources="):
            by_source(data)
    for column in (np.array(["a", None], dtype=object), np.array([1.0, np.nan])):
        with pytest.raises(InputError, match=r"sources 1: 1 without a source \(row 2\)"):
            by_source(db.Trials.from_arrays([1, 2], [0, 1], sources=column))
    with pytest.raises(OptionError, match="once, ferrer"):
        by_source(db.Trials.from_arrays([1, 2], [0, 1], sources=["a", "b"]), same_source="twice")


def test_child_is_the_spawned_one():
    spawned = np.random.SeedSequence(11).spawn(4)[3]
    assert child(11, 3).integers(0, 2**40) == np.random.default_rng(spawned).integers(0, 2**40)


@pytest.mark.parametrize("workers", [1, 2])
def test_rounds_are_in_order_and_told(workers):
    told = []
    result = repeat(int.as_integer_ratio, 150, 2, workers=workers, progress=lambda *at: told.append(at))
    assert result.tolist() == [[number, 1] for number in range(150)]
    assert told[-1] == (150, 150)
    assert sorted(told) == told


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_ends_the_rounds_and_the_workers(workers):
    with pytest.raises(ZeroDivisionError):
        repeat(partial(divmod, 100), 3000, 2, workers=workers)
    assert not active_children()


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interruption_ends_the_rounds_and_the_workers(workers):
    told = []

    def interrupted(done, whole):
        told.append(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        repeat(int.as_integer_ratio, 3000, 2, workers=workers, progress=interrupted)
    assert len(told) == 1
    assert not active_children()


def test_a_worker_that_dies_is_an_error():
    with pytest.raises(OptionError, match="a process died"):
        repeat(os._exit, 4, 1, workers=2)
    assert not active_children()


def test_work_that_cannot_be_sent():
    with pytest.raises(OptionError, match="workers=1"):
        repeat(lambda number: [number], 4, 1, workers=2)


def test_undefined_is_nan():
    observed = Blocks.of(db.Counts([1.0], [1], [0])).observed()
    assert np.isnan(each({"auc": db.auc})(["auc"])(observed)[0])
