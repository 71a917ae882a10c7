"""Cross-fitting: every trial is calibrated by a model that has seen neither it nor a trial of the same source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from deciban.arrays import Bools, Floats, absent, locked
from deciban.calibration.calibration import (
    Calibration,
    Calibrator,
    fitted,
    plain_of,
    refuse_infinite_for,
    refuse_undefined,
)
from deciban.calibration.fitting import EqualByContent
from deciban.counting import as_trials, count_trials
from deciban.counts import Counts
from deciban.errors import InputError, NeedsTrialsError, OptionError, UndefinedMetricError
from deciban.option_checks import check_whole
from deciban.trials import Trials

MOST: Final = 20_000
"""Models beyond which leaving sources out one by one is refused: folds of several sources say as much."""

Indices = NDArray[np.intp]
Folds = int | Literal["source"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CrossFitted(EqualByContent):
    """Trials whose likelihood ratios come from models that have not seen them.

    Attributes
    ----------
    trials
        The trials in the order given, on the scale ``ln_lr``.
    supported
        Whether the score of each lies in the range its model was fitted to, and its LR within the model's bounds.
    calibrator
        The settings of every model.
    folds
        How many folds, or ``"source"``: each source was left out by itself.
    by
        Whether whole sources were left out, or single trials.
    models
        How many models were fitted.
    seed
        Seed of the assignment to folds.
    """

    trials: Trials
    supported: Bools
    calibrator: Calibrator
    folds: Folds
    by: Literal["sources", "trials"]
    models: int
    seed: int


def cross_fit(
    calibrator: Calibrator,
    data: Trials,
    *,
    folds: Folds = 10,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> CrossFitted:
    """Calibrate every trial by a model fitted to trials that share no source with it.

    Parameters
    ----------
    calibrator
        The settings to fit.
    data
        Trials of both classes. Where they have sources, sources are assigned to folds; where a trial has two, its model
        is fitted without all trials that either fold takes part in. Both columns are one set of sources. Without
        sources, trials of each class are assigned.
    folds
        A number of folds >= 2; ``"source"`` leaves each source (each pair of sources) out by itself.
    seed
        Seed of the assignment.
    progress
        What is told after each model how many of how many are fitted.

    Returns
    -------
    CrossFitted
        Figures of its ``trials`` are without the optimism of LRs that were fitted to the trials they judge.

    Raises
    ------
    OptionError
        When there are more folds than sources (trials), or too many models would be needed.
    NeedsTrialsError
        When the data are counts, or ``"source"`` is asked of trials without any.
    InputError
        When a trial lacks a source, or a score is infinite and the calibrator has no use for it.
    UndefinedMetricError
        When the trials that are left cannot be fitted (the message says what was left out), or a trial has no LR.

    References
    ----------
    Morrison (2011), Measuring the validity and reliability of forensic likelihood-ratio systems, Science & Justice 51.

    Examples
    --------
    >>> import deciban as db
    >>> trials = db.Trials.from_arrays([2, 3, 1, 0, 1, -1, 4, 2, 0, -2, 3, 1], [1, 1, 1, 0, 0, 0] * 2, target=1)
    >>> found = db.cross_fit(db.GaussianCalibrator(), trials, folds=3)
    >>> found.models, found.trials.scale
    (3, 'ln_lr')
    """
    if isinstance(data, Counts):  # type: ignore[unreachable]
        raise NeedsTrialsError("cross_fit: counts do not say which trials are whose: give Trials")
    trials = as_trials(data, "cross_fit")
    if folds != "source":
        folds = check_whole("folds", folds, 2, "a whole number >= 2, or 'source'")
    fold_of, sources_of_fold = _folds(trials, folds, check_whole("seed", seed, 0))
    held_out = list(_held_out(fold_of, len(trials)))
    counts = count_trials(trials)
    # Here, where rows are known: each fit has counts only.
    refuse_infinite_for(plain_of(calibrator), counts, trials)
    at = np.searchsorted(counts.score, trials.score)
    ln_lr, supported = np.empty(len(trials)), np.zeros(len(trials), dtype=bool)
    for number, (pair, members, unseen) in enumerate(held_out, 1):
        left = None if sources_of_fold is None else int(sources_of_fold.sum() - sources_of_fold[list(pair)].sum())
        calibration = _fit_without(calibrator, counts, trials, at, unseen, left)
        ln_lr[members] = calibration.transform(trials.score[members])
        supported[members] = calibration.supported(trials.score[members])
        if progress is not None:
            progress(number, len(held_out))
    refuse_undefined(ln_lr, trials.row)
    by: Literal["sources", "trials"] = "sources" if trials.sources else "trials"
    how = "each source left out by itself" if folds == "source" else f"{folds} folds of {by}, seed {seed}"
    return CrossFitted(
        trials=_as_lrs(trials, ln_lr, f"likelihood ratios cross-fitted: {how}"),
        supported=locked(supported),
        calibrator=calibrator,
        folds=folds,
        by=by,
        models=len(held_out),
        seed=seed,
    )


def _as_lrs(trials: Trials, ln_lr: Floats, said: str) -> Trials:
    assumed = (*trials.assumed, said)
    return replace(trials, score=locked(ln_lr), scale="ln_lr", prior=None, reversed=False, assumed=assumed).frozen()


def _folds(trials: Trials, folds: Folds, seed: int) -> tuple[Indices, Indices | None]:
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
    names, codes = np.unique(np.concatenate([column.astype(str) for column in trials.sources]), return_inverse=True)
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


def _held_out(fold_of: Indices, n: int) -> Iterator[tuple[set[int], Indices, Indices]]:
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


def _fit_without(
    calibrator: Calibrator, counts: Counts, trials: Trials, at: Indices, unseen: Indices, n_sources: int | None
) -> Calibration:
    """Fit the settings to what is left when some trials are taken away from the counts."""
    left = []
    for n, of_class in ((counts.n_target, True), (counts.n_nontarget, False)):
        gone = unseen[trials.is_target[unseen] == of_class]
        weight = None if trials.weight is None else trials.weight[gone]
        taken = np.bincount(at[gone], weights=weight, minlength=n.size)
        left.append(np.maximum(n - taken, 0) if weight is not None else n - taken)
    try:
        return fitted(calibrator, counts.reweighted(*left), n_sources=n_sources)
    except UndefinedMetricError as error:
        first = trials.named(int(unseen[0]))
        raise UndefinedMetricError(
            f"cross_fit: without {unseen.size} trials ({first}, …) that share a fold: {error}", error.reason
        ) from None
