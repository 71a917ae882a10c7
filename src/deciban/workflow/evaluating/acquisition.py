"""Rates with failures to acquire and to enrol beside the errors of comparison, as ISO/IEC 19795-1 has them.

Trials whose score is missing count as never accepted (``missing="reject"``): p_miss and p_fa of the threshold table are
then FRR and FAR. FNMR and FMR are those of the comparisons that took place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from deciban.counts.of_trials import count_trials
from deciban.counts.tally import Known, Tally
from deciban.errors import OptionError
from deciban.metrics.biometric import generalised_rates
from deciban.records.figures import MetricValue, ThresholdRow
from deciban.trials.trials import Trials
from deciban.values.option_checks import check_number
from deciban.workflow.compute import threshold_row
from deciban.workflow.intervals.intervals import sources_known, with_intervals
from deciban.workflow.intervals.ways import Ways


@dataclass(frozen=True, slots=True)
class Failures:
    """Rates of failure that are given rather than counted; None where they are not."""

    fta: float | None = None
    fte: float | None = None

    @classmethod
    def given(cls, fta: float | None, fte: float | None, trials: Known | None) -> Failures:
        """Check them; failures to acquire are counted or given, not both."""
        for name, rate in (("fta", fta), ("fte", fte)):
            if rate is not None and not 0.0 <= check_number(name, rate, "a rate in [0, 1]") <= 1.0:
                raise OptionError(f"{name}: expected a rate in [0, 1], found {rate!r}")
        if fta is not None and _counts_failures(trials):
            raise OptionError("fta: failures to acquire are counted from the trials already; leave the rate out")
        return cls(fta, fte)

    def check_used(self, thresholds: Sequence[float]) -> None:
        """Raise where a rate is given and there is no threshold at which others would be made of it."""
        if self != NONE_GIVEN and not thresholds:
            name = "fte" if self.fta is None else "fta"
            raise OptionError(
                f"{name}: it is for rates at a threshold, and there is none: give thresholds= (--threshold)"
            )


NONE_GIVEN: Final = Failures()


def _counts_failures(trials: Known | None) -> bool:
    """Whether trials with a missing score are among them."""
    rows = trials.rows if isinstance(trials, Tally) else trials
    return rows is not None and rows.failed is not None


def with_failures(row: ThresholdRow, trials: Known | None, given: Failures, ways: Ways) -> ThresholdRow:
    """Return a row of the threshold table with its rates of failure, where any are counted or given."""
    counted = _counts_failures(trials)
    if not counted and given == NONE_GIVEN:
        return row
    if trials is not None and counted:
        rates = _counted(row, trials.trials() if isinstance(trials, Tally) else trials, ways)
    else:
        rates = _of_comparisons(row.metrics, given.fta or 0.0)
    if given.fte is not None:
        fte = given.fte
        rates["gfrr"] = _mapped(rates["frr"], lambda frr: generalised_rates(fte=fte, fta=0.0, fmr=0.0, fnmr=frr).gfrr)
        rates["gfar"] = _mapped(rates["far"], lambda far: generalised_rates(fte=fte, fta=0.0, fmr=far, fnmr=0.0).gfar)
    return replace(row, acquisition=rates)


def _counted(row: ThresholdRow, trials: Trials, ways: Ways) -> dict[str, MetricValue]:
    """FTA by class, the errors of the comparisons that took place, and those of all attempts."""
    failed = trials.failed
    if failed is None or row.threshold == -math.inf:
        # Accepting whatever comes would accept what never came: the counts of such a row say nothing of failures.
        none = MetricValue(value=None, reason="infinite_end", interval_reason="infinite_end")
        return dict.fromkeys(("fta_target", "fta_nontarget", "fnmr", "fmr", "frr", "far"), none)
    acquired = replace(trials, score=np.where(failed, 0.0, 1.0), failed=None)
    of_acquiring = _at(acquired, 1.0, ways)
    of_comparisons = _at(trials.select(~failed), row.threshold, ways)
    return {
        "fta_target": of_acquiring["p_miss"],
        "fta_nontarget": of_acquiring["specificity"],
        "fnmr": of_comparisons["p_miss"],
        "fmr": of_comparisons["p_fa"],
        "frr": row.metrics["p_miss"],
        "far": row.metrics["p_fa"],
    }


def _of_comparisons(metrics: Mapping[str, MetricValue], fta: float) -> dict[str, MetricValue]:
    """The errors of the comparisons, and with a given rate of failure those of all attempts."""
    fnmr, fmr = metrics["p_miss"], metrics["p_fa"]
    return {
        "fnmr": fnmr,
        "fmr": fmr,
        "frr": _mapped(fnmr, lambda rate: generalised_rates(fte=0.0, fta=fta, fmr=0.0, fnmr=rate).frr),
        "far": _mapped(fmr, lambda rate: generalised_rates(fte=0.0, fta=fta, fmr=rate, fnmr=0.0).far),
    }


def _at(trials: Trials, threshold: float, ways: Ways) -> Mapping[str, MetricValue]:
    """The ratios of trials at a threshold, with intervals made as those of the table."""
    counts = count_trials(trials)
    row = threshold_row(counts, threshold, "given", exact=False)
    if ways.interval == "auto" and not sources_known(trials):
        ways = replace(ways, interval="closed")  # the rates have closed forms; nothing else of the row is used
    return with_intervals({}, [row], counts, trials, None, ways)[1][0].metrics


def _mapped(figure: MetricValue, rate: Callable[[float], float]) -> MetricValue:
    """A rate from one that it increases with; what is given is taken as known exactly."""
    bracket, interval = figure.bracket, figure.interval
    if bracket is not None:
        bracket = replace(bracket, low=rate(bracket.low), high=rate(bracket.high))
    if interval is not None:
        low, high = rate(interval.low), rate(interval.high)
        interval = replace(interval, low=low, high=high, method=f"{interval.method}, given rates")
    value = None if figure.value is None else rate(figure.value)
    return replace(figure, value=value, exact=None, interval=interval, bracket=bracket)
