"""Beta calibration: the log LR that two beta distributions of the probabilities would have."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Literal

import numpy as np

from deciban.calibration.fitting import Fits
from deciban.calibration.reading import Reading, kept_finite, read, refuse_constant
from deciban.counts.columns import ends
from deciban.counts.counts import Counts
from deciban.errors import InputError, UndefinedMetricError
from deciban.passes.logistic_columns import Plane, fit_plane
from deciban.values.arrays import Floats
from deciban.values.log_domain import expit, expit_pair, softplus
from deciban.values.log_domain import log_odds as log_odds_of
from deciban.values.scale import check_prior

STEEP: Final = 1e3
"""Coefficients above which differences of logarithms are computed with all their digits, which takes longer."""

ROUNDING: Final = 1e-12
"""By how much a cost must be less to be more than rounding."""

ENOUGH: Final = 1e-6
"""Share of a sum's terms below which the sum is 0."""

SMALLEST: Final = 5e-324
"""The smallest double above 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetaModel:
    """ln LR = a · ln(p/p_high) − b · ln((1 − p)/(1 − p_low)) + offset; x, low and high are log-odds of these.

    Low and high are the lowest and the highest log-odds fitted: where all lie close together, large terms would cancel
    without them.
    """

    a: float
    b: float
    low: float
    high: float
    offset: float
    kind: Literal["beta"] = "beta"
    reads: ClassVar[Reading] = "log_odds"
    formula: ClassVar[str] = (
        "ln LR = a · ln(p/p_high) − b · ln((1 − p)/(1 − p_low)) + offset; x, low and high are the log-odds"
    )
    derived: ClassVar[tuple[str, ...]] = ("c",)

    def __post_init__(self) -> None:
        numbers = (self.a, self.b, self.low, self.high, self.offset)
        if not (self.a >= 0.0 and self.b >= 0.0 and all(map(math.isfinite, numbers))):
            raise InputError(f"beta: expected finite a, b >= 0, low, high and offset, found {numbers!r}")

    @property
    def c(self) -> float:
        """The offset where both logarithms are 0, as in a · ln p − b · ln(1 − p) + c."""
        of_high, of_low = (float(softplus(np.array([x]))[0]) for x in (-self.high, self.low))
        return self.offset + self.a * of_high - self.b * of_low

    def ln_lr(self, x: Floats) -> Floats:
        """The log LRs; a coefficient of 0 leaves its end of the probabilities finite."""
        rise = rise_of_softplus if max(self.a, self.b) > STEEP else _difference
        ln_lr = np.full(x.shape, self.offset)
        with np.errstate(over="ignore"):
            if self.a:
                ln_lr -= self.a * rise(-x, -self.high)
            if self.b:
                ln_lr += self.b * rise(x, self.low)
        return kept_finite(ln_lr, x)


def _difference(x: Floats, centre: float) -> Floats:
    rise = softplus(x)
    rise -= softplus(np.array([centre]))
    return rise


def rise_of_softplus(x: Floats, centre: float) -> Floats:
    """softplus(x) − softplus(centre), with all the digits of x − centre where that is small."""
    rise = _difference(x, centre)
    with np.errstate(over="ignore"):
        distance = x - centre
    near = np.abs(distance) < 1.0
    rise[near] = np.log1p(expit(np.array([centre])) * np.expm1(distance[near]))
    return rise


@dataclass(frozen=True, slots=True)
class BetaCalibrator(Fits):
    """Calibrate probabilities by ln LR = a·ln p − b·ln(1 − p) + c with a, b >= 0.

    By maximum likelihood, each class with the weight of the prior; LRs are read as probabilities at even prior odds.

    Parameters
    ----------
    prior
        Prior π of the target that weighs the two classes; None (default) is ½.

    Raises
    ------
    OptionError
        When the prior is out of range.

    Notes
    -----
    A coefficient that would be negative is 0, and the others are the best beside it. ``fit`` raises
    :class:`ScaleError` for raw scores, :class:`UndefinedMetricError` (reason ``separated``) when a threshold parts the
    classes with the targets above, :class:`InputError` for probabilities of 0 and 1. In ``apply`` p = 1 is inf and
    p = 0 is −inf, unless b or a is 0. Calibrated log-odds have a = b = 1; probabilities that tell nothing have ln LR 0.

    References
    ----------
    Kull, Silva Filho and Flach (2017), Beta calibration, Electronic Journal of Statistics 11.

    Examples
    --------
    >>> import deciban as db
    >>> development = db.Counts.from_classes([0.9, 0.6, 0.8, 0.4], [0.2, 0.5, 0.1, 0.7], scale="probability")
    >>> db.BetaCalibrator().fit(development).transform([0.5]).round(3).tolist()
    [-0.122]
    """

    prior: float | None = None
    kind: Literal["beta"] = field(default="beta", kw_only=True, repr=False)
    reads: ClassVar[Reading] = "log_odds"
    finite_only: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "prior", check_prior(self.prior))

    def model(self, counts: Counts) -> BetaModel:
        """Fit the three parameters to counts of both classes."""
        x = read(counts.score, counts.scale, counts.prior, self.reads)
        refuse_constant(counts)
        if x[ends(counts.n_target)[0]] >= x[ends(counts.n_nontarget)[1]]:
            raise UndefinedMetricError(
                "calibration: a threshold parts targets and nontargets, so that the larger the parameters the better "
                "and none are best; collect harder trials, or use the logistic calibrator with a penalty",
                "separated",
            )
        low, high = float(x[0]), float(x[-1])
        # Near certainty a logarithm hardly changes: its distance from that of the end keeps what it does change by.
        features = np.column_stack([-rise_of_softplus(-x, -high), rise_of_softplus(x, low)])
        a, b, offset = _Fit(features, x, counts, 0.5 if self.prior is None else self.prior).best()
        return BetaModel(a=a, b=b, low=low, high=high, offset=offset)


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """ln(p/p_high) and −ln((1 − p)/(1 − p_low)) of the log-odds, and the trials."""

    features: Floats
    log_odds: Floats
    counts: Counts
    prior: float

    def best(self) -> tuple[float, float, float]:
        """a, b and the offset. The cost is convex: the best of all is best where it is allowed, else one of an edge.

        Raises
        ------
        UndefinedMetricError
            Why no best of all was found, where none of an edge is the best either.
        """
        error: UndefinedMetricError | None = None
        try:
            plane = self._plane(self.features)
            if plane.slopes.min() >= 0.0:
                return float(plane.slopes[0]), float(plane.slopes[1]), plane.offset
        except UndefinedMetricError as problem:
            error = problem
        found, least = (0.0, 0.0, 0.0), math.inf
        # Without a best of all, its slopes are infinite, which is possible with a negative one only; or log-odds are so
        # close together that two slopes cannot be told apart, and one for both does as well.
        for a, b in ((1.0, 0.0), (0.0, 1.0)) if error is None else ((1.0, 1.0), (1.0, 0.0), (0.0, 1.0)):
            try:
                plane = self._line() if a == b else self._plane(self.features @ [[a], [b]])
            except UndefinedMetricError as problem:
                error = problem if a == b else error
                continue
            slope = float(plane.slopes[0])
            if slope >= 0.0 and plane.loss < least - ROUNDING:
                found, least = (slope * a, slope * b, plane.offset), plane.loss
        if error is not None and not self._is_best(*found):
            raise error
        return found

    def _plane(self, columns: Floats) -> Plane:
        return fit_plane(columns, self.counts.n_target, self.counts.n_nontarget, prior=self.prior, centred=True)

    def _line(self) -> Plane:
        """One slope for both: a line in the log-odds, its offset where both features are 0."""
        plane = fit_plane(self.log_odds[:, None], self.counts.n_target, self.counts.n_nontarget, prior=self.prior)
        at = int(np.argmax(self.log_odds == plane.centres[0]))
        return replace(plane, offset=plane.offset - float(plane.slopes[0] * self.features[at].sum()))

    def _is_best(self, a: float, b: float, offset: float) -> bool:
        """Whether no slope above 0 would be better larger: with slopes that are best or 0, this is the optimum."""
        counts = self.counts
        p, rest = expit_pair(self.features @ [a, b] + (log_odds_of(self.prior) + offset))
        for_larger = self.prior / counts.total_target * counts.n_target * rest
        against = (1.0 - self.prior) / counts.total_nontarget * counts.n_nontarget * p
        # The log-odds by themselves: where they are too close together, the features are equal by rounding.
        # Where their distance overflows, what comes out is not finite, and nothing is said to be best.
        with np.errstate(over="ignore", invalid="ignore"):
            columns = np.column_stack([self.features, self.log_odds - self.log_odds[0]])
            columns /= np.maximum(np.abs(columns).max(axis=0), SMALLEST)
            rise, size = (for_larger - against) @ columns, (for_larger + against) @ np.abs(columns)
        return bool((rise <= ENOUGH * size).all())
