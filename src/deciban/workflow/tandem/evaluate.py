"""Figures of three-class trials in one record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from deciban.counts.tandem import TandemCounts, count_tandem
from deciban.curves.curve import select
from deciban.curves.tandem_cost import TandemCostCurve
from deciban.curves.thinning import rows_to_keep
from deciban.errors import InputError, OptionError, UndefinedMetricError
from deciban.metrics.tandem.asv_rates import Asv, AsvRates, rates_of
from deciban.metrics.tandem.costs import (
    SPOOF_AWARE_PRESETS,
    TANDEM_PRESETS,
    LegacyTandemCost,
    SpoofAwareCost,
    TandemCost,
    spoof_aware_cost,
    stated,
    tandem_cost,
)
from deciban.metrics.tandem.t_dcf import t_dcf_curve
from deciban.records.figures import MetricValue
from deciban.records.provenance import Provenance
from deciban.records.tandem import ClassNumbers, TandemEvaluation, TandemGroup
from deciban.tables.tandem_scanning import TandemTable
from deciban.trials.tandem import TandemTrials
from deciban.uncertainty.bootstrap.repeat import Progress, check_draws
from deciban.uncertainty.bootstrap.tandem import tandem_intervals
from deciban.uncertainty.interval import Interval
from deciban.values.option_checks import check_choice, check_flag, check_number
from deciban.values.record import to_plain
from deciban.version import versions
from deciban.workflow.asked import word_list
from deciban.workflow.intervals.ways import AUTO_LIMIT, DRAWN
from deciban.workflow.tandem.figures import Asked, TandemFigure, drawn, figures_for, values
from deciban.workflow.tandem.findings import findings_of
from deciban.workflow.tandem.groups import Part, parts_of

ASSUMED: Final = "assumed"
"""What stands beside the columns of each table in a record: sentences on what was recognised rather than given."""

MANY_GROUPS: Final = 10
"""Groups up to which ``auto`` draws replicates of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ways:
    """How intervals are made."""

    interval: str
    level: float
    replicates: int
    seed: int
    progress: Progress | None

    def draws(self, tables: Sequence[TandemTrials], groups: int) -> bool:
        """Whether replicates are drawn of these trials."""
        small = sum(map(len, tables)) <= AUTO_LIMIT and groups <= MANY_GROUPS
        return self.interval == "bootstrap" or (self.interval == "auto" and small)


def evaluate_tandem(
    *data: TandemTrials | TandemTable,
    asv: Asv = None,
    cm_threshold: float | None = None,
    sasv_threshold: float | None = None,
    tandem_costs: Iterable[str] | Mapping[str, TandemCost | LegacyTandemCost] = tuple(TANDEM_PRESETS),
    spoof_aware_costs: Iterable[str] | Mapping[str, SpoofAwareCost] = tuple(SPOOF_AWARE_PRESETS),
    by: str | Iterable[str] | None = (),
    interval: str = "auto",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    curves: bool = True,
    progress: Progress | None = None,
) -> TandemEvaluation:
    """Compute the figures that the scores of three-class trials allow.

    Scores of a verifier (``asv``) and a countermeasure (``cm``) give the t-DCF, the t-EER and the EER of each; one
    score for both tasks (``sasv``) gives the a-DCF and three EERs: targets against all others, nontargets, spoofs.

    Parameters
    ----------
    *data
        Trials, or tables from ``scan_tandem``: one with all scores, or one for each.
    asv
        The verifier in the tandem: its threshold, ``AsvRates``, or ``"asvspoof5"``. Default: the threshold of its EER.
    cm_threshold, sasv_threshold
        Where the countermeasure, or the one system, accepts: gives the actual costs beside the least ones.
    tandem_costs, spoof_aware_costs
        Names of detection costs, or costs by names of your own. Default: all named ones.
    by
        Condition columns (attack, codec); each is a table of groups, ``"a,b"`` crosses two. A bona fide trial
        whose condition is null or ``-`` belongs to every group, a spoof must have a value. The verifier keeps the
        threshold of the whole. A group that one of two tables lacks has no figure that needs both.
    interval, level, replicates, seed
        ``"auto"``: the bootstrap up to 10 000 trials and ten groups; ``"bootstrap"``; ``"none"``. It draws sources
        where trials name them, else trials, each class from itself.
    curves
        Whether the record keeps the t-DCF curves.
    progress
        Called with how many of how many replicates are done.

    Returns
    -------
    TandemEvaluation
        The record; a figure without a value is None with a reason.

    Raises
    ------
    InputError
        When the data are of no such kind or hold a problem.
    OptionError
        When an option is not legal.

    References
    ----------
    Kinnunen et al. (2020), Tandem assessment of spoofing countermeasures and automatic speaker verification:
    fundamentals, IEEE/ACM TASLP 28.

    Examples
    --------
    >>> import deciban as db
    >>> classes = ["target", "target", "nontarget", "nontarget", "spoof", "spoof"]
    >>> trials = db.TandemTrials.from_arrays(classes, asv=[3, 2, 0, 1, 3, 1], cm=[2, 3, 4, 1, 1, 0])
    >>> db.evaluate_tandem(trials, interval="none")["min_t_dcf:cost=asvspoof2019"].value
    0.4465
    """
    check_choice("interval", interval, DRAWN)
    check_draws("replicates", replicates, level, seed, workers=1)
    check_flag("curves", curves)
    groupings = tuple(dict.fromkeys(word_list("by", by)))
    asked = Asked(
        asv=asv,
        cm_threshold=_threshold("cm_threshold", cm_threshold),
        sasv_threshold=_threshold("sasv_threshold", sasv_threshold),
        tandem_costs=_named(tandem_costs, tandem_cost),
        spoof_aware_costs=_named(spoof_aware_costs, spoof_aware_cost),
    )
    ways = _Ways(interval=interval, level=float(level), replicates=replicates, seed=seed, progress=progress)
    tables = tuple(_trials(part) for part in data)
    counts = count_tandem(*tables)
    figures = figures_for(counts, asked)
    # Groups come first: a grouping by something like an id is refused before anything is computed.
    parts = [part for grouping in groupings for part in parts_of(tables, grouping)]
    metrics = _evaluated(counts, tables, figures, ways, groups=0)
    rates = _rates(counts, asked.asv)
    of_groups = asked if rates is None else replace(asked, asv=rates.threshold if counts.asv else rates)
    options = _options(asked, groupings, ways, curves)
    groups = tuple(_group(part, of_groups, ways, len(parts)) for part in parts)
    return TandemEvaluation(
        trials=_numbers(tables),
        dropped=sum(trials.dropped for trials in tables),
        failed=sum(trials.failed for trials in tables),
        asv=rates if counts.cm is not None else None,
        costs=_stated(counts, asked),
        metrics=metrics,
        groups=groups,
        curves=_curves(counts, asked) if curves else {},
        findings=tuple(findings_of(tables, counts, metrics, figures, groups, intervals=interval != "none")),
        provenance=_provenance(data, tables, options, seed),
    )


def _trials(part: object) -> TandemTrials:
    if isinstance(part, TandemTable):
        return part.trials()
    if isinstance(part, TandemTrials):
        return part
    raise InputError(
        f"evaluate_tandem: expected TandemTrials or a table from scan_tandem, found {type(part).__name__}; for arrays "
        "use TandemTrials.from_arrays(classes, asv=…, cm=…)"
    )


def _threshold(name: str, value: float | None) -> float | None:
    return None if value is None else check_number(name, value, "a number in the unit of the scores")


def _named(given: Any, find: Any) -> dict[str, Any]:
    """Costs by name."""
    if isinstance(given, Mapping):
        return {str(name): find(cost) for name, cost in given.items()}
    if isinstance(given, str):
        given = (given,)
    return {name: find(name) for name in given}


def _rates(counts: TandemCounts, asv: Asv) -> AsvRates | None:
    """The verifier's rates, None where there are none."""
    if counts.asv is None and not isinstance(asv, (AsvRates, str)):
        if asv is not None:
            raise OptionError("asv: a threshold of the verifier needs its scores: give asv= (--asv-score)")
        return None
    try:
        return rates_of(counts, asv)
    except UndefinedMetricError:
        return None


def _evaluated(
    counts: TandemCounts,
    tables: Sequence[TandemTrials],
    figures: Mapping[str, TandemFigure],
    ways: _Ways,
    groups: int,
) -> dict[str, MetricValue]:
    """Values and intervals of the figures."""
    found = values(counts, figures)
    if not ways.draws(tables, groups):
        return found
    intervals = tandem_intervals(
        tables,
        {name: figure.function for name, figure in figures.items()},
        drawn(figures, found),
        replicates=ways.replicates,
        level=ways.level,
        seed=ways.seed,
        progress=ways.progress,
    )
    return {name: _with(value, intervals.get(name)) for name, value in found.items()}


def _with(value: MetricValue, found: Interval | str | None) -> MetricValue:
    if isinstance(found, Interval):
        return replace(value, interval=found, interval_reason=None)
    return value if found is None else replace(value, interval_reason=found)


def _group(part: Part, asked: Asked, ways: _Ways, groups: int) -> TandemGroup:
    counts = count_tandem(*part.tables)
    metrics = _evaluated(counts, part.tables, figures_for(counts, asked), ways, groups)
    return TandemGroup(by=part.by, shared=part.shared, trials=_numbers(part.tables), metrics=metrics)


def _numbers(tables: Sequence[TandemTrials]) -> dict[str, ClassNumbers]:
    return {name: ClassNumbers(**trials.numbers()) for trials in tables for name in trials.scores}


def _stated(counts: TandemCounts, asked: Asked) -> dict[str, dict[str, float]]:
    """The parameters of the costs that were used."""
    tandem = dict(asked.tandem_costs) if counts.cm is not None else {}
    of_one = {f"{name} (a-DCF)": cost for name, cost in asked.spoof_aware_costs.items()} if counts.sasv else {}
    return {name: stated(cost) for name, cost in {**tandem, **of_one}.items()}


def _curves(counts: TandemCounts, asked: Asked) -> dict[str, TandemCostCurve]:
    """The t-DCF curve of each cost that has one."""
    found = {}
    for name, cost in asked.tandem_costs.items() if counts.cm is not None else ():
        if counts.asv is None and not isinstance(asked.asv, (AsvRates, str)):
            break
        try:
            curve = t_dcf_curve(counts, cost=cost, asv=asked.asv)
        except UndefinedMetricError:
            continue
        kept = np.union1d(rows_to_keep(curve), [curve.t_dcf.argmin()])
        found[name] = replace(select(curve, kept), cost=name)
    return found


def _options(asked: Asked, by: Sequence[str], ways: _Ways, curves: bool) -> dict[str, Any]:
    return {
        "asv": to_plain(asked.asv),
        "cm_threshold": asked.cm_threshold,
        "sasv_threshold": asked.sasv_threshold,
        "tandem_costs": {name: stated(cost) for name, cost in asked.tandem_costs.items()},
        "spoof_aware_costs": {name: stated(cost) for name, cost in asked.spoof_aware_costs.items()},
        "by": list(by),
        "interval": ways.interval,
        "level": ways.level,
        "replicates": ways.replicates,
        "curves": curves,
    }


def _provenance(
    data: Sequence[TandemTrials | TandemTable], tables: Sequence[TandemTrials], options: Mapping[str, Any], seed: int
) -> Provenance:
    read = [part for part in data if isinstance(part, TandemTable)]
    columns = {
        "/".join(part.columns.scores): {**to_plain(part.columns), "inputs": [file.path for file in part.inputs]}
        for part in read
    }
    return Provenance(
        inputs=tuple(dict.fromkeys(file for part in read for file in part.inputs)),
        columns={**columns, ASSUMED: list(dict.fromkeys(text for trials in tables for text in trials.assumed))},
        options=options,
        seed=seed,
        versions=versions(),
        engine="numpy",
    )
