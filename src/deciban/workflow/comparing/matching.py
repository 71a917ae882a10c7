"""Trials of several systems by number: the same number is the same trial, by its ids or by its row."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from deciban.errors import InputError, counted, listing
from deciban.trials.source_keys import one_kind
from deciban.trials.trials import Trials

Codes = dict[str, NDArray[np.intp]]
"""The number of each trial of each system."""


def codes_of_rows(trials: Mapping[str, Trials]) -> Codes:
    """The row of the input that each trial comes from."""
    return {name: np.arange(len(one)) if one.row is None else one.row for name, one in trials.items()}


def codes_of_ids(trials: Mapping[str, Trials]) -> Codes:
    """A number for each trial that is the same for the same ids in every system."""
    widths = {name: len(one.ids) for name, one in trials.items()}
    if len(set(widths.values())) > 1:
        shown = ", ".join(f"{name} {width}" for name, width in widths.items())
        raise InputError(f"pairing: expected as many id columns of each system, found {shown}")
    ends = np.cumsum([len(one) for one in trials.values()])[:-1]
    joined = np.zeros(sum(map(len, trials.values())), dtype=np.intp)
    for columns in zip(*(one.ids for one in trials.values()), strict=True):
        codes = np.unique(np.concatenate(one_kind(columns)), return_inverse=True)[1]
        # Numbered again after each column, so that the pair of numbers never outgrows an integer.
        joined = np.unique(joined * (codes.max(initial=0) + 1) + codes, return_inverse=True)[1]
    return dict(zip(trials, np.split(joined, ends), strict=True))


def refuse_repeats(name: str, trials: Trials, codes: NDArray[np.intp]) -> None:
    """Raise :class:`InputError` where an id occurs twice."""
    order = np.argsort(codes, kind="stable")
    repeats = np.sort(order[1:][codes[order][1:] == codes[order][:-1]])
    if repeats.size:
        shown = listing([trials.named(index) for index in repeats[:5].tolist()], repeats.size)
        raise InputError(
            f"pairing: system {name!r} has {counted(repeats.size, 'repeated id')}: {shown}: which trial is meant? "
            "Remove repeats, or name more id columns with ids= (--id)"
        )


def in_all(codes: Codes) -> NDArray[np.intp]:
    """The numbers that all systems have, in increasing order."""
    first, *others = codes.values()
    common = np.unique(first)
    for other in others:
        common = common[np.isin(common, other)]
    return common


def places_of(codes: NDArray[np.intp], common: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where a system has the trials of these numbers."""
    order = np.argsort(codes, kind="stable")
    return order[np.searchsorted(codes[order], common)]


def label_conflicts(trials: Mapping[str, Trials], codes: Codes, common: NDArray[np.intp]) -> NDArray[np.intp]:
    """Numbers of trials that are targets of one system and nontargets of another."""
    labels = [one.is_target[places_of(codes[name], common)] for name, one in trials.items()]
    differ = [one != other for one, other in pairwise(labels)]
    return common[np.logical_or.reduce(differ)]
