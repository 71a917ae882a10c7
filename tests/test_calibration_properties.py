"""What must hold for every calibrator, whatever the data; a new one is covered by being listed."""

import inspect
import math
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.calibration.bounds import BY
from deciban.calibration.kinds import PlainCalibrator
from deciban.errors import InputError, UndefinedMetricError
from tests.calibrators import BOUNDED, EVERY, INCREASING, PLAIN, sample

INF = math.inf
HUNT = settings().max_examples > 100
every_calibrator = pytest.mark.parametrize("calibrator", EVERY, ids=lambda calibrator: repr(calibrator)[:60])
few = settings(max_examples=500 if HUNT else 15)

FINITE = st.one_of(st.sampled_from([-3.0, -1.0, 0.0, 0.5, 1.0, 30.0]), st.floats(-1e6, 1e6), st.floats(-5, 5))
ANY = st.one_of(FINITE, st.floats(allow_nan=False), st.sampled_from([-INF, INF]))
LISTS = st.lists(FINITE, min_size=2, max_size=12)


def fitted(calibrator, targets, nontargets):
    """A calibration; data that it refuses for a reason it gives are not looked at further."""
    try:
        return calibrator.fit(db.Counts.from_classes(targets, nontargets, scale="ln_lr"))
    except UndefinedMetricError:
        assume(False)
        raise


def test_every_calibrator_and_every_bound_is_tried():
    assert {type(calibrator) for calibrator in PLAIN} == set(get_args(PlainCalibrator))
    assert {calibrator.by for calibrator in BOUNDED} == set(BY)
    assert {type(calibrator).__name__ for calibrator in EVERY} == {name for name in db._HOME if "Calibrator" in name}


@every_calibrator
@few
@given(targets=LISTS, nontargets=LISTS, at=st.lists(ANY, min_size=1, max_size=12))
def test_a_map_without_nan_that_keeps_its_inputs(calibrator, targets, nontargets, at):
    calibration = fitted(calibrator, targets, nontargets)
    given_scores = np.array(at)
    before = given_scores.copy()
    got = calibration.transform(given_scores)
    assert given_scores.tobytes() == before.tobytes()
    if np.isnan(got).any():
        assert calibration.plain.kind == "isotonic"  # between a block of nontargets only and one of targets only
        assert not calibration.supported(given_scores)[np.isnan(got)].any()
        return
    # Each score by itself has the LR that it has among others.
    assert [float(calibration.transform([x])[0]) for x in at] == got.tolist()
    # Certainty comes from infinite scores, and from pure blocks.
    if calibration.plain.kind != "isotonic":
        assert np.isfinite(got[np.isfinite(given_scores)]).all()
    if calibration.bounds is not None:
        inside = calibration.bounds
        assert (got >= math.log(inside.lower)).all()
        assert (got <= math.log(inside.upper)).all()
        assert 0 < inside.lower <= 1 <= inside.upper


@every_calibrator
@few
@given(targets=LISTS, nontargets=LISTS, at=st.lists(ANY, min_size=2, max_size=12))
def test_maps_that_should_rise_do(calibrator, targets, nontargets, at):
    calibration = fitted(calibrator, targets, nontargets)
    plain, model = calibration.plain, calibration.model
    slope = getattr(model, "slope", 0.0)
    if plain.kind == "gaussian":
        slope = model.target_from_centre - model.nontarget_from_centre
    equal = getattr(plain, "equal_variance", None)
    if plain.kind == "kde" or equal is False:
        return
    got = calibration.transform(sorted(at))
    got = got[~np.isnan(got)]
    if plain.kind in INCREASING or slope >= 0:
        assert all(a <= b for a, b in pairwise(got))
    else:
        assert all(a >= b for a, b in pairwise(got))


@pytest.mark.parametrize("calibrator", [one for one in PLAIN if one.finite_only], ids=lambda one: repr(one)[:60])
@few
@given(targets=LISTS, nontargets=LISTS)
def test_infinite_scores_have_the_limit(calibrator, targets, nontargets):
    # Differences of 1e-300 would show only beyond the largest double.
    calibration = fitted(calibrator, np.round(targets, 3), np.round(nontargets, 3))
    for sign in (-1, 1):
        far, limit = calibration.transform([sign * 1e300, sign * INF])
        want = far if abs(far) < 1e100 else math.copysign(INF, far)
        assert limit == pytest.approx(want, rel=1e-12, abs=1e-12)


@every_calibrator
@few
@given(targets=LISTS, nontargets=LISTS, seed=st.integers(0, 99))
def test_the_order_of_rows_changes_nothing(calibrator, targets, nontargets, seed):
    calibration = fitted(calibrator, targets, nontargets)
    order = np.random.default_rng(seed).permutation(len(targets) + len(nontargets))
    scores, labels = np.array(targets + nontargets), np.arange(order.size) < len(targets)
    shuffled = db.Trials.from_arrays(scores[order], labels[order], scale="ln_lr")
    assert calibrator.fit(shuffled) == calibration


@every_calibrator
def test_missing_scores_are_refused_by_row(calibrator):
    calibration = calibrator.fit(sample())
    at = [-INF, 0.5, INF]
    for row in (1, 2, 4):
        with pytest.raises(InputError, match=rf"1 missing \(NaN or null\) at row {row};"):
            calibration.transform([*at[: row - 1], math.nan, *at[row - 1 :]])


@every_calibrator
@few
@given(targets=LISTS, nontargets=LISTS)
def test_records_come_back(calibrator, targets, nontargets):
    calibration = fitted(calibrator, targets, nontargets)
    again = db.Calibration.from_json(calibration.to_json())
    assert again == calibration
    assert again.model == calibration.model
    assert again.model != calibration.training
    assert again.transform(targets[:0]).tolist() == []
    counts = db.Counts.from_classes(targets, nontargets, scale="ln_lr")
    assert again.apply(counts, allow_leak=True) == calibration.apply(counts, allow_leak=True)


@pytest.mark.parametrize("name", sorted(name for name in db._HOME if "Calibrator" in name))
def test_calibrators_say_what_they_do(name):
    document = inspect.getdoc(getattr(db, name)) or ""
    lines = document.splitlines()
    found = [a for a, b in pairwise(lines) if a and set(b) == {"-"} and len(a) == len(b)]
    assert found == ["Parameters", "Raises", "Notes", "References", "Examples"]
    for parameter in inspect.signature(getattr(db, name)).parameters:
        assert parameter == "kind" or parameter in document
    assert "reason" in document or "raises" in document
