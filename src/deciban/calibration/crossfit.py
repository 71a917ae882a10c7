"""Cross-fitting: every trial is calibrated by a model that has seen neither it nor a trial of the same source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from deciban.calibration.calibration import (
    Calibration,
    fitted,
    refuse_infinite_for,
    refuse_undefined,
    refuse_unusable,
)
from deciban.calibration.fitting import EqualByContent
from deciban.calibration.folds import Folds, Indices, assigned, left_out
from deciban.calibration.settings import Calibrator, check_calibrator, plain_of
from deciban.counts.counts import Counts
from deciban.counts.of_trials import count_trials, present
from deciban.errors import NeedsTrialsError, UndefinedMetricError
from deciban.tables.counting import as_trials
from deciban.trials.trials import Trials
from deciban.values.arrays import AnyArray, Bools, Floats, locked
from deciban.values.option_checks import check_whole


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CrossFitted(EqualByContent):
    """Trials whose likelihood ratios come from models that have not seen them.

    Attributes
    ----------
    trials
        The trials in the order given, on the scale ``ln_lr``; those of weight 0 are left out.
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
        sources, trials of each class are assigned. Trials of weight 0 are absent, in what is returned too.
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
        When there are more folds than sources (trials), too many models would be needed, or the settings are none.
    NeedsTrialsError
        When the data are counts, or ``"source"`` is asked of trials without any.
    InputError
        When a trial lacks a source, or a score is infinite and the calibrator has no use for it.
    SingleClassError
        When a class is empty.
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
    found = held_out_lrs(calibrator, data, folds=folds, seed=seed, progress=progress)
    trials = found.trials
    refuse_undefined(found.ln_lr, trials.row)
    return CrossFitted(
        trials=_as_lrs(trials, found.ln_lr, found.said()),
        supported=locked(found.supported),
        calibrator=calibrator,
        folds=found.folds,
        by=found.by,
        models=found.models,
        seed=found.seed,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldOut:
    """Log LRs of trials by models that have not seen them; NaN for a score that its model gives none."""

    trials: Trials
    ln_lr: Floats
    supported: Bools
    folds: Folds
    by: Literal["sources", "trials"]
    models: int
    seed: int

    @property
    def rows(self) -> AnyArray:
        """The row of the input, from 0, that each trial comes from."""
        return np.arange(len(self.trials)) if self.trials.row is None else self.trials.row

    def said(self) -> str:
        """How they were made, in a sentence."""
        how = "each source left out by itself" if self.folds == "source" else f"{self.folds} folds of {self.by}"
        return f"likelihood ratios cross-fitted: {how}" + ("" if self.folds == "source" else f", seed {self.seed}")


def held_out_lrs(
    calibrator: Calibrator,
    data: Trials,
    *,
    folds: Folds,
    seed: int,
    progress: Callable[[int, int], None] | None,
) -> HeldOut:
    """What :func:`cross_fit` does, where trials may be left without an LR."""
    if isinstance(data, Counts):  # type: ignore[unreachable]
        raise NeedsTrialsError("cross_fit: counts do not say which trials are whose: give Trials")
    plain = plain_of(check_calibrator(calibrator))
    trials = present(as_trials(data, "cross_fit"))
    if folds != "source":
        folds = check_whole("folds", folds, 2, "a whole number >= 2, or 'source'")
    refuse_unusable(trials)
    counts = count_trials(trials)
    counts.require_both_classes("cross_fit")
    seed = check_whole("seed", seed, 0)
    fold_of, sources_of_fold = assigned(trials, folds, seed)
    held_out = list(left_out(fold_of, len(trials)))
    # Here, where rows are known: each fit has counts only.
    refuse_infinite_for(plain, counts, trials)
    at = np.searchsorted(counts.score, trials.score)
    ln_lr, supported = np.empty(len(trials)), np.zeros(len(trials), dtype=bool)
    for number, (pair, members, unseen) in enumerate(held_out, 1):
        left = None if sources_of_fold is None else int(sources_of_fold.sum() - sources_of_fold[list(pair)].sum())
        calibration = _fit_without(calibrator, counts, trials, at, unseen, left)
        ln_lr[members] = calibration.transform(trials.score[members])
        supported[members] = calibration.supported(trials.score[members])
        if progress is not None:
            progress(number, len(held_out))
    by: Literal["sources", "trials"] = "sources" if trials.sources else "trials"
    return HeldOut(trials=trials, ln_lr=ln_lr, supported=supported, folds=folds, by=by, models=len(held_out), seed=seed)


def _as_lrs(trials: Trials, ln_lr: Floats, said: str) -> Trials:
    assumed = (*trials.assumed, said)
    return replace(trials, score=locked(ln_lr), scale="ln_lr", prior=None, reversed=False, assumed=assumed).frozen()


def _fit_without(
    calibrator: Calibrator, counts: Counts, trials: Trials, at: Indices, unseen: Indices, n_sources: int | None
) -> Calibration:
    """Fit the settings to what is left when some trials are taken away."""
    try:
        return fitted(calibrator, _counts_without(counts, trials, at, unseen), n_sources=n_sources)
    except UndefinedMetricError as error:
        first = trials.named(int(unseen[0]))
        raise UndefinedMetricError(
            f"cross_fit: without {unseen.size} trials ({first}, …) that share a fold: {error}", error.reason
        ) from None


def _counts_without(counts: Counts, trials: Trials, at: Indices, unseen: Indices) -> Counts:
    """Counts of the trials that a model may see."""
    if trials.weight is not None:
        # Counted anew: taken from sums of decimals, a weight leaves something of itself behind.
        seen = np.ones(len(trials), dtype=bool)
        seen[unseen] = False
        bare = replace(trials, sources=(), conditions={}, ids=(), row=None)
        return count_trials(bare.select(seen))
    left = []
    for n, of_class in ((counts.n_target, True), (counts.n_nontarget, False)):
        gone = unseen[trials.is_target[unseen] == of_class]
        left.append(n - np.bincount(at[gone], minlength=n.size))
    return counts.reweighted(*left)
