"""Straight lines from scores to log LRs: by logistic regression, or through 0 (temperature)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from deciban.calibration.fitting import Fits
from deciban.calibration.reading import Reading, kept_finite, read, refuse_constant, too_close
from deciban.counts.counts import Counts
from deciban.errors import InputError, OptionError, UndefinedMetricError
from deciban.passes.logistic import fit_lr_line, fit_lr_slope, separated
from deciban.values.arrays import Floats
from deciban.values.log_domain import chunks
from deciban.values.option_checks import check_number
from deciban.values.scale import check_prior


@dataclass(frozen=True, slots=True, kw_only=True)
class LineModel:
    """ln LR = slope · (x − centre) + offset.

    The centre is one of the scores fitted: where scores lie far from 0 and close together, their distances from it keep
    the digits that slope · x would lose.
    """

    slope: float
    centre: float
    offset: float
    kind: Literal["line"] = "line"
    reads: ClassVar[Reading] = "log"
    formula: ClassVar[str] = "ln LR = slope · (x − centre) + offset"
    derived: ClassVar[tuple[str, ...]] = ("intercept",)

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.slope, self.centre, self.offset))):
            raise InputError(
                f"line: expected a finite slope, centre and offset, found {self.slope!r}, {self.centre!r} and "
                f"{self.offset!r}"
            )

    @property
    def intercept(self) -> float:
        """The log LR at x = 0."""
        return self.offset - self.slope * self.centre

    def ln_lr(self, x: Floats) -> Floats:
        """The log LRs; at ±inf the limit, which is the offset where the slope is 0."""
        if self.slope == 0.0:
            return np.full(x.shape, self.offset)
        ln_lr = np.empty(x.shape)
        with np.errstate(over="ignore"):
            for part in chunks(x.size):
                of_part = ln_lr[part]
                np.subtract(x[part], self.centre, out=of_part)
                of_part *= self.slope
                of_part += self.offset
        return kept_finite(ln_lr, x, self._far)

    def _far(self, x: Floats) -> Floats:
        """Where a distance from the centre is beyond the largest double: by halves."""
        return 2.0 * (self.slope * (x / 2.0 - self.centre / 2.0) + self.offset / 2.0)


@dataclass(frozen=True, slots=True)
class LogisticCalibrator(Fits):
    """Calibrate by logistic regression: ln LR = a·s + b.

    The model holds the line as slope · (s − centre) + offset, its centre being the median of the distinct scores, so
    that scores far from 0 lose no digits; ``model.intercept`` is b.

    Minimises π·mean_targets softplus(−ℓ − θ) + (1 − π)·mean_nontargets softplus(ℓ + θ) + ½·λ·(a·sd)², ℓ = a·s + b,
    θ = logit π. The scores s are read as natural logarithms where they are LRs, and as log-odds where they are
    probabilities.

    Parameters
    ----------
    prior
        Prior π of the target that weighs the two classes, strictly between 0 and 1; None (default) is ½. Numbers of
        trials do not matter.
    penalty
        λ >= 0 on the slope per standard deviation of the scores (classes weighing π and 1 − π); 0 (default) is maximum
        likelihood, without any shrinkage.

    Raises
    ------
    OptionError
        When the prior or the penalty is out of range.

    Notes
    -----
    An affine map of the scores changes nothing. ``fit`` raises :class:`UndefinedMetricError`, reason ``separated``,
    when a threshold parts the classes and no penalty is asked for, :class:`SingleClassError` without both classes and
    :class:`InputError` for infinite scores. In ``apply`` ±inf becomes ±inf (∓inf with a slope below 0). Scores that
    tell nothing give ln LR near 0.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import deciban as db
    >>> development = db.Counts.from_classes([1, 1, 1, -1], [1, -1, -1, -1, -1])
    >>> calibration = db.LogisticCalibrator().fit(development)
    >>> calibration.transform([-1, 1]).round(6).tolist()
    [-1.163151, 1.321756]
    """

    prior: float | None = None
    penalty: float = 0.0
    kind: Literal["logistic"] = field(default="logistic", kw_only=True, repr=False)
    reads: ClassVar[Reading] = "log"
    finite_only: ClassVar[bool] = True

    def __post_init__(self) -> None:
        penalty = check_number("penalty", self.penalty)
        if not 0.0 <= penalty < math.inf:
            raise OptionError(f"penalty: expected a finite number >= 0, found {self.penalty!r}")
        # Plain doubles, so that what is saved has the same digits as what is loaded again.
        object.__setattr__(self, "prior", check_prior(self.prior))
        object.__setattr__(self, "penalty", penalty)

    def model(self, counts: Counts) -> LineModel:
        """Fit the line to counts of both classes."""
        refuse_constant(counts)
        x = read(counts.score, counts.scale, counts.prior, self.reads)
        if not self.penalty and separated(x, counts.n_target, counts.n_nontarget):
            raise UndefinedMetricError(
                "calibration: a threshold parts targets and nontargets, so that the steeper the line the better and "
                "none is best; collect harder trials, or say penalty= (--penalty), e.g. 0.01",
                "separated",
            )
        prior = 0.5 if self.prior is None else self.prior
        line = fit_lr_line(x, counts.n_target, counts.n_nontarget, prior=prior, penalty=self.penalty)
        return _line(line.slope, line.centre, line.offset)


@dataclass(frozen=True, slots=True)
class TemperatureCalibrator(Fits):
    """Calibrate by one factor: ln LR = s/T with a temperature T > 0.

    Minimises the same cost as :class:`LogisticCalibrator` over T alone. The scores s are read as natural logarithms
    where they are LRs, and as log-odds where they are probabilities (less those of their prior, where it is known).

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
    ``fit`` raises :class:`UndefinedMetricError`: reason ``separated`` when 0 parts the classes, ``degenerate`` when the
    scores speak against the target, so that no T is best, ``zero_variance`` when they are all equal. Infinite scores
    are refused; in ``apply`` ±inf stays ±inf.
    A calibrated system has T = 1.

    References
    ----------
    Guo, Pleiss, Sun and Weinberger (2017), On calibration of modern neural networks, ICML.

    Examples
    --------
    >>> import deciban as db
    >>> development = db.Counts.from_classes([4, 4, 4, -4], [4, -4, -4, -4], scale="ln_lr")
    >>> db.TemperatureCalibrator().fit(development).transform([4]).round(6).tolist()
    [1.098612]
    """

    prior: float | None = None
    kind: Literal["temperature"] = field(default="temperature", kw_only=True, repr=False)
    reads: ClassVar[Reading] = "log"
    finite_only: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "prior", check_prior(self.prior))

    def model(self, counts: Counts) -> LineModel:
        """Fit the temperature to counts of both classes."""
        refuse_constant(counts)
        x = read(counts.score, counts.scale, counts.prior, self.reads)
        prior = 0.5 if self.prior is None else self.prior
        return _line(fit_lr_slope(x, counts.n_target, counts.n_nontarget, prior=prior), 0.0, 0.0)


def _line(slope: float, centre: float, offset: float) -> LineModel:
    """The model; raises where scores are so close together that no double holds the slope."""
    if not math.isfinite(slope):
        raise too_close("slope")
    return LineModel(slope=slope, centre=centre, offset=offset)
