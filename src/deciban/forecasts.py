"""The pass behind probability metrics: the probability of a target that each score states, at a prior."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from deciban.arrays import AnyArray, Floats
from deciban.counts import Counts
from deciban.errors import ScaleError, SingleClassError, UndefinedMetricError
from deciban.log_domain import chunks, expit, log_odds, logit, softplus
from deciban.scale import check_prior, to_ln_lr


@dataclass(frozen=True, slots=True, eq=False)
class Forecasts:
    """Stated probabilities of a target, one for each distinct score, in increasing order.

    Attributes
    ----------
    probability, complement
        p and 1 − p, each without cancellation, shape (u,).
    log_odds
        ln(p / (1 − p)) where the probabilities came from LRs; None where they were given.
    n_target, n_nontarget
        Trials of each class with that probability.
    total_target, total_nontarget
        All targets and nontargets.
    """

    probability: Floats
    complement: Floats
    log_odds: Floats | None
    n_target: AnyArray
    n_nontarget: AnyArray
    total_target: int | float
    total_nontarget: int | float

    @property
    def total(self) -> int | float:
        """All trials, or all their weight."""
        return self.total_target + self.total_nontarget

    def stated_log_odds(self) -> Floats:
        """ln(p / (1 − p)), infinite at 0 and 1."""
        return logit(self.probability) if self.log_odds is None else self.log_odds

    def trials(self, what: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Targets and nontargets as whole numbers; :class:`UndefinedMetricError` with ``weighted`` when they are not.

        Whole weights are trials that were repeated; other weights have neither ranks nor a number of trials.
        """
        columns = self.n_target, self.n_nontarget
        if any(n.dtype.kind == "f" and (n != np.rint(n)).any() for n in columns):
            raise UndefinedMetricError(f"{what} counts trials, and the weights are not whole numbers", "weighted")
        return columns[0].astype(np.int64, copy=False), columns[1].astype(np.int64, copy=False)

    def parts(self) -> Iterator[Forecasts]:
        """The forecasts in chunks that stay in the processor's cache; totals are those of the whole."""
        for part in chunks(self.probability.size):
            log_odds = None if self.log_odds is None else self.log_odds[part]
            yield replace(
                self,
                probability=self.probability[part],
                complement=self.complement[part],
                log_odds=log_odds,
                n_target=self.n_target[part],
                n_nontarget=self.n_nontarget[part],
            )

    def target_log_loss(self) -> Floats:
        """−ln p, inf at p = 0."""
        if self.log_odds is not None:
            return softplus(-self.log_odds)
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(self.probability))

    def nontarget_log_loss(self) -> Floats:
        """−ln(1 − p), inf at p = 1."""
        if self.log_odds is not None:
            return softplus(self.log_odds)
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log1p(-self.probability))


def forecasts(counts: Counts, *, p_target: float | None = None) -> Forecasts:
    """State probabilities at the prior ``p_target``.

    LRs become posteriors at ``p_target`` (default: the share of targets in the data). Probabilities are taken as given;
    with a ``p_target`` other than the ``prior`` they were made under they are re-weighted, and without a known prior
    that raises :class:`ScaleError`.
    """
    check_prior(p_target, "p_target")
    scores = counts.score
    if counts.scale == "score":
        raise ScaleError("needs probabilities or likelihood ratios, and the scores have scale 'score'")
    if counts.scale == "probability":
        if p_target is None or p_target == counts.prior:
            return _forecasts(counts, scores, 1.0 - scores, None)
        if counts.prior is None:
            raise ScaleError(
                f"p_target={p_target:g} re-weights probabilities, which needs the prior they were made under: pass "
                "prior= (--prior)"
            )
        stated = logit(scores) + (log_odds(p_target) - log_odds(counts.prior))
    else:
        if p_target is None:
            counts.require_both_classes("a posterior at the share of targets in the data (pass p_target)")
            theta = float(np.log(counts.total_target) - np.log(counts.total_nontarget))
        else:
            theta = log_odds(p_target)
        stated = to_ln_lr(scores, counts.scale, counts.prior) + theta
    return _forecasts(counts, expit(stated), expit(-stated), stated)


def _forecasts(counts: Counts, p: Floats, complement: Floats, stated: Floats | None) -> Forecasts:
    if counts.total == 0:
        raise SingleClassError("a question about stated probabilities needs trials, found none")
    columns = counts.n_target, counts.n_nontarget, counts.total_target, counts.total_nontarget
    return Forecasts(p, complement, stated, *columns)
