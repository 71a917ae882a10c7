"""The tables of the whole or of one group: figures, thresholds, findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from deciban.counts.counts import Counts
from deciban.counts.tally import Known
from deciban.records.display import exact_digits
from deciban.records.figures import GroupRecord, ThresholdRow, TrialsSummary
from deciban.trials.direction import acceptance
from deciban.workflow.background import in_background
from deciban.workflow.compute import compute, threshold_row, with_value
from deciban.workflow.evaluating.acquisition import with_failures
from deciban.workflow.evaluating.bracketed import bracketed_row, compute_brackets, with_joined_intervals
from deciban.workflow.evaluating.plan import At, Plan
from deciban.workflow.evaluating.request import asked_expressions
from deciban.workflow.findings import OF_BUCKETS, RULES, Rule, find
from deciban.workflow.findings.evaluated import Evaluated
from deciban.workflow.intervals.intervals import with_intervals
from deciban.workflow.intervals.null_bands import with_null_bands


def tabulate(
    counts: Counts,
    trials: Known | None,
    plan: Plan,
    by: Mapping[str, str],
    shared: int,
    rules: Sequence[Rule] = RULES,
) -> GroupRecord:
    """Figures, threshold table and findings of the whole or of one group."""
    digest = in_background(counts.sha256)
    find_all = compute if counts.resolution is None else compute_brackets
    figures = find_all(counts, plan.expressions, plan.p_target, plan.exact)
    auc = with_value(figures, "auc")
    if auc is not None and auc < 0.5 and "eer" in figures and "eer:method=interpolated" not in figures:
        # The hull's EER stops at one half; beside it the step ROC's shows how far scores are reversed.
        figures |= find_all(
            counts, asked_expressions(["eer:method=interpolated"], counts.scale, None), None, plan.exact
        )
    points = [_row(counts, at, plan) for at in plan.thresholds]
    if counts.resolution is None:
        figures, rows = with_intervals(figures, points, counts, trials, plan.p_target, plan.ways)
        figures = with_null_bands(figures, counts, plan.ways)
    else:
        figures, rows = with_joined_intervals(figures, points, counts, plan.ways)
        rules = OF_BUCKETS
    rows = tuple(with_failures(row, trials, plan.failures, plan.ways) for row in rows)
    figures = {name: figure for key, figure in figures.items() for name in plan.names.get(key, [key])}
    failed = (0, 0) if trials is None else trials.n_failed
    record = GroupRecord(
        by=by,
        shared=shared,
        trials=TrialsSummary(
            n=counts.total,
            n_target=counts.total_target,
            n_nontarget=counts.total_nontarget,
            n_distinct=counts.n_distinct,
            scale=counts.scale,
            prior=counts.prior,
            reversed=counts.reversed,
            p_target=plan.p_target,
            p_target_origin=plan.p_target_origin,
            weighted=counts.weighted,
            resolution=counts.resolution,
            dropped=None if by else 0 if trials is None else trials.dropped,
            failed={"target": failed[0], "nontarget": failed[1]},
            counts_sha256=digest(),
        ),
        metrics=figures,
        thresholds=rows,
    )
    table = Evaluated(counts, trials, record, plan.score_column, plan.ways.interval)
    return replace(record, findings=tuple(find(table, rules)))


def _row(counts: Counts, at: At, plan: Plan) -> ThresholdRow:
    """One row of the threshold table, with what it means for the scores as given."""
    make = threshold_row if counts.resolution is None else bracketed_row
    row = make(counts, at.threshold, at.origin, plan.exact, at.post_hoc)
    score = plan.score_column or "score"
    return replace(
        row,
        as_given=at.as_given,
        accept=acceptance(exact_digits(at.shown), score, was_reversed=counts.reversed),
    )
