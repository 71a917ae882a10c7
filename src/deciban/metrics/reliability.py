"""How good stated probabilities are on the whole: Brier score, log loss, mean calibration and a test of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from deciban.errors import UndefinedMetricError
from deciban.metrics.spec import metric
from deciban.passes.forecasts import whole_trials
from deciban.passes.losses import Departures, departures, log_losses, squared_error


@metric(
    of=squared_error,
    title="Brier score",
    range=(0.0, 1.0),
    direction="lower",
    needs="probability",
    anchors=(0.0, None),
    of_these_shares=True,
    bootstrap="halves-log",
    use_when="judging probabilities by one number that rewards both calibration and discrimination",
    avoid_when="rare events matter most: errors of small probabilities hardly show",
    reference="Brier (1950), Verification of forecasts expressed in terms of probability, Monthly Weather Review 78",
)
def brier(loss: float) -> float:
    """Compute the mean squared error of the stated probabilities: (1/N)·[Σ_targets (1 − p)² + Σ_nontargets p²].

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.

    Returns
    -------
    float
        A loss. Perfect 0; stating the share of targets π for every trial gives π(1 − π), stating ½ gives 0.25.

    Raises
    ------
    ScaleError
        When the scores are neither probabilities nor LRs.
    SingleClassError
        When LRs are to become posteriors at the share of targets and a class is empty.
    OptionError
        When p_target is no prior.

    References
    ----------
    Brier (1950), Verification of forecasts expressed in terms of probability, Monthly Weather Review 78.

    Examples
    --------
    >>> import deciban as db
    >>> db.brier(db.Counts.from_classes([0.75, 0.5], [0.25, 0.5], scale="probability"))
    0.15625
    """
    return loss


@metric(
    of=log_losses,
    title="Log loss",
    unit="nats",
    range=(0.0, float("inf")),
    direction="lower",
    needs="probability",
    anchors=(0.0, None),
    of_these_shares=True,
    bootstrap="halves-log",
    use_when="judging probabilities where confident errors must count heavily",
    avoid_when="a certain prediction may be wrong and one such trial must not decide: the loss is then infinite",
    reference="Good (1952), Rational decisions, J. Royal Statistical Society B 14",
)
def log_loss(loss: float) -> float:
    """Compute the mean negative log-probability of what was true: −(1/N)·[Σ_targets ln p + Σ_nontargets ln(1 − p)].

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.

    Returns
    -------
    float
        Nats. Perfect 0; stating the share of targets gives the entropy of it; inf when a certain statement is wrong
        (nothing is clipped).

    Raises
    ------
    ScaleError
        When the scores are neither probabilities nor LRs.
    SingleClassError
        When LRs are to become posteriors at the share of targets and a class is empty.
    OptionError
        When p_target is no prior.

    References
    ----------
    Good (1952), Rational decisions, J. Royal Statistical Society B 14.

    Examples
    --------
    >>> import deciban as db
    >>> round(db.log_loss(db.Counts.from_classes([0.5], [0.5], scale="probability")), 6)
    0.693147
    """
    return loss


@metric(
    of=departures,
    title="Mean calibration",
    range=(-1.0, 1.0),
    direction="target value",
    needs="probability",
    anchors=(0.0, None),
    shown=(),
    use_when="asking whether probabilities are too high or too low on the whole",
    avoid_when="used alone: errors of both signs cancel",
    reference="Van Calster et al. (2019), Calibration: the Achilles heel of predictive analytics, BMC Medicine 17",
)
def mean_calibration(found: Departures) -> float:
    """Compute the mean stated probability less the share of targets.

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.

    Returns
    -------
    float
        A difference of probabilities. Perfect 0, positive when probabilities are too high; stating the share of
        targets for every trial gives 0 too.

    Raises
    ------
    ScaleError
        When the scores are neither probabilities nor LRs.
    SingleClassError
        When LRs are to become posteriors at the share of targets and a class is empty.
    OptionError
        When p_target is no prior.

    References
    ----------
    Van Calster et al. (2019), Calibration: the Achilles heel of predictive analytics, BMC Medicine 17.

    Examples
    --------
    >>> import deciban as db
    >>> db.mean_calibration(db.Counts.from_classes([1.0], [0.5, 0.25, 0.25], scale="probability"))
    0.25
    """
    return found.over / found.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Spiegelhalter:
    """A standard normal deviate under perfect calibration, and its two-sided p-value."""

    z: float
    p_value: float


@metric(
    of=departures,
    title="Spiegelhalter's test of calibration",
    range=(-math.inf, math.inf),
    direction="target value",
    needs="probability",
    anchors=(None, None),
    shown=(),
    parts=("z", "p_value"),
    bootstrap=None,
    use_when="asking whether a Brier score could come from perfectly calibrated probabilities; trials independent",
    avoid_when="trials share sources, or are so many that the smallest departure is significant",
    reference="Spiegelhalter (1986), Probabilistic prediction in patient management, Statistics in Medicine 5",
)
def spiegelhalter(found: Departures) -> Spiegelhalter:
    """Compute z = Σ (y − p)(1 − 2p) / √Σ (1 − 2p)²·p(1 − p), and how often chance alone passes it.

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.

    Returns
    -------
    Spiegelhalter
        ``z``: perfectly calibrated 0 on average with standard deviation 1; positive: the Brier score is larger than
        the probabilities claim (too extreme), negative: smaller (too timid). ``p_value``: two-sided.

    Raises
    ------
    ScaleError
        When the scores are neither probabilities nor LRs.
    SingleClassError
        When LRs are to become posteriors at the share of targets and a class is empty.
    UndefinedMetricError
        Reason ``zero_variance`` when all probabilities are 0, ½ or 1: chance has no room. Reason ``weighted`` when
        weights are not whole numbers: the test counts trials.
    OptionError
        When p_target is no prior.

    Notes
    -----
    Every trial twice multiplies z by √2, as it does with every test.

    References
    ----------
    Spiegelhalter (1986), Probabilistic prediction in patient management and clinical trials, Statistics in Medicine 5.

    Examples
    --------
    >>> import deciban as db
    >>> found = db.spiegelhalter(db.Counts.from_classes([0.75], [0.75], scale="probability"))
    >>> round(found.z, 6), round(found.p_value, 6)
    (0.816497, 0.414216)
    """
    whole_trials(found.counts, "a test of calibration")
    if found.variance <= 0.0:
        raise UndefinedMetricError("all probabilities are 0, ½ or 1: the test has no variance", "zero_variance")
    z = found.lean / math.sqrt(found.variance)
    return Spiegelhalter(z=z, p_value=math.erfc(abs(z) / math.sqrt(2.0)))
