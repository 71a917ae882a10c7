"""The intervals of one table: closed forms where trials are independent and there is one, else the bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from deciban.counts import Counts
from deciban.errors import UndefinedMetricError
from deciban.metrics.catalogue import BY_NAME
from deciban.metrics.expression import Expression, express, parse
from deciban.metrics.spec import Spec
from deciban.metrics.within import KEY
from deciban.option_checks import check_known
from deciban.records.evaluation import MetricValue, ThresholdRow
from deciban.trials import Trials
from deciban.uncertainty.bootstrap import HALVED, METHODS, Figure, Method, bootstrap
from deciban.uncertainty.cost_intervals import brier_interval, cllr_interval, cross_entropy_interval, log_loss_interval
from deciban.uncertainty.delong import AucMethod, auc_interval
from deciban.uncertainty.interval import Interval
from deciban.uncertainty.proportion import ProportionMethod, proportion_interval
from deciban.uncertainty.rates import lr_positive_interval
from deciban.uncertainty.repeat import Progress
from deciban.uncertainty.resample import Resampling, by_trial
from deciban.uncertainty.sources import by_source
from deciban.workflow.replicated import Figures

How = Literal["auto", "closed", "bootstrap", "none"]
HOW: Final = ("auto", "closed", "bootstrap", "none")

Drawn = Literal["auto", "bootstrap", "none"]
DRAWN: Final = ("auto", "bootstrap", "none")
"""What there is to choose where closed forms alone would answer next to nothing."""

AUTO_LIMIT: Final = 10_000
"""Distinct scores up to which ``auto`` draws replicates for figures without a closed form: a thousand take seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """How intervals are made.

    Attributes
    ----------
    interval
        ``auto``: the bootstrap by source when sources are known; else closed forms, and the bootstrap by trial for
        figures without one, where there are at most :data:`AUTO_LIMIT` distinct scores. ``closed``: closed forms alone,
        trials taken as independent. ``bootstrap``: every figure, by source when sources are known, else by trial.
        ``none``.
    level, replicates, seed
        Confidence level; bootstrap replicates and the seed they come from.
    proportion, auc
        Which closed form for rates and for AUC.
    method
        How intervals are read from the replicates; None: as each metric says.
    progress
        Told how far the bootstrap is.
    """

    interval: How = "auto"
    level: float = 0.95
    replicates: int = 1000
    seed: int = 0
    proportion: ProportionMethod = "wilson"
    auc: AucMethod = "delong-logit"
    method: Method | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        # Told before a large file is read, and where no figure of the table would have asked.
        check_known("proportion", self.proportion, get_args(ProportionMethod))
        check_known("auc_interval", self.auc, get_args(AucMethod))
        if self.method is not None:
            check_known("bootstrap", self.method, METHODS)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a closed form may need besides the figure: the counts, the prior of posteriors, the ways."""

    counts: Counts
    p_target: float | None
    ways: Ways


Closed = Callable[[Asked, Expression, MetricValue], Interval]


def _rate(of_targets: bool) -> Closed:
    """A share of one class that depends on no threshold chosen on these trials."""

    def closed(asked: Asked, _: Expression, figure: MetricValue) -> Interval:
        if asked.counts.weighted:
            raise UndefinedMetricError("a rate of weighted trials is no number of trials of another", "weighted")
        n = asked.counts.total_target if of_targets else asked.counts.total_nontarget
        return proportion_interval(round((figure.value or 0.0) * n), n, asked.ways.level, asked.ways.proportion)

    return closed


def _cross_entropy(asked: Asked, expression: Expression, _: MetricValue) -> Interval:
    return cross_entropy_interval(asked.counts, float(str(expression.options["log10_odds"])), asked.ways.level)


CLOSED: Final[dict[str, Closed]] = {
    "auc": lambda asked, _, __: auc_interval(asked.counts, asked.ways.level, asked.ways.auc),
    "cllr": lambda asked, _, __: cllr_interval(asked.counts, asked.ways.level),
    "cllr.target_half": lambda asked, _, __: cllr_interval(asked.counts, asked.ways.level, "target"),
    "cllr.nontarget_half": lambda asked, _, __: cllr_interval(asked.counts, asked.ways.level, "nontarget"),
    "empirical_cross_entropy": _cross_entropy,
    "rmed": _rate(of_targets=True),
    "rmep": _rate(of_targets=False),
    "brier": lambda asked, _, __: brier_interval(asked.counts, asked.ways.level, p_target=asked.p_target),
    "log_loss": lambda asked, _, __: log_loss_interval(asked.counts, asked.ways.level, p_target=asked.p_target),
}
"""Closed forms by metric."""

RATES: Final[dict[str, Callable[[ThresholdRow], tuple[float, float]]]] = {
    "accuracy": lambda row: (row.tp + row.tn, row.tp + row.fp + row.fn + row.tn),
    "precision": lambda row: (row.tp, row.tp + row.fp),
    "recall": lambda row: (row.tp, row.tp + row.fn),
    "specificity": lambda row: (row.tn, row.tn + row.fp),
    "npv": lambda row: (row.tn, row.tn + row.fn),
    "p_miss": lambda row: (row.fn, row.tp + row.fn),
    "p_fa": lambda row: (row.fp, row.fp + row.tn),
}
"""Ratios of the threshold table that are a share: how many of how many."""

Tables = tuple[dict[str, MetricValue], tuple[ThresholdRow, ...]]


def with_intervals(
    figures: Mapping[str, MetricValue],
    rows: Sequence[ThresholdRow],
    counts: Counts,
    trials: Trials | None,
    p_target: float | None,
    ways: Ways,
) -> Tables:
    """Return the same figures and threshold rows with their intervals, or the reason why there is none."""
    if ways.interval == "none":
        return dict(figures), tuple(rows)
    sources_known = trials is not None and bool(trials.sources)
    if ways.interval == "closed" or (ways.interval == "auto" and not sources_known):
        asked = Asked(counts, p_target, ways)
        figures = {key: _closed(asked, key, figure) for key, figure in figures.items()}
        rows = [_closed_row(asked, row) for row in rows]
        if ways.interval == "closed" or counts.n_distinct > AUTO_LIMIT:
            return figures, tuple(rows)
    return _bootstrapped(figures, rows, counts, trials, p_target, ways)


def _closed(asked: Asked, key: str, figure: MetricValue) -> MetricValue:
    expression = parse(key)[0]
    form = CLOSED.get(expression.spec.name)
    if figure.value is None or form is None:
        return figure
    return _or_reason(figure, lambda: form(asked, expression, figure))


def _closed_row(asked: Asked, row: ThresholdRow) -> ThresholdRow:
    level, weighted = asked.ways.level, asked.counts.weighted
    metrics = dict(row.metrics)
    for name, count in RATES.items():
        if metrics[name].value is None:
            continue
        if weighted:
            metrics[name] = replace(metrics[name], interval_reason="weighted")
            continue
        k, n = count(row)
        metrics[name] = replace(
            metrics[name], interval=proportion_interval(k, n, level, asked.ways.proportion), interval_reason=None
        )
    if metrics["lr_positive"].value is not None and not weighted:
        ratio = metrics["lr_positive"]
        n1, n0 = row.tp + row.fn, row.fp + row.tn
        metrics["lr_positive"] = _or_reason(ratio, lambda: lr_positive_interval(row.tp, row.fp, n1, n0, level))
    return replace(row, metrics=metrics)


def _or_reason(figure: MetricValue, make: Callable[[], Interval]) -> MetricValue:
    try:
        return replace(figure, interval=make(), interval_reason=None)
    except UndefinedMetricError as error:
        return replace(figure, interval_reason=error.reason)


def _bootstrapped(
    figures: Mapping[str, MetricValue],
    rows: Sequence[ThresholdRow],
    counts: Counts,
    trials: Trials | None,
    p_target: float | None,
    ways: Ways,
) -> Tables:
    """Intervals of the figures that have none yet, all from one pass over the replicates."""
    at_row = [
        {name: express(BY_NAME[name].spec, {"threshold": row.threshold}).key for name in row.metrics} for row in rows
    ]
    named = dict(figures)
    for keys, row in zip(at_row, rows, strict=True):
        named |= {keys[name]: figure for name, figure in row.metrics.items()}
    in_pairs = trials is not None and len(trials.sources) > 1
    drawn = [figure for key, value in named.items() if (figure := _drawn(key, value, ways, in_pairs)) is not None]
    found = _found(drawn, counts, trials, p_target, ways) if drawn else {}
    metrics = {key: _with(figure, found.get(key)) for key, figure in figures.items()}
    return metrics, tuple(
        replace(row, metrics={name: _with(figure, found.get(keys[name])) for name, figure in row.metrics.items()})
        for keys, row in zip(at_row, rows, strict=True)
    )


def _drawn(key: str, value: MetricValue, ways: Ways, in_pairs: bool) -> Figure | None:
    """What the bootstrap is to know of a figure; None where it has no value, an interval or a reason already."""
    expression = parse(key)[0]
    spec = expression.spec
    # Closed forms are for trials without weights; weighted trials can be drawn, sums of weights cannot.
    open_ = value.interval_reason in ("not_computed", "weighted")
    method = method_of(spec, ways, in_pairs)
    if value.value is None or not open_ or method is None:
        return None
    return Figure(name=key, range=expression.range, method=method, perfect=spec.anchors[0], rate=spec.bias_rate)


def method_of(spec: Spec, ways: Ways, in_pairs: bool) -> Method | None:
    """How a figure is read, None where it has no interval.

    Half of the speakers have a quarter of the pairs of two, but half of the trials of one. So halves of trials in pairs
    hold another share of targets: they are left to figures that do not depend on it.
    """
    if spec.bootstrap is None:
        return None
    method = ways.method or spec.bootstrap
    if in_pairs and method in HALVED and (spec.of_these_shares or spec.bootstrap not in HALVED):
        return "bca"
    return method


def bootstrapped(key: str) -> bool:
    """Whether a figure of the record is one that the bootstrap gives an interval."""
    return not key.startswith(KEY) and parse(key)[0].spec.bootstrap is not None


def _found(
    drawn: list[Figure], counts: Counts, trials: Trials | None, p_target: float | None, ways: Ways
) -> dict[str, Interval | str]:
    """The interval of each figure, or the reason why there is none."""
    try:
        resampling = resampling_of(counts, trials)
    except UndefinedMetricError as error:
        return {figure.name: error.reason for figure in drawn}
    return bootstrap(
        resampling,
        Figures(resampling.blocks, p_target),
        drawn,
        replicates=ways.replicates,
        level=ways.level,
        seed=ways.seed,
        progress=ways.progress,
    )


def resampling_of(counts: Counts, trials: Trials | None) -> Resampling:
    """What replicates are drawn from: sources where they are known, else trials."""
    return by_source(trials) if trials is not None and trials.sources else by_trial(trials or counts)


def _with(figure: MetricValue, found: Interval | str | None) -> MetricValue:
    if isinstance(found, Interval):
        return replace(figure, interval=found, interval_reason=None)
    return figure if found is None else replace(figure, interval_reason=found)
