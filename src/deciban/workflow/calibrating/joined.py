"""The same trials of several systems in one order, with the way back to the order they were given in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from deciban.calibration.calibration import refuse_unusable
from deciban.calibration.reading import read
from deciban.errors import NeedsTrialsError, about
from deciban.tables.counting import as_trials
from deciban.trials.trials import Trials
from deciban.values.arrays import Floats
from deciban.workflow.comparing.given import check_names
from deciban.workflow.comparing.pairing import NEEDED, pair

PLACE: Final = "\0place"
"""A condition that no table has: the place of each trial among those given."""

Systems = Mapping[str, Trials]


def joined(systems: Systems) -> Systems:
    """The same trials of each system, in one order; :data:`PLACE` says where each stood.

    Raises
    ------
    InputError
        When a system lacks a trial, or the systems disagree on labels, weights or sources.
    NeedsTrialsError
        When they share no trials.
    """
    check_names(systems)
    trials = {name: as_trials(one, f"system {name!r}") for name, one in systems.items()}
    for name, one in trials.items():
        refuse_unusable(one)
        trials[name] = replace(one, conditions={**one.conditions, PLACE: np.arange(len(one))})
    with about("fusion", lambda _: ""):
        paired = pair(trials, "auto", NEEDED)
    if not paired.shared:
        named = all(one.ids for one in trials.values())
        advice = "are they written alike, and are these the same trials?" if named else "give ids= (--id)"
        raise NeedsTrialsError(f"fusion needs the same trials of every system; {paired.record.why}: {advice}")
    said = how_joined(trials)
    found = {name: as_trials(one, "fusion") for name, one in paired.systems.items()}
    return {name: replace(one, assumed=(*one.assumed, *said)) for name, one in found.items()}


def how_joined(trials: Systems) -> tuple[str, ...]:
    """What was settled without being asked where trials are joined: that it is by row, though some have ids."""
    without = [name for name, one in trials.items() if not one.ids]
    if not without or len(without) == len(trials):
        return ()
    return (f"trials of the systems joined by row, where the labels agree: {', '.join(without)} without ids",)


def numbers_of(trials: Trials) -> Floats:
    """What is read of the scores: logarithms of LRs, log-odds of probabilities, raw scores."""
    return read(trials.score, trials.scale, trials.prior, "log")
