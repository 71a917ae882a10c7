"""Weights with which every partition of the trials counts the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar, cast

import numpy as np

from deciban.counts.groups import partition
from deciban.counts.tally import Known, Tally
from deciban.errors import InputError, counted
from deciban.tables.counting import as_trials
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.values.arrays import locked

K = TypeVar("K", bound=Known)


def equalise(data: Trials | Table, by: str) -> Trials:
    """Weigh trials so that each partition counts the same, within each class.

    A trial of a class with N trials in K partitions, n of them in its own, gets the weight N/(K·n). Miss and
    false-alarm rates at any threshold are then the means over the partitions, and so every cost made of them.

    Parameters
    ----------
    data
        Trials, or a table that yields them; weights that they have already are kept in proportion.
    by
        Name of a condition column; ``"a,b"`` crosses two. Every trial has a value.

    Returns
    -------
    Trials
        The same trials with weights; the weights of a class add up to its number of trials.

    Raises
    ------
    InputError
        When there is no such condition, or a trial has no value of it.

    Notes
    -----
    A class is averaged over the partitions that it occurs in; ``assumed`` says where one lacks it. Intervals by the
    bootstrap keep the weights as they are.

    References
    ----------
    NIST (2016), 2016 speaker recognition evaluation plan: costs with equal weight for each partition of the trials.

    Examples
    --------
    >>> import deciban as db
    >>> trials = db.Trials.from_arrays([3, 1, 2, 0], [1, 1, 1, 0], conditions={"sex": ["f", "f", "m", "m"]})
    >>> db.equalise(trials, by="sex").weight.tolist()
    [0.75, 0.75, 1.5, 1.0]
    """
    return equalised(as_trials(data, "equalise"), by)


def equalised(known: K, by: str) -> K:
    """The same trials with weights, or the tally that an engine made of them."""
    rows, times = (known.rows, known.times) if isinstance(known, Tally) else (known, 1)
    groups = partition(known, by)
    shared = max(group.shared for group in groups)
    if shared:
        raise InputError(f"equalise: {counted(shared, 'trial')} without a value of {by!r}: each needs a partition")
    given = np.ones(len(rows)) if rows.weight is None else rows.weight
    mass = given * times
    weight, said = np.zeros(len(rows)), []
    for is_class, name in ((rows.is_target, "target"), (~rows.is_target, "nontarget")):
        members = {group.name: group.index[is_class[group.index]] for group in groups}
        held = {group: index for group, index in members.items() if mass[index].sum() > 0.0}
        without = [group for group in members if group not in held]
        if without and held:
            said.append(f"no {name} in partition {', '.join(without)} of {by}: the others count the same")
        for index in held.values():
            weight[index] = given[index] * (mass[is_class].sum() / (len(held) * mass[index].sum()))
    weighed = replace(rows, weight=locked(weight), assumed=(*rows.assumed, *said)).frozen()
    return cast("K", replace(known, rows=weighed) if isinstance(known, Tally) else weighed)
