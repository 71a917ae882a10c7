"""The coverage study: its truths, its statistic, a short run, and the page that lies in the repository."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import deciban as db
from deciban.counts.of_trials import count_trials
from deciban.passes.simulate import bigaussian_figures
from deciban.uncertainty.bootstrap.repeat import child
from deciban.uncertainty.bootstrap.resample import by_trial as trials_alone
from studies.coverage.cells import CELLS, FIFTY, INDEPENDENT, SOURCES, TWO_WAY, Cell, times
from studies.coverage.defaults import TITLES, default
from studies.coverage.figures import FIGURES, Statistic
from studies.coverage.methods import BY_TRIAL
from studies.coverage.picture import draw
from studies.coverage.run import read, run, run_cell
from studies.coverage.table import page
from studies.coverage.tally import Tally
from studies.coverage.truth import P_FA, cells, truths
from studies.coverage.worlds import Size, World, all_pairs

ROOT = Path(__file__).resolve().parents[1]
CALIBRATED = World(name="calibrated", sigma=2.0)
BOLD = World(name="too bold", sigma=2.0, scale=1.5, shift=1.0)
ROUNDED = World(name="rounded", sigma=2.0, scale=0.8, shift=-0.3, decimals=1)


def metrics(counts: db.Counts, share: float) -> list[float]:
    """The figures of the study by the metrics themselves."""
    return [
        *(function(counts) for function in (db.auc, db.eer, db.cllr, db.cllr_min, db.cllr_cal, db.average_precision)),
        db.p_miss_at(counts, p_fa=P_FA),
        db.brier(counts, p_target=share),
        db.accuracy(counts, threshold=0.0),
    ]


def test_truth_of_calibrated_lrs_is_the_known_one():
    found, known = truths(CALIBRATED, 0.3), bigaussian_figures(2.0)
    assert (found["auc"], found["eer"], found["cllr"]) == pytest.approx((known.auc, known.eer, known.cllr), rel=1e-12)
    assert found["cllr_cal"] == pytest.approx(0.0, abs=1e-12)
    assert found["accuracy"] == pytest.approx(1.0 - known.eer)


@pytest.mark.parametrize("world", [CALIBRATED, BOLD, ROUNDED], ids=lambda world: world.name)
def test_truth_is_what_many_trials_give(world):
    size = Size(n_target=200_000, n_nontarget=400_000)
    found = metrics(count_trials(world.draw(size, np.random.default_rng(5))), size.share)
    assert found == pytest.approx(list(truths(world, size.share).values()), abs=0.004)


def test_truth_of_rounded_scores_is_that_of_their_probabilities():
    score, target, nontarget = cells(ROUNDED)
    assert (target.sum(), nontarget.sum()) == pytest.approx((1.0, 1.0))
    weights = db.Counts(score, target * 0.3, nontarget * 0.7, "log10_lr", weighted=True)
    assert metrics(weights, 0.3) == pytest.approx(list(truths(ROUNDED, 0.3).values()), abs=1e-9)


@pytest.mark.parametrize("world", [BOLD, ROUNDED], ids=lambda world: world.name)
def test_the_statistic_is_the_metrics(world):
    size = Size(n_target=30, n_nontarget=250)
    resampling = trials_alone(world.draw(size, child(1, 1)))
    statistic = Statistic(resampling.blocks, size.share)
    for number in range(20):
        replicate = (resampling.draw if number % 2 else resampling.half)(child(2, number))
        assert statistic(replicate) == pytest.approx(metrics(replicate.counts(), size.share), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("cell", SOURCES, ids=lambda cell: cell.name)
def test_sources_leave_each_trial_as_it_is(cell):
    rng = np.random.default_rng(6)
    drawn = [cell.world.draw(cell.size, rng) for _ in range(40)]
    trials = drawn[0]
    assert (trials.is_target.sum(), (~trials.is_target).sum()) == (cell.size.n_target, cell.size.n_nontarget)
    assert len(np.unique(np.concatenate(trials.sources))) == cell.size.sources
    for of_class, middle in ((trials.is_target, 2.0), (~trials.is_target, -2.0)):
        scores = np.array([one.score[of_class] for one in drawn])
        assert scores.mean() == pytest.approx(middle, abs=0.3)
        assert ((scores - middle) ** 2).mean() == pytest.approx(4.0, rel=0.1)


def test_tally():
    tally = Tally()
    for low, high in ((0.1, 0.3), (0.25, 0.3), (0.0, 0.1), (0.2, 0.4)):
        tally.add(db.Interval(low=low, high=high, level=0.95, method="x"), 0.2)
    tally.add(None, 0.2)
    assert (tally.made, tally.missing, tally.held, tally.below, tally.above) == (4, 1, 2, 1, 1)
    assert tally.coverage == 0.5
    assert math.isnan(Tally().coverage)


def test_short_form_of_independent_trials():
    """Closed forms alone are quick: 400 data sets, limits of three standard errors around what the long form found."""
    cell = Cell(world=CALIBRATED, size=FIFTY, data_sets=400, jackknifed=0, replicates=1, halves=1)
    tallies = run_cell(cell, seed=1)
    for figure, method in (("accuracy", "wilson"), ("cllr", "class-means-hall"), ("auc", "delong-logit")):
        tally = tallies[figure, method]
        assert tally.made == 400
        assert tally.coverage == pytest.approx(0.955, abs=3 * math.sqrt(0.955 * 0.045 / 400))
    assert tallies["cllr", "class-means"].below > 2 * tallies["cllr", "class-means"].above


def test_short_form_of_shared_sources():
    """What takes trials that share sources for independent ones promises too much."""
    cell = Cell(world=TWO_WAY, size=all_pairs(30, 3), data_sets=60, jackknifed=0, replicates=80, halves=1)
    tallies = run_cell(cell, seed=1)
    alone, known = tallies["auc", "delong-logit" + BY_TRIAL], tallies["auc", "percentile"]
    assert alone.coverage < 0.85
    assert known.coverage > alone.coverage + 0.08
    assert known.width > 1.2 * alone.width


def test_what_is_done_is_not_done_again(tmp_path):
    kept = tmp_path / "results.jsonl"
    few = [replace(cell, data_sets=2, jackknifed=1, replicates=10, halves=10) for cell in (INDEPENDENT[0], SOURCES[0])]
    assert [cell for cell, _ in run(few[:1], 3, kept)] == few[:1]
    before = kept.read_text(encoding="utf-8")
    assert [cell for cell, _ in run(few, 3, kept)] == few[1:]
    assert kept.read_text(encoding="utf-8").startswith(before)
    assert read(kept)[few[0].name] == run_cell(few[0], 3)
    more = times(few[0], 2.0)
    assert (more.data_sets, more.jackknifed) == (4, 2)
    list(run([more], 3, kept))
    assert read(kept)[more.name]["auc", "percentile"].made == 4
    assert "two-way" not in page(read(kept)).partition("## Defaults")[2]
    draw(read(kept))


def test_command(tmp_path):
    command = [sys.executable, "-W", "error", "-m", "studies.coverage", "--times", "0.005", "--only", "20 + 20"]
    done = subprocess.run(
        [*command, "--results", str(tmp_path / "r.jsonl"), "--folder", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("2 data sets") == 2
    assert (tmp_path / "coverage.md").exists()
    assert (tmp_path / "coverage.svg").exists()


RESULTS = read(ROOT / "studies" / "coverage" / "results.jsonl")


def test_the_page_is_made_of_the_results():
    assert page(RESULTS) == (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8"), "run make coverage"
    assert set(RESULTS) == {cell.name for cell in CELLS}


def test_defaults_are_methods_of_the_study():
    for cell in CELLS:
        assert {(figure, default(figure, cell)) for figure in FIGURES} <= set(RESULTS[cell.name])
    assert tuple(TITLES) == FIGURES


def test_the_picture_is_small():
    kept = ROOT / "docs" / "coverage.svg"
    assert kept.stat().st_size < 400_000
    assert re.search(r"<!-- min -->|<!-- min Cllr -->", kept.read_text(encoding="utf-8"))
