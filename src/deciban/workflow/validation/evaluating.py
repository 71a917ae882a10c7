"""The evaluation that criteria are decided from: the figures they need, and null bands for many trials too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from deciban.counts.counts import Counts
from deciban.errors import ScaleError
from deciban.records.evaluation import Evaluation
from deciban.records.figures import GroupRecord
from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.repeat import Progress
from deciban.workflow.evaluating.evaluate import evaluate
from deciban.workflow.evaluating.request import asked_expressions
from deciban.workflow.findings.evaluated import Evaluated
from deciban.workflow.findings.figures import optimism
from deciban.workflow.intervals.null_bands import with_null_bands
from deciban.workflow.intervals.ways import Ways
from deciban.workflow.validation.criteria import Criteria
from deciban.workflow.validation.judged import Judged
from deciban.workflow.validation.kinds import KINDS


def evaluation_of(
    ours: Judged, criteria: Criteria, options: Mapping[str, Any], progress: Progress | None
) -> Evaluation:
    """Every figure that the criteria need and the scale of the scores allows."""
    wanted = [text for one in criteria.used for text in KINDS[one.kind].asks(one.settings)]
    metrics = [text for text in dict.fromkeys(wanted) if allowed(text, ours.counts)]
    result = evaluate(ours.data, metrics=metrics, by=ours.by, progress=progress, **options)
    if "cllr_cal" not in result or result["cllr_cal"].null_band is not None or options["interval"] == "none":
        return result
    return _with_bands(result, ours, options, progress)


def _with_bands(result: Evaluation, ours: Judged, options: Mapping[str, Any], progress: Progress | None) -> Evaluation:
    """Null bands that an evaluation leaves out to save time, and the finding that tells of them."""
    drawn = {key: options[key] for key in ("level", "replicates", "seed")}
    ways = Ways(interval="bootstrap", progress=progress, **drawn)
    metrics = with_null_bands(result.metrics, ours.counts, ways)
    record = GroupRecord(by={}, shared=0, trials=result.trials, metrics=metrics, thresholds=result.thresholds)
    renewed = {finding.code: finding for finding in optimism(Evaluated(ours.counts, ours.trials, record))}
    return replace(
        result, metrics=metrics, findings=tuple(renewed.get(finding.code, finding) for finding in result.findings)
    )


def allowed(text: str, data: Trials | Counts) -> bool:
    """Whether the scale of the scores carries a figure."""
    try:
        asked_expressions([text], data.scale, data.prior)
    except ScaleError:
        return False
    return True
