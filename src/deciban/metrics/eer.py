"""The equal error rate by every definition in use: same data, different values, so each is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from deciban.counts.argument import of_counts
from deciban.counts.counts import Counts
from deciban.metrics.crossing import Crossing, Point, hull_crossing, step_crossing, trial_crossing
from deciban.metrics.spec import metric
from deciban.passes.cumulative import Cumulative, cumulate
from deciban.passes.pool import Pooled, pool


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualError:
    """An equal error rate and where it is.

    Attributes
    ----------
    value
        The rate.
    threshold
        The score at which it is reached, or None when only randomising between two rules reaches it.
    below, above
        The neighbouring thresholds in that case (the lower accepts more), else None.
    """

    value: float
    threshold: float | None
    below: float | None = None
    above: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fvc:
    """The interval of FVC2000 in which the two error rates cross, and its middle."""

    low: float
    high: float
    mean: float


def _rocch(points: Cumulative, pooled: Pooled) -> EqualError:
    cross, step = hull_crossing(pooled), step_crossing(points)
    value = cross.on_line()
    # A point of the ROC may lie on an edge of the hull without being a vertex of it.
    if step.gap(step.lax) == 0 and step.rates(step.lax)[1] == value:
        return EqualError(value=value, threshold=step.lax.threshold)
    return EqualError(value=value, threshold=None, below=cross.lax.threshold, above=cross.strict.threshold)


def _interpolated(points: Cumulative, _: Pooled) -> EqualError:
    cross = step_crossing(points)
    if cross.gap(cross.lax) == 0:
        return EqualError(value=cross.on_line(), threshold=cross.lax.threshold)
    return EqualError(value=cross.on_line(), threshold=None, below=cross.lax.threshold, above=cross.strict.threshold)


def _nearest_point(points: Cumulative, last: bool) -> tuple[Crossing, Point]:
    """The point with the least difference of the rates; of two alike the higher threshold when ``last``."""
    cross = step_crossing(points)
    lax, strict = abs(cross.gap(cross.lax)), abs(cross.gap(cross.strict))
    return cross, cross.strict if strict < lax or (strict == lax and last) else cross.lax


def _nearest_first(points: Cumulative, _: Pooled) -> EqualError:
    cross, point = _nearest_point(points, last=False)
    return EqualError(value=sum(cross.rates(point)) / 2, threshold=point.threshold)


def _nearest_last(points: Cumulative, _: Pooled) -> EqualError:
    cross, point = _nearest_point(points, last=True)
    return EqualError(value=sum(cross.rates(point)) / 2, threshold=point.threshold)


def _nearest_max(points: Cumulative, _: Pooled) -> EqualError:
    cross, point = _nearest_point(points, last=False)
    return EqualError(value=max(cross.rates(point)), threshold=point.threshold)


def fvc_interval(points: Cumulative) -> tuple[Fvc, Point]:
    """FVC2000's interval: the rates at t1 or at t2, whichever has the smaller sum."""
    cross = step_crossing(points)
    t1 = cross.lax
    t2 = cross.lax if cross.gap(cross.lax) == 0 else cross.strict
    (miss1, fa1), (miss2, fa2) = cross.rates(t1), cross.rates(t2)
    low, high, point = (miss1, fa1, t1) if miss1 + fa1 <= miss2 + fa2 else (fa2, miss2, t2)
    return Fvc(low=low, high=high, mean=(low + high) / 2), point


def _fvc(points: Cumulative, _: Pooled) -> EqualError:
    interval, point = fvc_interval(points)
    return EqualError(value=interval.mean, threshold=point.threshold)


def _asvspoof(points: Cumulative, _: Pooled) -> EqualError:
    cross = trial_crossing(points)
    point = cross.strict if abs(cross.gap(cross.strict)) < abs(cross.gap(cross.lax)) else cross.lax
    return EqualError(value=sum(cross.rates(point)) / 2, threshold=point.threshold)


def _nist(points: Cumulative, _: Pooled) -> EqualError:
    cross = trial_crossing(points)
    return EqualError(value=cross.on_line(), threshold=None, below=cross.lax.threshold, above=cross.strict.threshold)


METHODS: Final[dict[str, Callable[[Cumulative, Pooled], EqualError]]] = {
    "rocch": _rocch,
    "interpolated": _interpolated,
    "nearest-first": _nearest_first,
    "nearest-last": _nearest_last,
    "nearest-max": _nearest_max,
    "fvc": _fvc,
    "asvspoof": _asvspoof,
    "nist": _nist,
}


@of_counts
def equal_error(counts: Counts, *, method: str = "rocch") -> EqualError:
    """Find the equal error rate and the threshold at which it is reached.

    Parameters
    ----------
    counts
        Counts of both classes.
    method
        As in :func:`eer`.

    Returns
    -------
    EqualError
        ``value`` (an exact Fraction unless weighted) and ``threshold``, or the two neighbouring thresholds when only
        randomising between them reaches the rate. For ``asvspoof`` the threshold is the score of the last rejected
        trial.

    Raises
    ------
    SingleClassError
        When a class is empty.

    References
    ----------
    Brümmer and de Villiers (2013), The BOSARIS toolkit, arXiv:1304.2865.

    Examples
    --------
    >>> import deciban as db
    >>> db.equal_error(db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1])).threshold
    0.6
    """
    eer.spec.complete({"method": method})
    return METHODS[method](cumulate(counts), pool(counts))


@metric(
    of=(cumulate, pool),
    title="Equal error rate",
    range=(0.0, 1.0),
    direction="lower",
    anchors=(0.0, 0.5),
    choices={"method": tuple(METHODS)},
    exact=True,
    rank_only=True,
    swapped="same",
    bootstrap="halves-log",
    bias_rate=2 / 3,  # of isotonic regression, of which the hull is made
    use_when="comparing detectors by one number when no costs or prior are given; say which method",
    avoid_when="an application has an operating point: misses and false alarms are rarely equally dear",
    reference="Brümmer and de Villiers (2013), The BOSARIS toolkit, arXiv:1304.2865",
)
def eer(points: Cumulative, pooled: Pooled, *, method: str = "rocch") -> float:
    """Compute the rate at which p_miss = p_fa, by a named definition.

    ``rocch`` (default): where the ROC convex hull meets the diagonal, which is the maximum over priors of the minimum
    Bayes error. ``interpolated``: where the step ROC, its points joined by straight lines, meets it. ``nearest-first``
    and ``nearest-last``: mean of the rates at the point where they differ least, the lower or the higher threshold of
    two alike; ``nearest-max``: the larger of the rates there. ``fvc``: the middle of FVC2000's interval. ``asvspoof``
    and ``nist`` step through single trials, targets before nontargets among equal scores, and are kept only to
    reproduce published figures.

    Parameters
    ----------
    counts
        Counts of both classes.
    method
        The definition.
    exact
        Return a Fraction.

    Returns
    -------
    float
        A rate. Perfect 0, no information 0.5; ``rocch`` never exceeds 0.5, the others reach 1 for reversed scores.

    Raises
    ------
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        Reason ``weighted`` for the methods that step through trials, when weights are not whole numbers.

    Notes
    -----
    Ties move together; all scores equal gives 0.5 (``asvspoof`` and ``nist``: 1). Infinite scores are scores.

    References
    ----------
    Brümmer and de Villiers (2013), The BOSARIS toolkit, arXiv:1304.2865. Maio et al. (2002), FVC2000, IEEE PAMI 24.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.9, 0.5], [0.8, 0.7, 0.1])
    >>> db.eer(counts, exact=True), db.eer(counts, method="interpolated")
    (Fraction(2, 7), 0.5)
    """
    return METHODS[method](points, pooled).value


@metric(
    of=cumulate,
    title="Equal error interval of FVC2000",
    range=(0.0, 1.0),
    direction="lower",
    anchors=(0.0, None),
    shown=(),
    parts=("low", "high", "mean"),
    exact=True,
    rank_only=True,
    use_when="reproducing fingerprint verification competitions",
    avoid_when="one number is wanted: its middle is one of several EERs",
    reference="Maio et al. (2002), FVC2000: fingerprint verification competition, IEEE PAMI 24",
)
def eer_fvc(points: Cumulative) -> Fvc:
    """Compute the interval in which p_miss and p_fa cross, from the two thresholds around the crossing.

    t1 is the largest threshold with p_miss <= p_fa, t2 the smallest with p_miss >= p_fa; of the two the one with the
    smaller p_miss + p_fa gives low and high.

    Parameters
    ----------
    counts
        Counts of both classes.
    exact
        Return Fractions.

    Returns
    -------
    Fvc
        ``low``, ``high``, ``mean``: rates. Perfect: all 0; all scores equal: 0, 1 and 0.5.

    Raises
    ------
    SingleClassError
        When a class is empty.

    References
    ----------
    Maio et al. (2002), FVC2000: fingerprint verification competition, IEEE PAMI 24.

    Examples
    --------
    >>> import deciban as db
    >>> db.eer_fvc(db.Counts.from_classes([0.9, 0.5], [0.8, 0.7, 0.1])).mean
    0.4166666666666667
    """
    return fvc_interval(points)[0]
