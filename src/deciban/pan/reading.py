"""Arrays and labels 0/1 to counts: what every function of :mod:`deciban.pan` does first."""

from __future__ import annotations

import numpy as np

from deciban.counts.counts import Counts
from deciban.counts.of_trials import count_trials
from deciban.errors import InputError, Problems, counted, listing, rows
from deciban.trials.labels import census
from deciban.trials.trials import Trials
from deciban.values.arrays import Bools, Floats, as_floats, same_index, same_length
from deciban.values.scale import Scale, domain_fault


def count_arrays(values: object, y: object, name: str, scale: Scale) -> Counts:
    """Count values and labels given side by side.

    Raises :class:`InputError` for anything but one-dimensional columns of one length >= 1, real values that the scale
    allows, and labels 0 or 1. Unlike ``Trials.from_arrays`` there are no options to offer, and one class is enough.
    """
    same_index({name: values, "y": y})
    problems = Problems("trials")
    score = as_floats(values, name, problems)
    labels = as_floats(y, "y", problems)
    same_length({name: score, "y": labels})
    if score.size == 0:
        raise InputError(f"{name}, y: no trials: expected at least one value and its label")
    _check_values(score, name, scale, problems)
    is_target = _targets(labels, score, name, problems)
    problems.raise_if_any()
    return count_trials(Trials(score=score, is_target=is_target, scale=scale))


def _check_values(score: Floats, name: str, scale: Scale, problems: Problems) -> None:
    """Note missing values and values that the scale does not allow."""
    absent = np.isnan(score)
    if absent.any():
        where = np.flatnonzero(absent)
        problems.add(f"{name}: {where.size} missing (NaN, null or masked) at {rows(where.tolist())}; leave them out")
    fault = domain_fault(score, scale)
    if fault is not None:
        outside, rule = fault
        where = np.flatnonzero(outside)
        shown = listing([f"{value!r}" for value in score[where[:5]].tolist()], where.size)
        problems.add(f"{name}: {rule}; found {shown} at {rows(where.tolist())}")


def _targets(labels: Floats, score: Floats, name: str, problems: Problems) -> Bools:
    """Where the label is 1; labels other than 0 and 1 become a problem, never one of the classes."""
    is_target: Bools = labels == 1.0
    unknown = ~(is_target | (labels == 0.0))
    absent = np.isnan(labels)
    if absent.any():
        where = np.flatnonzero(absent)
        problems.add(f"y: {counted(where.size, 'missing label')} (NaN, null or masked) at {rows(where.tolist())}")
        unknown &= ~absent
    if unknown.any():
        problem = f"y: expected labels 0 or 1 (or bool), found {census(labels[~absent])}"
        if np.isin(score, (0.0, 1.0)).all():
            problem += f"; {name} hold only 0 and 1: are the two arguments swapped?"
        else:
            problem += "; recode them first, e.g. y = labels == target"
        problems.add(problem)
    return is_target
