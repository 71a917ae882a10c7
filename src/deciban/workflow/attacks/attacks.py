"""Presentation-attack detection: error rates by attack species at thresholds, or at a largest rate for the worst."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, Literal, cast

from deciban.errors import OptionError
from deciban.records.attacks import AttackEvaluation
from deciban.tables.counting import as_trials
from deciban.tables.table import Table
from deciban.trials.direction import reversed_threshold
from deciban.trials.trials import Trials
from deciban.uncertainty.proportion import METHODS, ProportionMethod
from deciban.values.option_checks import check_choice, check_known, check_level, check_number
from deciban.workflow.asked import threshold_list, word_list
from deciban.workflow.attacks.points import How, lowest, point_at, present, responses
from deciban.workflow.findings.attacks import remarks
from deciban.workflow.origin import provenance_of

NONRESPONSE: Final = ("apart", "rejected")
ASKED: Final = ("acer", "apcer_pooled")


def evaluate_attacks(
    data: Trials | Table,
    species: str,
    *,
    thresholds: float | Iterable[float] | None = (),
    apcer: float | Iterable[float] | None = (),
    metrics: str | Iterable[str] | None = (),
    nonresponse: str = "apart",
    level: float = 0.95,
    proportion: ProportionMethod = "wilson",
) -> AttackEvaluation:
    """Compute the error rates of presentation-attack detection for each attack species.

    APCER of a species = its attacks taken for bona fide / its attacks; BPCER = bona fide presentations taken for
    attacks / bona fide presentations. The headline is the worst species: an attacker chooses it.

    Parameters
    ----------
    data
        Trials, or a table that yields them. Targets are the bona fide presentations, and high scores speak for them.
    species
        The condition column that names the species of each attack; what it holds for bona fide presentations does not
        matter.
    thresholds
        A presentation is taken for bona fide when its score, as given, is at least the threshold (at most, where scores
        were reversed).
    apcer
        Largest APCER that any species may have: gives the lowest threshold that keeps to it, and BPCER there ("BPCER at
        APCER 0.05").
    metrics
        ``"acer"`` and ``"apcer_pooled"``, to compare with old reports: averages hide the worst species.
    nonresponse
        Presentations without a score (``missing="reject"`` of ``scan``): ``"apart"``, reported as APNRR and BPNRR and
        left out of the rest; ``"rejected"``, counted in APCER and BPCER too, as not taken for bona fide.
    level, proportion
        Two-sided confidence level of the intervals; ``wilson``, ``clopper-pearson`` or ``jeffreys``.

    Returns
    -------
    AttackEvaluation
        Rates in [0, 1], perfect 0, with their intervals and what they are ratios of.

    Raises
    ------
    InputError
        When an attack has no species, or there is no such column.
    UndefinedMetricError
        Reason ``single_class`` without attacks or bona fide presentations that got a response; ``weighted`` for
        weighted trials; ``infinite_end`` when no threshold keeps to an APCER, as attacks have a score of infinity.
    OptionError
        When an option is not legal, or neither ``thresholds`` nor ``apcer`` is given.

    Notes
    -----
    A species of which no presentation got a response has no APCER (None, ``undefined_ratio``), and the worst is that of
    the others; with ``nonresponse="rejected"`` it has 0. The threshold of ``apcer`` is chosen on these very
    presentations, so that BPCER there is optimistic. The interval of the worst species is that of this species, as if
    it had been named beforehand.

    References
    ----------
    ISO/IEC 30107-3:2023, Biometric presentation attack detection, part 3: testing and reporting.

    Examples
    --------
    >>> import deciban as db
    >>> trials = db.Trials.from_arrays(
    ...     [0.9, 0.8, 0.7, 0.3, 0.6, 0.2, 0.1, 0.4],
    ...     ["bonafide"] * 4 + ["attack"] * 4,
    ...     target="bonafide",
    ...     conditions={"tool": ["-", "-", "-", "-", "mask", "mask", "print", "print"]},
    ... )
    >>> point = db.evaluate_attacks(trials, "tool", thresholds=0.5).points[0]
    >>> point.worst, point.apcer.value, point.bpcer.rate.value
    ('mask', 0.5, 0.25)
    """
    check_level(level)
    check_choice("nonresponse", nonresponse, NONRESPONSE)
    check_known("proportion", proportion, METHODS)
    asked = word_list("metrics", metrics)
    for name in asked:
        check_choice("metrics", name, ASKED)
    given, limits = threshold_list(thresholds), [_largest(limit) for limit in threshold_list(apcer)]
    if not given and not limits:
        raise OptionError("thresholds: expected a threshold (--threshold), or a largest APCER with apcer= (--apcer)")
    trials, table = as_trials(data, "evaluate_attacks"), data if isinstance(data, Table) else None
    presented = present(trials, species, apart=nonresponse == "apart")
    how = How(
        level=float(level),
        proportion=proportion,
        asked=tuple(asked),
        score_column="score" if table is None else table.columns.score,
        reversed=trials.reversed,
    )
    evaluated = [_evaluated(at, trials) for at in given]
    points = [point_at(presented, threshold, None, how) for threshold in dict.fromkeys(evaluated)]
    points += [point_at(presented, lowest(presented, limit), limit, how) for limit in dict.fromkeys(limits)]
    options = {
        "species": species,
        "thresholds": given,
        "apcer": limits,
        "metrics": asked,
        "nonresponse": nonresponse,
        "level": level,
        "proportion": proportion,
    }
    result = AttackEvaluation(
        level=float(level),
        nonresponse=cast(Literal["apart", "rejected"], nonresponse),
        bona_fide=responses(presented.bona_fide, how),
        species={name: responses(one, how) for name, one in presented.species.items()},
        points=tuple(points),
        findings=(),
        provenance=provenance_of(table, trials, options, seed=0),
    )
    return replace(result, findings=tuple(remarks(result, trials)))


def _largest(limit: object) -> float:
    """An APCER that is not to be exceeded."""
    rate = check_number("apcer", limit, "a rate in [0, 1]")
    if not 0.0 <= rate <= 1.0:
        raise OptionError(f"apcer: expected a rate in [0, 1], found {limit!r}")
    return rate


def _evaluated(threshold: object, trials: Trials) -> float:
    """A threshold for the scores as they are evaluated."""
    at = check_number("threshold", threshold, "a number in the unit of the scores")
    return reversed_threshold(at, trials.scale) if trials.reversed else at
