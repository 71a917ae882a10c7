"""What a comparison holds of every two systems, and of all of them at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from deciban.uncertainty.interval import Interval

Test = Literal["delong", "delong-unpaired", "permutation", "bootstrap"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One figure of one system less that of another.

    Attributes
    ----------
    metric
        Expression of the figure.
    first, second
        Names of the systems.
    value
        Difference; None where there is none, with the reason.
    unit, reason
        Unit of the figure; code when there is no value.
    interval, interval_reason
        Interval of the difference, or why there is none.
    test
        How the p-value was made: ``delong``, ``delong-unpaired``; ``permutation``: the scores of the two swapped trial
        by trial; ``bootstrap``: the level whose interval ends at 0.
    statistic
        z of a closed form: the difference in standard errors.
    p_value, p_reason
        How often chance alone goes as far to either side if the systems are alike, or why that is not known.
    p_holm
        The same adjusted for all pairs of systems that were compared by this figure.
    """

    metric: str
    first: str
    second: str
    value: float | None
    unit: str = ""
    reason: str | None = None
    interval: Interval | None = None
    interval_reason: str | None = None
    test: Test | None = None
    statistic: float | None = None
    p_value: float | None = None
    p_reason: str | None = None
    p_holm: float | None = None

    @property
    def name(self) -> str:
        """The two systems in words."""
        return f"{self.first} - {self.second}"

    def turned(self) -> Difference:
        """Return the second system less the first."""
        interval = self.interval
        return replace(
            self,
            first=self.second,
            second=self.first,
            value=_less(self.value),
            interval=interval and replace(interval, low=0.0 - interval.high, high=0.0 - interval.low),
            statistic=_less(self.statistic),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorsCompared:
    """McNemar's test: the errors that only one of two systems makes, each at its threshold.

    Attributes
    ----------
    first, second
        Names of the systems.
    first_threshold, second_threshold
        Threshold of each, for the scores as given.
    only_first, only_second, both, neither
        Trials that one of them, both or neither get wrong; None where trials are weighted.
    p_exact, p_mid
        Exact and mid-p two-sided p-values, None with ``reason``.
    p_exact_holm, p_mid_holm
        The same adjusted for all pairs of systems at these thresholds.
    reason
        Code when there are no p-values.
    """

    first: str
    second: str
    first_threshold: float
    second_threshold: float
    only_first: int | None
    only_second: int | None
    both: int | None
    neither: int | None
    p_exact: float | None
    p_mid: float | None
    p_exact_holm: float | None = None
    p_mid_holm: float | None = None
    reason: str | None = None

    @property
    def name(self) -> str:
        """The two systems in words."""
        return f"{self.first} - {self.second}"


@dataclass(frozen=True, slots=True, kw_only=True)
class JointTest:
    """A test that a figure of all systems is the same.

    Attributes
    ----------
    metric
        Expression of the figure.
    test
        ``delong``: χ² of contrasts.
    chi2, df, p_value
        Statistic, degrees of freedom, p-value; None with ``reason``.
    """

    metric: str
    test: Literal["delong"] = "delong"
    chi2: float | None
    df: int | None
    p_value: float | None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """How p-values were adjusted, and for which tests together: ``tests`` of them, one for every two systems."""

    method: Literal["holm"] = "holm"
    family: str = "every two systems by one figure, or at one threshold"
    tests: int


def _less(value: float | None) -> float | None:
    return None if value is None else 0.0 - value
