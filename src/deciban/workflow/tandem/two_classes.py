"""A countermeasure or a verifier by itself: two of the three classes, evaluated as any two classes are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, get_args

from deciban.records.evaluation import Evaluation
from deciban.records.figures import ThresholdRow
from deciban.tables.columns import Columns
from deciban.tables.tandem_scanning import TandemTable
from deciban.trials.labels import as_number
from deciban.trials.tandem import BONA_FIDE, CLASSES, Score, TandemTrials
from deciban.values.option_checks import check_choice
from deciban.values.record import to_plain
from deciban.values.scale import Scale, carries_lr, check_scale
from deciban.workflow.asked import word_list
from deciban.workflow.evaluating.evaluate import evaluate
from deciban.workflow.tandem.groups import refuse_nameless_spoofs

Task = Literal["cm", "asv"]

FIGURES: Final = ("eer", "eer:method=asvspoof", "auc")
OF_LRS: Final = ("cllr", "cllr_min", "cllr_cal")
COST: Final = "preset=asvspoof5"


def evaluate_spoofing(
    data: TandemTrials | TandemTable,
    task: Task = "cm",
    *,
    against: Literal["nontarget", "spoof"] = "nontarget",
    scale: str = "score",
    costs: str | Iterable[str] | None = None,
    further: Iterable[str] = (),
    by: str | Iterable[str] | None = (),
    **options: Any,
) -> Evaluation:
    """Evaluate a countermeasure, or a verifier, by the figures of the ASVspoof challenges.

    EER on the ROC convex hull and by the organisers' rule, AUC, least detection cost; on an LR scale also the actual
    cost, Cllr and its least value.

    Parameters
    ----------
    data
        Trials of three classes, or a table from ``scan_tandem``.
    task
        ``"cm"``: bona fide speech (target or nontarget) against spoofs; ``"asv"``: targets against ``against``.
    against
        What a verifier is to reject.
    scale
        Unit of the scores: with ``"ln_lr"`` they are log-likelihood ratios, and can be judged as such.
    costs
        Detection costs as for :func:`evaluate`; default those of ASVspoof 5 for a countermeasure, none for a verifier.
    further
        Expressions of further figures.
    by
        Condition columns (attack, codec), as in :func:`evaluate`. Bona fide trials whose condition is null or ``-``
        belong to every group; spoofs must have a value.
    **options
        Further options of :func:`evaluate`: ``interval``, ``replicates``, …

    Returns
    -------
    Evaluation
        A record like any other.

    Raises
    ------
    InputError, SingleClassError, OptionError
        As :func:`evaluate`; and for a spoof without a value of a condition that makes groups.

    References
    ----------
    Wang et al. (2024), ASVspoof 5: crowdsourced speech data, deepfakes, and adversarial attacks at scale.

    Examples
    --------
    >>> import deciban as db
    >>> trials = db.TandemTrials.from_arrays(["bonafide", "bonafide", "spoof", "spoof"], cm=[3, 1, 2, 0])
    >>> db.evaluate_spoofing(trials)["eer:method=asvspoof"].value
    0.5
    """
    check_choice("task", task, get_args(Task))
    check_choice("against", against, ("nontarget", "spoof"))
    unit = check_scale(scale)
    trials = data.trials() if isinstance(data, TandemTable) else data
    target, nontarget = (BONA_FIDE, ("spoof",)) if task == "cm" else (("target",), (against,))
    score: Score = task
    chosen = trials.two_classes(score, target, nontarget, scale=unit)
    if task == "cm":
        chosen = replace(chosen, assumed=(*chosen.assumed, *_taken_for_bona_fide(trials)))
    groupings = word_list("by", by)
    for grouping in groupings if "spoof" in nontarget else ():
        refuse_nameless_spoofs(trials, grouping)
    figures = [*FIGURES, *(OF_LRS if carries_lr(unit, None) else ()), *further]
    if costs is None:
        costs = (COST,) if task == "cm" else ()
    result = evaluate(chosen, metrics=figures, costs=costs, by=groupings, asked_only=True, **options)
    if not isinstance(data, TandemTable):
        return result
    result = _called(result, data.columns.scores[task])
    columns = _two_class_columns(data, trials, task, target, nontarget, unit)
    declared = {**to_plain(columns), "assumed": list(chosen.assumed)}
    return replace(result, provenance=replace(result.provenance, inputs=data.inputs, columns=declared))


def _taken_for_bona_fide(trials: TandemTrials) -> list[str]:
    """A sentence where trials with a claim of identity count as bona fide, as those of a verifier's file would."""
    claimed = [value for name in ("target", "nontarget") for value in trials.labels.get(name, ())]
    if not claimed:
        return []
    return [f"{' and '.join(claimed)} taken for bona fide: the scores must be those of a countermeasure"]


def _called(result: Evaluation, score: str) -> Evaluation:
    """The same record, in which what is accepted is said of the score column by its name."""

    def rows(thresholds: tuple[ThresholdRow, ...]) -> tuple[ThresholdRow, ...]:
        return tuple(replace(at, accept=at.accept.replace("score", score, 1)) for at in thresholds)

    groups = tuple(replace(group, thresholds=rows(group.thresholds)) for group in result.groups)
    return replace(result, thresholds=rows(result.thresholds), groups=groups)


def _two_class_columns(
    table: TandemTable, trials: TandemTrials, task: Task, target: Sequence[str], nontarget: Sequence[str], scale: Scale
) -> Columns:
    """The declaration under which ``scan`` reads the same two classes: only values that occur, the rest ignored."""
    declared = table.columns

    def labels(names: Iterable[str]) -> tuple[bool | int | float | str, ...]:
        return tuple(_plain(value) for name in names for value in trials.labels[name])

    others = [name for name in CLASSES if name not in (*target, *nontarget)]
    return Columns(
        score=declared.scores[task],
        label=declared.classes,
        target=labels(target),
        nontarget=labels(nontarget),
        ignore=(*labels(others), *declared.ignore),
        scale=scale,
        sources=declared.sources,
        conditions=declared.conditions,
        ids=declared.ids,
        missing=declared.missing,
        reader=declared.reader,
        key=declared.key,
        unmatched=declared.unmatched,
    )


def _plain(value: str) -> float | str:
    """A label value as it is compared: a number where it is one."""
    number = as_number(value)
    return value if number is None else number
