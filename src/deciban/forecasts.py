"""The pass behind probability metrics: the probability of a target that each score states, at a prior."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deciban.arrays import AnyArray, Floats, read_only
from deciban.counts import Counts
from deciban.errors import ScaleError, SingleClassError, UndefinedMetricError
from deciban.log_domain import chunks, expit, expit_pair, log_odds, logit, softplus
from deciban.scale import check_prior, to_ln_lr


@dataclass(frozen=True, slots=True, eq=False)
class Stated:
    """Probabilities of a target as they were stated: as such, or as log-odds where they come from LRs."""

    values: Floats
    as_log_odds: bool

    def probability(self) -> Floats:
        """The probabilities p."""
        return expit(self.values) if self.as_log_odds else self.values

    def both(self) -> tuple[Floats, Floats]:
        """The probabilities p, and 1 − p without cancellation."""
        return expit_pair(self.values) if self.as_log_odds else (self.values, 1.0 - self.values)

    def target_log_loss(self, values: Floats) -> Floats:
        """−ln p of some of the values, inf at p = 0."""
        if self.as_log_odds:
            return softplus(-values)
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(values))

    def nontarget_log_loss(self, values: Floats) -> Floats:
        """−ln(1 − p) of some of the values, inf at p = 1."""
        if self.as_log_odds:
            return softplus(values)
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log1p(-values))


@dataclass(frozen=True, slots=True, eq=False)
class Forecasts:
    """The probability of a target that each distinct score states, worked out part by part when asked for.

    At 10⁷ scores each column would be 80 MB, and filling fresh memory takes longer than computing in cache; what needs
    the probabilities side by side takes :func:`probabilities` instead.

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

    @property
    def n_target(self) -> AnyArray:
        """Targets with each probability."""
        return self.counts.n_target

    @property
    def n_nontarget(self) -> AnyArray:
        """Nontargets with each probability."""
        return self.counts.n_nontarget

    def stated(self, part: slice = slice(None)) -> Stated:
        """What the scores of a part state."""
        scores, scale = self.counts.score[part], self.counts.scale
        if self.shift is None:
            return Stated(scores, as_log_odds=False)
        log_lr = logit(scores) if scale == "probability" else to_ln_lr(scores, scale, self.counts.prior)
        return Stated(log_lr + self.shift, as_log_odds=True)

    def parts(self) -> Iterator[tuple[Stated, AnyArray, AnyArray]]:
        """Runs of neighbouring scores, in increasing order: what they state, their targets and nontargets."""
        for part in chunks(self.counts.n_distinct):
            yield self.stated(part), self.counts.n_target[part], self.counts.n_nontarget[part]


@dataclass(frozen=True, slots=True, eq=False)
class LogOdds:
    """ln(p / (1 − p)) of each distinct score: infinite at 0 and 1, not where the p of a finite LR rounds to 1."""

    counts: Counts
    log_odds: Floats


def stated_log_odds(counts: Counts, *, p_target: float | None = None) -> LogOdds:
    """State log-odds at the prior ``p_target``, which means what it does for :func:`forecasts`."""
    stated = forecasts(counts, p_target=p_target).stated()
    return LogOdds(counts, stated.values if stated.as_log_odds else logit(stated.values))


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities(Forecasts):
    """Forecasts with the probability of each distinct score, in increasing order, shape (u,)."""

    probability: Floats


def probabilities(counts: Counts, *, p_target: float | None = None) -> Probabilities:
    """State probabilities as :func:`forecasts` does, and keep them."""
    forecast = forecasts(counts, p_target=p_target)
    if forecast.shift is None:
        return Probabilities(counts, None, counts.score)
    probability = np.empty(counts.n_distinct)
    for part in chunks(counts.n_distinct):
        probability[part] = forecast.stated(part).probability()
    return Probabilities(counts, forecast.shift, read_only(probability))


def whole_trials(counts: Counts, what: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Targets and nontargets as whole numbers; :class:`UndefinedMetricError` with ``weighted`` when they are not.

    Whole weights are trials that were repeated; other weights have neither ranks nor a number of trials.
    """
    columns = counts.n_target, counts.n_nontarget
    if any(n.dtype.kind == "f" and (n != np.rint(n)).any() for n in columns):
        raise UndefinedMetricError(f"{what} counts trials, and the weights are not whole numbers", "weighted")
    return columns[0].astype(np.int64, copy=False), columns[1].astype(np.int64, copy=False)


def forecasts(counts: Counts, *, p_target: float | None = None) -> Forecasts:
    """State probabilities at the prior ``p_target``.

    LRs become posteriors at ``p_target`` (default: the share of targets in the data). Probabilities are taken as given;
    with a ``p_target`` other than the ``prior`` they were made under they are re-weighted, and without a known prior
    that raises :class:`ScaleError`.
    """
    check_prior(p_target, "p_target")
    if counts.scale == "score":
        raise ScaleError("needs probabilities or likelihood ratios, and the scores have scale 'score'")
    if counts.total == 0:
        raise SingleClassError("a question about stated probabilities needs trials, found none")
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
    # One quotient, so that the same shares give the same double, and the same bins, however many trials.
    return Forecasts(counts, math.log(counts.total_target / counts.total_nontarget))
