"""Folds of trials or of their sources, and which trials each model of a cross-fit may not see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from deciban.errors import InputError, NeedsTrialsError, OptionError, UndefinedMetricError
from deciban.trials.source_keys import source_keys
from deciban.trials.trials import Trials
from deciban.values.arrays import absent

MOST: Final = 20_000
"""Models beyond which leaving sources out one by one is refused: folds of several sources say as much."""

Indices = NDArray[np.intp]
Folds = int | Literal["source"]


def assigned(trials: Trials, folds: Folds, seed: int) -> tuple[Indices, Indices | None]:
    """The fold of each source of each trial, one column per source column; and how many sources each fold has."""
    generator = np.random.default_rng(seed)
    if not trials.sources:
        if folds == "source":
            raise NeedsTrialsError(
                "folds='source' (--folds source): the trials have no sources: give them with sources= (--source)"
            )
        return _folds_of_trials(trials, folds, generator)[:, None], None
    for column in trials.sources:
        if absent(column).any():
            raise InputError(f"cross_fit: {trials.named(int(np.argmax(absent(column))))} has no source")
    names, codes = np.unique(np.concatenate(source_keys(trials.sources)), return_inverse=True)
    of_source = np.arange(names.size)
    if folds != "source":
        _refuse_more_folds(folds, names.size, "sources")
        of_source = generator.permutation(names.size) % folds
    return of_source[codes].reshape(len(trials.sources), -1).T, np.bincount(of_source)


def _folds_of_trials(trials: Trials, folds: int, generator: np.random.Generator) -> Indices:
    """Folds of single trials, each class dealt out evenly; in order of scores, so that rows may come in any."""
    fold_of = np.empty(len(trials), dtype=np.intp)
    weight = np.ones(len(trials)) if trials.weight is None else trials.weight
    order = np.lexsort((weight, trials.score))
    for of_class in (True, False):
        members = order[trials.is_target[order] == of_class]
        _refuse_more_folds(folds, members.size, "targets" if of_class else "nontargets")
        fold_of[members] = generator.permutation(members.size) % folds
    return fold_of


def _refuse_more_folds(folds: int, n: int, what: str) -> None:
    if folds > n:
        raise OptionError(f"folds: expected at most as many as there are {what} ({n}), found {folds}")


def left_out(fold_of: Indices, n: int) -> Iterator[tuple[set[int], Indices, Indices]]:
    """For each model the folds left out, the trials it calibrates, and those that it may not see."""
    ordered = np.sort(fold_of, axis=1)
    pairs, which = np.unique(ordered, axis=0, return_inverse=True)
    which = which.ravel()  # NumPy 2.0 gives it the dimensions of what was sorted
    if len(pairs) > MOST:
        raise OptionError(f"folds: {len(pairs)} models would be fitted, {MOST} at most; say folds=10 (--folds 10)")
    touched: dict[int, Indices] = {}
    members = np.split(np.argsort(which, kind="stable"), np.cumsum(np.bincount(which))[:-1])
    for pair, of_pair in zip(pairs.tolist(), members, strict=True):
        out = set(pair)
        for fold in out - set(touched):
            touched[fold] = np.flatnonzero((fold_of == fold).any(axis=1))
        unseen = touched[pair[0]] if len(out) == 1 else np.union1d(touched[pair[0]], touched[pair[-1]])
        if unseen.size == n:
            raise UndefinedMetricError(
                f"cross_fit: every trial shares a source with {n} others, so that nothing is left to fit; take more "
                "folds",
                "too_few",
            )
        yield out, of_pair, unseen
