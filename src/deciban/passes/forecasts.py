"""The pass behind probability metrics: the probability of a target that each score states, at a prior."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deciban.counts.counts import Counts
from deciban.errors import ScaleError, SingleClassError, UndefinedMetricError
from deciban.values.arrays import AnyArray, Floats, read_only
from deciban.values.log_domain import chunks, log_odds, logit, softplus
from deciban.values.scale import check_prior, to_ln_lr


@dataclass(frozen=True, slots=True, eq=False)
class Stated:
    """Probabilities of a target as they were stated: as such, or as ln LRs that a prior turns into posteriors.

    Attributes
    ----------
    values
        Probabilities, or ln LRs where there is a prior.
    prior
        The prior; None where probabilities are taken as given.
    """

    values: Floats
    prior: float | None

    def probability(self) -> Floats:
        """The probabilities p."""
        return self.both()[0]

    def both(self) -> tuple[Floats, Floats]:
        """The probabilities p, and 1 − p without cancellation.

        π/(π + (1 − π)/LR), not expit(ln LR + logit π): at LR = 1 it is π to the last bit.
        """
        if self.prior is None:
            return self.values, 1.0 - self.values
        small = np.exp(-np.abs(self.values))
        above = self.values >= 0.0
        one, other = np.asarray(1.0), small
        if not above.any():
            one, other = other, one
        elif not above.all():  # rare: scores come in order, and nearly every part of them has one sign
            one, other = np.where(above, 1.0, small), np.where(above, small, 1.0)
        target, nontarget = one * self.prior, other * (1.0 - self.prior)
        total = target + nontarget
        return np.asarray(target / total), np.asarray(nontarget / total)

    def log_odds(self) -> Floats:
        """ln(p / (1 − p))."""
        return logit(self.values) if self.prior is None else self.values + log_odds(self.prior)

    def target_log_loss(self, values: Floats) -> Floats:
        """−ln p of some of the values, inf at p = 0."""
        if self.prior is not None:
            return softplus(-(values + log_odds(self.prior)))
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(values))

    def nontarget_log_loss(self, values: Floats) -> Floats:
        """−ln(1 − p) of some of the values, inf at p = 1."""
        if self.prior is not None:
            return softplus(values + log_odds(self.prior))
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
    prior
        The prior at which LRs become posteriors; None where probabilities are taken as given.
    """

    counts: Counts
    prior: float | None

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
        scores = self.counts.score[part]
        if self.prior is None:
            return Stated(scores, None)
        return Stated(to_ln_lr(scores, self.counts.scale, self.counts.prior), self.prior)

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
    return LogOdds(counts, forecasts(counts, p_target=p_target).stated().log_odds())


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities(Forecasts):
    """Forecasts with the probability of each distinct score, in increasing order, shape (u,)."""

    probability: Floats


def probabilities(counts: Counts, *, p_target: float | None = None) -> Probabilities:
    """State probabilities as :func:`forecasts` does, and keep them."""
    forecast = forecasts(counts, p_target=p_target)
    if forecast.prior is None:
        return Probabilities(counts, None, counts.score)
    probability = np.empty(counts.n_distinct)
    for part in chunks(counts.n_distinct):
        probability[part] = forecast.stated(part).probability()
    # Rounding may turn neighbours round, and what looks up a probability relies on their order.
    np.maximum.accumulate(probability, out=probability)
    return Probabilities(counts, forecast.prior, read_only(probability))


def whole_trials(counts: Counts, what: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Targets and nontargets as whole numbers; :class:`UndefinedMetricError` with ``weighted`` when they are not.

    Whole weights are trials that were repeated; other weights have neither ranks nor a number of trials.
    """
    columns = counts.n_target, counts.n_nontarget
    if any(n.dtype.kind == "f" and (n != np.rint(n)).any() for n in columns):
        raise UndefinedMetricError(f"{what} counts trials, and the weights are not whole numbers", "weighted")
    return columns[0].astype(np.int64, copy=False), columns[1].astype(np.int64, copy=False)


def as_trials(counts: Counts, what: str) -> Counts:
    """The counts without weights, where whole weights are trials that were repeated, as in :func:`whole_trials`."""
    return counts.reweighted(*whole_trials(counts, what)) if counts.weighted else counts


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
    if p_target is not None:
        return Forecasts(counts, p_target)
    counts.require_both_classes("a posterior at the share of targets in the data (pass p_target)")
    # One quotient, so that the same shares give the same double, and the same bins, however many trials.
    return Forecasts(counts, counts.total_target / counts.total)
