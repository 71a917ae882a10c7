"""Trials and Counts own their data: nothing that the caller does to an array later changes a figure."""

import copy
import pickle
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest

import deciban as db
from deciban.values.arrays import owned, same_content
from tests.test_curves_records import DATA, MAKERS, banded, ln_lrs

N = 6


def columns():
    return {
        "scores": np.array([0.9, 0.6, 0.4, 0.8, 0.4, 0.1]),
        "labels": np.array([1, 1, 1, 0, 0, 0], dtype=bool),
        "weight": np.array([1.0, 2.0, 1.0, 1.0, 0.5, 1.0]),
        "sources": np.array([1, 2, 3, 1, 2, 3]),
        "ids": np.arange(N),
        "conditions": {"x": np.array([0.0, 1.0, np.nan, 1.0, 0.0, 1.0])},
    }


def arrays(record):
    for field in fields(record):
        value = getattr(record, field.name)
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else [value]
        yield from (part for part in parts if isinstance(part, np.ndarray))


def scribble(given):
    for column in given.values():
        if isinstance(column, dict):
            scribble(column)
        else:
            column[:] = column[0]


def frozen(record):
    return not any(array.flags.writeable for array in arrays(record))


@pytest.mark.parametrize("labels", [np.bool_, np.int64])
def test_trials_do_not_change_with_the_arrays_they_came_from(labels):
    first, second = columns(), columns()
    for given in (first, second):
        given["labels"] = given["labels"].astype(labels)
    trials, same = (db.Trials.from_arrays(**given) for given in (first, second))
    scribble(first)
    assert trials == same
    assert frozen(trials)


def test_a_read_only_view_of_something_that_changes():
    score = np.array([0.9, 0.6, 0.4])
    view = score.view()
    view.flags.writeable = False
    trials = db.Trials.from_arrays(view, [1, 0, 1])
    frame = pd.DataFrame({"score": score, "label": [1, 0, 1]})
    table = db.scan(frame).trials()
    score[:] = 0.0
    frame.loc[:, "score"] = 0.0
    assert trials.score.tolist() == table.score.tolist() == [0.9, 0.6, 0.4]


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_counts_do_not_change_with_the_arrays_they_came_from(kind):
    score, n1, n0 = np.array([0.1, 0.5, 0.9]), np.array([1, 0, 2], dtype=kind), np.array([0, 2, 1], dtype=kind)
    counts = db.Counts(score, n1, n0, weighted=kind is np.float64)
    more = [np.array([3, 1, 1], dtype=kind), np.array([1, 1, 1], dtype=kind)]
    other = counts.reweighted(*more)
    auc = db.auc(counts), db.auc(other)
    for array in (score, n1, n0, *more):
        array[:] = 7
    assert (db.auc(counts), db.auc(other)) == auc
    assert frozen(counts)
    assert frozen(other)


def test_what_nobody_can_change_is_not_copied():
    counts = db.Counts.from_classes([3, 4], [1, 2])
    again = db.Counts(counts.score, counts.n_target, counts.n_nontarget)
    assert again.score is counts.score
    trials = db.Trials.from_arrays(counts.score, [1, 0, 1, 0])
    assert np.shares_memory(trials.score, counts.score)
    assert owned(np.ma.array([1.0], mask=[True])) is not None


def copies(record):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(record, protocol))
    yield copy.copy(record)
    yield copy.deepcopy(record)


def test_copies_are_equal_and_cannot_be_written_to():
    given = columns()
    trials = db.Trials.from_arrays(given["scores"], given["labels"], higher="nontarget", conditions=given["conditions"])
    weighted = db.Counts.from_arrays(given["scores"], given["labels"], weight=given["weight"])
    for record in (trials, db.count(trials), weighted):
        for other in copies(record):
            assert other == record
            assert frozen(other)
            assert repr(other) == repr(record)


@MAKERS
def test_curves_equal_their_copies_and_no_others(make):
    curve = make(ln_lrs(DATA))
    for record in (curve, banded(curve)):
        for other in (*copies(record), type(record).from_json(record.to_json())):
            assert other == record
            assert frozen(other)
    assert curve != banded(curve)
    assert curve != make(ln_lrs(([3.0, 1.0], [2.0])))
    assert curve != "a curve"
    with pytest.raises(TypeError, match="unhashable"):
        hash(curve)


def test_trials_are_equal_by_content():
    given = columns()
    first, second = (
        db.Trials.from_arrays(given["scores"], given["labels"], conditions={"x": ["a", None, "b", np.nan, "a", "a"]})
        for _ in range(2)
    )
    assert first == second
    assert first != replace(second, scale="ln_lr")
    assert first != replace(second, row=np.arange(N))
    assert first != first.select(np.arange(N - 1))
    assert first != "trials"


def test_content():
    masked = np.ma.array([1.0, 2.0], mask=[True, False])
    assert same_content(masked, np.ma.array([9.0, 2.0], mask=[True, False]))
    assert not same_content(masked, np.array([1.0, 2.0]))
    assert not same_content(np.array([1, 2]), np.array([1.0, 2.0]))
    assert same_content({"a": (np.array(["x"]),)}, {"a": (np.array(["x"]),)})
    assert not same_content({"a": 1}, {"b": 1})
