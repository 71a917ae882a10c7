"""The figures of three-class trials: each a function of counts, with how its interval is read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from deciban.counts.counts import Counts
from deciban.counts.tandem import Against, TandemCounts
from deciban.errors import UndefinedMetricError
from deciban.metrics.eer import eer
from deciban.metrics.tandem.a_dcf import act_a_dcf, min_a_dcf
from deciban.metrics.tandem.asv_rates import Asv, AsvRates, rates_of
from deciban.metrics.tandem.costs import LegacyTandemCost, SpoofAwareCost, TandemCost
from deciban.metrics.tandem.t_dcf import act_t_dcf, min_t_dcf
from deciban.metrics.tandem.t_eer import t_eer
from deciban.records.figures import MetricValue
from deciban.uncertainty.bootstrap.bootstrap import Figure, Method

Function = Callable[[TandemCounts], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of the systems.

    Attributes
    ----------
    asv
        The verifier in the tandem: a threshold, rates, or None for that of its EER.
    cm_threshold, sasv_threshold
        Where the countermeasure, or the one system, accepts; None: only the least costs.
    tandem_costs, spoof_aware_costs
        Detection costs by name.
    """

    asv: Asv
    cm_threshold: float | None
    sasv_threshold: float | None
    tandem_costs: Mapping[str, TandemCost | LegacyTandemCost]
    spoof_aware_costs: Mapping[str, SpoofAwareCost]


@dataclass(frozen=True, slots=True, kw_only=True)
class TandemFigure:
    """One figure: its function, and how its interval is read from replicates.

    The least of costs over thresholds is read as ``min_dcf`` is, equal error rates as ``eer`` is, the rest from the
    quantiles.
    """

    function: Function
    method: Method = "percentile"
    highest: float = 1.0
    rate: float = 1.0

    def drawn(self, name: str) -> Figure:
        """What the bootstrap needs to know."""
        perfect = 0.0 if self.method == "halves-log" else None
        return Figure(name=name, range=(0.0, self.highest), method=self.method, perfect=perfect, rate=self.rate)


def figures_for(counts: TandemCounts, asked: Asked) -> dict[str, TandemFigure]:
    """Every figure that the scores at hand allow, in the order of the table."""
    found: dict[str, TandemFigure] = {}
    if counts.asv is not None:
        found |= _equal_errors("asv_eer", _verification)
    if counts.cm is not None:
        found |= _equal_errors("cm_eer", _countermeasure)
    if counts.cm is not None and (counts.asv is not None or isinstance(asked.asv, (AsvRates, str))):
        found |= dict(_costs_of_tandem(asked))
    if counts.cm is not None and counts.asv is not None:
        for part in ("value", "p_miss", "p_fa_nontarget", "p_fa_spoof"):
            name = "t_eer" if part == "value" else f"t_eer.{part}"
            found[name] = TandemFigure(function=partial(_part_of_t_eer, part=part))
    if counts.asv is not None:
        for rate in ("p_miss", "p_fa", "p_fa_spoof"):
            found[f"asv.{rate}"] = TandemFigure(function=partial(_rate, rate=rate, asv=asked.asv))
    if counts.sasv is not None:
        found |= dict(_of_one_system(asked))
    return found


def _costs_of_tandem(asked: Asked) -> Iterator[tuple[str, TandemFigure]]:
    for name, cost in asked.tandem_costs.items():
        least = partial(min_t_dcf, cost=cost, asv=asked.asv)
        yield f"min_t_dcf:cost={name}", TandemFigure(function=least, method="basic")
        if asked.cm_threshold is not None:
            there = partial(act_t_dcf, threshold=asked.cm_threshold, cost=cost, asv=asked.asv)
            yield f"act_t_dcf:cost={name}", TandemFigure(function=there, highest=math.inf)


def _of_one_system(asked: Asked) -> Iterator[tuple[str, TandemFigure]]:
    for name, cost in asked.spoof_aware_costs.items():
        least = partial(min_a_dcf, cost=cost)
        yield f"min_a_dcf:cost={name}", TandemFigure(function=least, method="basic")
        if asked.sasv_threshold is not None:
            there = partial(act_a_dcf, threshold=asked.sasv_threshold, cost=cost)
            yield f"act_a_dcf:cost={name}", TandemFigure(function=there, highest=math.inf)
    against: dict[str, Against] = {"sasv_eer": "both", "sv_eer": "nontarget", "spf_eer": "spoof"}
    for name, other in against.items():
        yield from _equal_errors(name, partial(_one_system, against=other)).items()


def _equal_errors(name: str, counted: Callable[[TandemCounts], Counts]) -> dict[str, TandemFigure]:
    """The EER on the hull and the one of the organisers' scorer."""
    return {
        name: TandemFigure(function=partial(_eer, counted, method="rocch"), method="halves-log", rate=2 / 3),
        f"{name}:method=asvspoof": TandemFigure(function=partial(_eer, counted, method="asvspoof")),
    }


def _eer(counted: Callable[[TandemCounts], Counts], counts: TandemCounts, *, method: str) -> float:
    return eer(counted(counts), method=method)


def _verification(counts: TandemCounts) -> Counts:
    return counts.require_asv("asv_eer").against("nontarget")


def _countermeasure(counts: TandemCounts) -> Counts:
    return counts.require_cm("cm_eer")


def _one_system(counts: TandemCounts, *, against: Against) -> Counts:
    return counts.require_sasv("sasv_eer").against(against)


def _part_of_t_eer(counts: TandemCounts, *, part: str) -> float:
    return float(getattr(t_eer(counts), part))


def _rate(counts: TandemCounts, *, rate: str, asv: Asv) -> float:
    return float(getattr(rates_of(counts, asv), rate))


def values(counts: TandemCounts, figures: Mapping[str, TandemFigure]) -> dict[str, MetricValue]:
    """The value of each figure, or the reason why it has none."""
    return {name: _value(figure.function, counts) for name, figure in figures.items()}


def _value(function: Function, counts: TandemCounts) -> MetricValue:
    try:
        return MetricValue(value=function(counts), interval_reason="not_computed")
    except UndefinedMetricError as error:
        return MetricValue(value=None, reason=error.reason, interval_reason=error.reason)


def drawn(figures: Mapping[str, TandemFigure], found: Mapping[str, MetricValue]) -> Sequence[tuple[Figure, float]]:
    """The figures that have a value, and with it an interval."""
    return [(figure.drawn(name), value) for name, figure in figures.items() if (value := found[name].value) is not None]
