"""One system of a comparison: its trials, what is asked of it, and its figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from deciban.counts.counts import Counts
from deciban.counts.of_trials import count_trials
from deciban.errors import OptionError, ScaleError
from deciban.metrics.expression import Expression, parse
from deciban.records.figures import GroupRecord, MetricValue
from deciban.records.threshold import ChosenThreshold
from deciban.trials.trials import Trials
from deciban.values.scale import carries_lr
from deciban.workflow.evaluating.plan import Plan, make_plan, require_both_classes
from deciban.workflow.evaluating.request import allowed
from deciban.workflow.evaluating.tabulate import tabulate
from deciban.workflow.findings import OF_COMPARISONS
from deciban.workflow.intervals.intervals import sources_known
from deciban.workflow.intervals.ways import How, Ways

SHOWN: Final = ("auc", "eer", "average_precision", "cllr", "cllr_min", "cllr_cal", "brier", "log_loss")
"""Figures compared unasked where the scales of all systems carry what they need."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A system, evaluated.

    Attributes
    ----------
    name
        What it is called.
    counts, trials
        Its counts, and its trials where they are known.
    plan
        What was asked of it.
    record
        Its figures, thresholds and findings.
    computed
        The key under which each figure of the record is computed: others where scores are reversed.
    """

    name: str
    counts: Counts
    trials: Trials | None
    plan: Plan
    record: GroupRecord
    computed: Mapping[str, str]

    @property
    def sourced(self) -> bool:
        """Whether the sources of its trials are known."""
        return sources_known(self.trials)

    def figure(self, key: str) -> MetricValue:
        """Return a figure of the record."""
        return self.record.metrics[key]


def evaluated(
    name: str,
    data: Trials | Counts,
    *,
    metrics: Sequence[str],
    costs: Sequence[str],
    thresholds: Sequence[float | ChosenThreshold],
    p_target: float | None,
    score_column: str | None,
    ways: Ways,
) -> Compared:
    """Evaluate one system by the figures that all are asked for, with intervals in closed form where those serve."""
    trials = data if isinstance(data, Trials) else None
    counts = count_trials(data) if isinstance(data, Trials) else data
    require_both_classes(counts, f"system {name!r}")
    # What has no closed form, or none that holds, is left to the replicates of all systems together.
    alone = ways.interval == "closed" or (ways.interval == "auto" and not sources_known(trials))
    closed: How = "closed" if alone else "none"
    with naming(name):
        plan = make_plan(
            counts,
            metrics=metrics,
            costs=costs,
            thresholds=thresholds,
            p_target=p_target,
            exact=False,
            score_column=score_column,
            ways=replace(ways, interval=closed),
            asked_only=True,
        )
    record = tabulate(counts, trials, plan, {}, 0, OF_COMPARISONS)
    computed = {given: key for key, names in plan.names.items() for given in names}
    return Compared(name, counts, trials, plan, record, {key: computed.get(key, key) for key in record.metrics})


def shown_metrics(systems: Mapping[str, Trials | Counts]) -> list[str]:
    """Expressions of the figures that are compared unasked."""
    expressions = [expression for name in SHOWN for expression in parse(name)]
    return [expression.key for expression in expressions if all(_shows(expression, s) for s in systems.values())]


def _shows(expression: Expression, system: Trials | Counts) -> bool:
    """Whether a figure is one for this scale: Cllr and its parts for LRs, mean losses for stated probabilities."""
    if expression.spec.name.startswith("cllr"):
        return carries_lr(system.scale, system.prior)
    if expression.spec.needs == "probability":
        return system.scale == "probability"
    return allowed(expression.spec.needs, system.scale, system.prior)


def with_parts(metrics: Sequence[str]) -> list[str]:
    """The same expressions, Cllr followed by what it is the sum of."""
    asked = [expression.key for text in metrics for expression in parse(text)]
    return [key for one in asked for key in ((one, "cllr_min", "cllr_cal") if one == "cllr" else (one,))]


@contextmanager
def naming(system: str) -> Iterator[None]:
    """Name the system in an error about what is asked of it."""
    try:
        yield
    except (OptionError, ScaleError) as error:
        raise type(error)(f"system {system!r}: {error}") from None
