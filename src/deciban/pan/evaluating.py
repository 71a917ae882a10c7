"""Evaluate submissions to PAN's verification tasks as the evaluator of a year does, and rank several of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deciban.counts.of_trials import count_trials
from deciban.errors import UndefinedMetricError
from deciban.pan.answers import answers as answers_in
from deciban.pan.files import Lines, aligned, one_file, read_answers, read_truth, wording_of
from deciban.pan.naming import names_of
from deciban.pan.profiles import Profile, confusion_at_half, find_profile
from deciban.pan.ranking import Submission, ranked
from deciban.pan.record import PanEvaluation, PanRanking
from deciban.pan.remarks import remarks
from deciban.records.figures import MetricValue
from deciban.records.provenance import Provenance
from deciban.tables.files.inputs import InputFile
from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.repeat import Progress, check_draws
from deciban.values.arrays import Bools, Floats
from deciban.values.option_checks import check_choice
from deciban.version import versions

INTERVALS = ("bootstrap", "none")


def pan_evaluate(truth: object, answers: object, profile: str | None = None) -> PanEvaluation:
    """Compute the figures of one submission as the evaluator of a year does.

    Parameters
    ----------
    truth
        Path of the truth: JSON lines with ``id`` and ``same`` or ``value``, from 2024 on ``is_human``, from 2025 on
        ``label``; plain, gz or zst.
    answers
        Path of the submission: JSON lines with ``id`` and ``value``, from 2024 on ``is_human``, from 2025 on ``label``.
        A problem without an answer counts as 0.5.
    profile
        ``pan14``, ``pan15``: AUC, c@1 and their product. ``pan20``: AUC, c@1, F0.5u, F1 and their mean;
        ``pan20-published``: the same with the F0.5u of the table that was published, which takes 0.5 for a yes.
        ``pan21``, ``pan22``, ``pan23``: the complement of the Brier score as well. ``pan24``, ``pan25``: the same
        figures for texts written by people and by machines. Default: by the field of the truth, ``pan23``, ``pan24`` or
        ``pan25``.

    Returns
    -------
    PanEvaluation
        ``to_dict()`` has the official keys and unrounded values, ``rounded()`` what the evaluator writes, whose
        steps in doubles decide which way an exact half in the fourth decimal is rounded.
        All figures are within [0, 1], perfect 1.

    Raises
    ------
    InputError
        For lines that are not JSON, lack an id or a value or repeat an id, for answers to other problems, answers that
        are no number or, before 2024, outside [0, 1]: with file and line.
    OptionError
        For an unknown profile.

    Notes
    -----
    An answer of exactly 0.5 is a non-answer. AUC ranks by the answers as they are; F1 leaves non-answers out (2024 and
    2025: counts them as a no); the Brier score takes them as 0.5. Evaluators of 2024 and 2025 accept answers outside
    [0, 1] and cut them to it, that of 2025 for the Brier score only. Where the official evaluator writes 0 or stops
    because a figure has no value, the value is None here with its reason.

    References
    ----------
    Bevendorff et al., Overview of PAN 2021, CLEF 2021; Kestemont et al., Overview of the cross-domain authorship
    verification task at PAN 2020, CLEF 2020; Stamatatos et al., Overview of the author identification task at PAN 2014.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> def written(name, lines):
    ...     return folder.joinpath(name).write_text(chr(10).join(map(json.dumps, lines))) > 0
    >>> written("truth.jsonl", [{"id": i, "same": same} for i, same in zip("abcd", [True, True, False, False])])
    True
    >>> written("answers.jsonl", [{"id": i, "value": value} for i, value in zip("abc", [0.9, 0.9, 0.1])])
    True
    >>> result = pan_evaluate(folder / "truth.jsonl", folder / "answers.jsonl", profile="pan20")
    >>> result.missing, result.to_dict()["c@1"], result.rounded()["f_05_u"]
    (1, 0.9375, 0.909)
    """
    file = one_file(truth, "truth")
    by = _profile(profile, file)
    return _evaluated(_compared(by, read_truth(file, by.wording), answers, ""))


def pan_rank(
    truth: object,
    submissions: object,
    profile: str | None = None,
    *,
    interval: str = "bootstrap",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    progress: Progress | None = None,
) -> PanRanking:
    """Rank submissions as the organisers of a year do, and say how sure the ranking is.

    Parameters
    ----------
    truth, profile
        As in :func:`pan_evaluate`.
    submissions
        Paths of answers, by name or in a list; names are then those of the files, or of their folders.
    interval
        ``bootstrap`` or ``none``.
    level, replicates, seed
        Confidence level, number of draws and their seed. Problems are drawn with replacement, each class from itself,
        and a draw is the same for all submissions, so that what all find hard cancels in their differences.
    progress
        Told how many draws are done.

    Returns
    -------
    PanRanking
        The figures of each with intervals, and how far it is behind the first. No evaluator of PAN gives intervals.

    Raises
    ------
    InputError, OptionError
        As :func:`pan_evaluate`, and for options out of range.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
    """
    check_choice("interval", interval, INTERVALS)
    check_draws("replicates", replicates, level, seed, 1)
    file, named = one_file(truth, "truth"), names_of(submissions)
    by = _profile(profile, file)
    right = read_truth(file, by.wording)
    found = [_compared(by, right, path, name) for name, path in named.items()]
    evaluations = {one.name: _evaluated(one) for one in found}
    draws = replicates if interval == "bootstrap" else 0
    return PanRanking(
        profile=by.name,
        level=float(level),
        submissions=ranked(
            by,
            [Submission(one.name, one.trials, evaluations[one.name]) for one in found],
            draws=draws,
            level=level,
            seed=seed,
            progress=progress,
        ),
        findings=tuple(remarks(by, evaluations, intervals=draws > 0)),
        provenance=Provenance(
            inputs=(right.read, *(one.lines.read for one in found)),
            options={"profile": by.name, "interval": interval, "level": level, "replicates": replicates},
            seed=seed,
            versions=versions(),
            engine="numpy",
        ),
    )


@dataclass(frozen=True, slots=True)
class _Compared:
    """One submission beside the truth, problems in order of their ids.

    ``score`` are the answers as given, those of ``trials`` cut to [0, 1] where the year does so.
    """

    by: Profile
    name: str
    lines: Lines
    score: Floats
    trials: Trials
    missing: int


def _profile(name: str | None, truth: InputFile) -> Profile:
    return find_profile(wording_of(truth).profile if name is None else name)


def _compared(by: Profile, truth: Lines, answers: object, name: str) -> _Compared:
    """Read a submission and put its answers beside the truth."""
    lines = read_answers(one_file(answers, "answers"), by.wording)
    given, missing = aligned(truth, lines)
    # The order of lines means nothing: what a draw is must not depend on it.
    problems = list(truth.values)
    order = sorted(range(len(given)), key=lambda i: (isinstance(problems[i], str), problems[i]))
    score = np.array(given)[order] + 0.0  # no −0.0
    is_target: Bools = np.array(list(truth.values.values()))[order] == 1.0
    cut = np.clip(score, 0.0, 1.0) if by.clips else score
    return _Compared(by, name, lines, score, Trials(score=cut, is_target=is_target, scale="score"), missing)


def _evaluated(one: _Compared) -> PanEvaluation:
    """The figures of one submission, without intervals."""
    counts = count_trials(one.trials)
    values, metrics = one.by.values(counts), {}
    for key, value in values.items():
        if isinstance(value, UndefinedMetricError):
            metrics[key] = MetricValue(value=None, reason=value.reason, interval_reason=value.reason)
        else:
            metrics[key] = MetricValue(value=value, interval_reason="not_computed")
    return PanEvaluation(
        profile=one.by.name,
        metrics=metrics,
        official=one.by.written(one.trials, counts, values),
        confusion=confusion_at_half(counts) if one.by.confusion else None,
        n_target=int(counts.total_target),
        n_nontarget=int(counts.total_nontarget),
        unanswered=answers_in(counts, 0.0).unanswered,
        missing=one.missing,
        outside=int(np.count_nonzero((one.score < 0.0) | (one.score > 1.0))),
    )
