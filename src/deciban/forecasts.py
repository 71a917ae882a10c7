"""The pass behind probability metrics: the probability of a target that each score states, at a prior."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deciban.arrays import AnyArray, Floats
from deciban.counts import Counts
from deciban.errors import ScaleError
from deciban.log_domain import chunks, expit, log_odds, logit, softplus
from deciban.scale import check_prior, to_ln_lr


@dataclass(frozen=True, slots=True, eq=False)
class Stated:
    """Probabilities of a target as they were stated: as such, or as log-odds where they come from LRs."""

    values: Floats
    as_log_odds: bool

    def probability(self) -> Floats:
        """The probabilities p."""
        return expit(self.values) if self.as_log_odds else self.values

    def complement(self) -> Floats:
        """1 − p, without cancellation."""
        return expit(-self.values) if self.as_log_odds else 1.0 - self.values

    def target_log_loss(self) -> Floats:
        """−ln p, inf at p = 0."""
        if self.as_log_odds:
            return softplus(-self.values)
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(self.values))

    def nontarget_log_loss(self) -> Floats:
        """−ln(1 − p), inf at p = 1."""
        if self.as_log_odds:
            return softplus(self.values)
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log1p(-self.values))


@dataclass(frozen=True, slots=True, eq=False)
class Forecasts:
    """The probability of a target that each distinct score states, worked out part by part when asked for.

    At 10⁷ scores the probabilities, their complements and log-odds would be 240 MB, and filling fresh memory takes
    longer than working them out again in the cache.

    Attributes
    ----------
    counts
        The scores and how many trials of each class have them.
    shift
        What is added to the log-odds (or log-LRs) of the scores; None where probabilities are taken as given.
    """

    counts: Counts
    shift: float | None

    @property
    def total(self) -> int | float:
        """All trials."""
        return self.counts.total

    def parts(self) -> Iterator[tuple[Stated, AnyArray, AnyArray]]:
        """Runs of neighbouring scores, in increasing order: what they state, their targets and nontargets."""
        counts = self.counts
        for part in chunks(counts.n_distinct):
            scores = counts.score[part]
            if self.shift is None:
                stated = Stated(scores, as_log_odds=False)
            elif counts.scale == "probability":
                stated = Stated(logit(scores) + self.shift, as_log_odds=True)
            else:
                stated = Stated(to_ln_lr(scores, counts.scale, counts.prior) + self.shift, as_log_odds=True)
            yield stated, counts.n_target[part], counts.n_nontarget[part]


def forecasts(counts: Counts, *, p_target: float | None = None) -> Forecasts:
    """State probabilities at the prior ``p_target``.

    LRs become posteriors at ``p_target`` (default: the share of targets in the data). Probabilities are taken as given;
    with a ``p_target`` other than the ``prior`` they were made under they are re-weighted, and without a known prior
    that raises :class:`ScaleError`.
    """
    check_prior(p_target, "p_target")
    if counts.scale == "score":
        raise ScaleError("needs probabilities or likelihood ratios, and the scores have scale 'score'")
    if counts.scale == "probability":
        if p_target is None or p_target == counts.prior:
            return Forecasts(counts, None)
        if counts.prior is None:
            raise ScaleError(
                f"p_target={p_target:g} re-weights probabilities, which needs the prior they were made under: pass "
                "prior= (--prior)"
            )
        return Forecasts(counts, log_odds(p_target) - log_odds(counts.prior))
    if p_target is not None:
        return Forecasts(counts, log_odds(p_target))
    counts.require_both_classes("a posterior at the share of targets in the data (pass p_target)")
    return Forecasts(counts, float(np.log(counts.total_target) - np.log(counts.total_nontarget)))
