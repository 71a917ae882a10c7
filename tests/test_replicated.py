"""The fast way to six figures gives what the metrics give."""

import numpy as np
import pytest

import deciban as db
from deciban.passes.pool import pool
from deciban.uncertainty.bootstrap.bootstrap import Figure, bootstrap
from deciban.uncertainty.bootstrap.replicate import Blocks, Replicate, each
from deciban.uncertainty.bootstrap.resample import by_trial
from deciban.uncertainty.bootstrap.sources import by_source
from deciban.uncertainty.interval import Interval
from deciban.workflow.intervals import replicated
from deciban.workflow.intervals.replicated import FAST, FastFigures, Figures

METRICS = {name: getattr(db, name) for name in FAST}


def random_counts(rng, scale="ln_lr"):
    n = int(rng.choice([3, 6, 40, 600]))
    label = np.arange(n) < max(1, int(n * rng.choice([0.1, 0.5, 0.8])))
    score = rng.normal(size=n) + np.where(label, 1, -1) * rng.choice([0, 1, 3, -1])
    if rng.random() < 0.6:
        score = np.round(score, int(rng.choice([0, 1])))
    if rng.random() < 0.3:
        score[rng.integers(n)], score[rng.integers(n)] = np.inf, -np.inf
    return db.Counts.from_arrays(score, label, scale=scale)


def agree(fast, plain):
    for ours, theirs in zip(fast, plain, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("seed", range(40))
def test_fast_figures_equal_the_metrics(seed):
    rng = np.random.default_rng(seed)
    resampling = by_trial(random_counts(rng))
    fast, plain = FastFigures(resampling.blocks, FAST), each(METRICS)(FAST)
    for replicate in (resampling.blocks.observed(), *(resampling.draw(rng) for _ in range(4))):
        agree(fast(replicate), plain(replicate))


def test_fast_figures_where_a_class_is_gone():
    trials = db.Trials.from_arrays([3, 1, 2, 0], [1, 0, 1, 0], sources=list("abab"), scale="ln_lr")
    resampling = by_source(trials)
    observed = resampling.blocks.observed()
    gone = Replicate(resampling.blocks, observed.n_target, 0 * observed.n_nontarget)
    assert np.isnan(FastFigures(resampling.blocks, FAST)(gone)).all()


def test_fast_figures_near_the_largest_double():
    counts = db.Counts.from_classes([-1.7e308, -1.7e308, 1.0], [1.7e308, 1.0], scale="ln_lr")
    blocks = Blocks.of(counts)
    agree(FastFigures(blocks, FAST)(blocks.observed()), each(METRICS)(FAST)(blocks.observed()))


def test_raw_scores_have_no_cllr():
    blocks = Blocks.of(random_counts(np.random.default_rng(1), scale="score"))
    assert np.isnan(FastFigures(blocks, ["cllr", "auc"])(blocks.observed())).tolist() == [True, False]


def test_hull_pooled_one_by_one_is_the_same(monkeypatch):
    monkeypatch.setattr(replicated, "ROUNDS", 1)
    for seed in range(20):
        counts = random_counts(np.random.default_rng(seed))
        blocks = Blocks.of(counts)
        agree(FastFigures(blocks, FAST)(blocks.observed()), each(METRICS)(FAST)(blocks.observed()))
        fn, _ = replicated._hull(np.append(0, np.cumsum(counts.n_target)), np.append(0, np.cumsum(counts.n_nontarget)))
        assert np.diff(fn).tolist() == pool(counts).n_target.tolist()


def test_statistic_of_any_figures_is_that_of_the_metrics():
    counts = random_counts(np.random.default_rng(4))
    blocks = Blocks.of(counts)
    figures = Figures(blocks, 0.25)
    found = figures(["auc", "cllr", "brier", "rmed:k=10"])(blocks.observed())
    assert found == [db.auc(counts), db.cllr(counts), db.brier(counts, p_target=0.25), db.rmed(counts, k=10)]
    fast = figures(["cllr", "auc"])
    assert isinstance(fast, FastFigures)
    agree(fast(blocks.observed()), [db.cllr(counts), db.auc(counts)])


def test_weighted_counts_take_the_plain_way():
    trials = db.Trials.from_arrays([3, 1, 2, 0, 1], [1, 0, 1, 0, 1], weight=[0.5, 1, 2, 0.25, 3])
    resampling = by_trial(trials)
    figures = Figures(resampling.blocks, None)
    assert not isinstance(figures(["auc"]), FastFigures)
    found = bootstrap(resampling, figures, [Figure(name="auc", range=(0, 1))], replicates=50)["auc"]
    assert isinstance(found, Interval)
    assert 0 <= found.low < found.high <= 1


@pytest.mark.parametrize("names", [FAST, ("auc", "elub.lower", "calibration_error:norm=l2", "eer:method=interpolated")])
def test_workers_give_the_same(names):
    counts = random_counts(np.random.default_rng(8))
    resampling = by_trial(counts)
    figures = [Figure(name=name, range=(0, np.inf), method="bca" if name == "auc" else "percentile") for name in names]
    one, two = (
        bootstrap(resampling, Figures(resampling.blocks, 0.5), figures, replicates=70, workers=n) for n in (1, 2)
    )
    assert one == two
    assert isinstance(one["auc"], Interval)
