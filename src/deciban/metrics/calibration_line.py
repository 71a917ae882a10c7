"""The straight line in log-odds that would calibrate stated probabilities: which way, and how far, they are off."""

from __future__ import annotations

import math
from dataclasses import dataclass

from deciban.metrics.spec import metric
from deciban.passes.forecasts import LogOdds, stated_log_odds
from deciban.passes.logistic import fit_line, fit_offset

REFERENCE = "Cox (1958), Two further applications of a model for binary regression, Biometrika 45"


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationLine:
    """logit P(target) = intercept + slope·logit p."""

    intercept: float
    slope: float


@metric(
    of=stated_log_odds,
    title="Calibration line",
    range=(-math.inf, math.inf),
    direction="target value",
    needs="probability",
    anchors=(None, None),
    shown=(),
    parts=("intercept", "slope"),
    use_when="asking which way probabilities are off: too extreme (slope < 1), too timid, too high or too low",
    avoid_when="the departure is not a line in log-odds: look at the reliability diagram",
    reference=REFERENCE,
)
def calibration_line(stated: LogOdds) -> CalibrationLine:
    """Fit logit P(target) = a + b·logit p by maximum likelihood, every trial counting alike.

    Parameters
    ----------
    counts
        Counts of both classes on the probability scale or an LR scale.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.

    Returns
    -------
    CalibrationLine
        ``intercept`` in nats and ``slope``. Perfectly calibrated 0 and 1; slope < 1: too extreme; no relation of
        probabilities to classes: slope 0. An intercept is read together with its slope; :func:`calibration_intercept`
        stands alone.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are neither probabilities nor LRs.
    UndefinedMetricError
        Reason ``infinite_end`` when a probability is 0 or 1; ``separated`` when the classes do not overlap (one
        probability for all trials included), so that no finite line is best; ``not_converged`` when its slope is
        beyond the largest double.
    OptionError
        When p_target is no prior.

    Notes
    -----
    LRs enter as log-odds: a posterior that rounds to 1 is not taken for certain.

    References
    ----------
    Cox (1958), Two further applications of a model for binary regression, Biometrika 45.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.2] * 2 + [0.8] * 4, [0.2] * 3 + [0.8], scale="probability")
    >>> line = db.calibration_line(counts)
    >>> round(line.intercept, 6), round(line.slope, 6)
    (0.490415, 0.646241)
    """
    stated.counts.require_both_classes("a calibration line")
    line = fit_line(stated.log_odds, stated.counts.n_target, stated.counts.n_nontarget)
    return CalibrationLine(intercept=line.intercept, slope=line.slope)


@metric(
    of=stated_log_odds,
    title="Calibration intercept (calibration in the large)",
    unit="nats",
    range=(-math.inf, math.inf),
    direction="target value",
    needs="probability",
    anchors=(0.0, None),
    shown=(),
    use_when="asking whether probabilities are too high or too low on the whole, on the scale of log-odds",
    avoid_when="they are too extreme rather than shifted: fit the whole line",
    reference=REFERENCE,
)
def calibration_intercept(stated: LogOdds) -> float:
    """Fit logit P(target) = a + logit p by maximum likelihood: the calibration line with its slope fixed at 1.

    At a, the mean of the shifted probabilities equals the share of targets.

    Parameters
    ----------
    counts
        Counts of both classes on the probability scale or an LR scale.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.

    Returns
    -------
    float
        Nats. Perfectly calibrated 0; positive: probabilities are too low; stating ½ for every trial gives the
        log-odds of the share of targets.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are neither probabilities nor LRs.
    UndefinedMetricError
        Reason ``infinite_end`` when a probability is 0 or 1.
    OptionError
        When p_target is no prior.

    Notes
    -----
    Separated classes have an intercept all the same.

    References
    ----------
    Cox (1958), Two further applications of a model for binary regression, Biometrika 45.

    Examples
    --------
    >>> import deciban as db
    >>> round(db.calibration_intercept(db.Counts.from_classes([0.5, 0.5, 0.5], [0.5], scale="probability")), 6)
    1.098612
    """
    stated.counts.require_both_classes("a calibration intercept")
    return fit_offset(stated.log_odds, stated.counts.n_target, stated.counts.n_nontarget)
