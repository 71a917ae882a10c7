"""Several systems in one record: their figures, and the difference of every two."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import cast

from deciban.counts.counts import Counts
from deciban.metrics.expression import parse
from deciban.records.comparison import Comparison, SystemRecord
from deciban.records.differences import Adjustment
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.repeat import Progress
from deciban.values.option_checks import check_choice
from deciban.workflow.asked import word_list
from deciban.workflow.comparing.compared import evaluated, shown_metrics, with_parts
from deciban.workflow.comparing.differences import Question, find_differences
from deciban.workflow.comparing.errors_compared import compare_all, compare_errors
from deciban.workflow.comparing.given import (
    Thresholds,
    check_names,
    provenance_of_systems,
    read_system,
    score_column,
    thresholds_of_systems,
    written_thresholds,
)
from deciban.workflow.comparing.pairing import PAIRINGS, UNMATCHED, pair
from deciban.workflow.evaluating.drawable import curves_of, limit_of
from deciban.workflow.evaluating.plan import check_options
from deciban.workflow.findings.comparing import find_in_comparison
from deciban.workflow.intervals.ways import DRAWN, How, Ways


def compare(
    systems: Mapping[str, Trials | Counts | Table],
    *,
    metrics: str | Iterable[str] | None = (),
    costs: str | Iterable[str] | None = (),
    thresholds: Thresholds | Mapping[str, Thresholds] = (),
    p_target: float | None = None,
    pairing: str = "auto",
    unmatched: str = "refuse",
    interval: str = "auto",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Comparison:
    """Compare systems by any figures: of every two the difference, its interval, and a test.

    Parameters
    ----------
    systems
        Trials, a Table from ``scan``, or Counts of each system by its name, at least two. Their scores need not be of
        one scale.
    metrics
        Expressions of the figures; default: AUC, EER and average precision; where all systems carry them also Cllr with
        its two parts, and of probabilities Brier score and log loss. Cllr asked for brings its parts along.
    costs
        Detection costs, as in :func:`evaluate`.
    thresholds
        Thresholds at which errors are compared, in the unit of the scores as given; or those of each system by its
        name, ``{"a": 0.5, "b": [2.0]}``, equally many of each. Default: 0.5 for probabilities and LR = 1 for likelihood
        ratios, where every system has one.
    p_target
        Prior at which LRs become posteriors; default the share of targets in the data.
    pairing
        Which trials are the same: ``"ids"``: those of the same ids; ``"rows"``: those of the same row of the input;
        ``"none"``: each system has trials of its own. ``"auto"``: by ids where all systems have them and share any,
        else by rows where systems have equally many trials and their labels agree in each, else none; what was done is
        said.
    unmatched
        What to do with trials that another system lacks: ``"refuse"`` or ``"drop"`` them. Trials that another system
        lacks because its score is missing follow ``missing="drop"`` of the trials.
    interval, level, replicates, seed
        How uncertainty is computed; confidence level; bootstrap replicates and permutations; seed of all random draws.
        ``"auto"``: closed forms where trials are independent and there is one, else the bootstrap; ``"bootstrap"``:
        every interval; ``"none"``: no random draws, and tests in closed form only.
    progress
        Called with how many of how many replicates are done.

    Returns
    -------
    Comparison
        The record. Differences are the first system less the second. Identical systems: difference 0, p 1, and no
        interval (reason ``degenerate``): that one shows no width does not make it certain.

    Raises
    ------
    InputError
        When there are not two systems, a name is blank, ids are missing or occur twice, labels of one trial differ,
        trials are missing from a system, or weights or sources of one trial differ.
    NeedsTrialsError
        When counts are to be paired.
    SingleClassError
        When only one class is left.
    ScaleError
        When a figure asked for by name needs another scale than a system has.
    OptionError
        When an option or expression is not legal.

    Notes
    -----
    **AUC** of independent trials: DeLong's test, paired (:func:`delong_test`) or not (:func:`delong_unpaired`), for
    more than two systems also his χ² that all are equal.

    **Other figures**, and AUC where DeLong's variance is 0 or a class has one trial: the interval comes from bootstrap
    replicates in which systems on the same trials are given the same draw, trials within each class, or sources where
    they are known; systems on trials of their own are drawn independently. It is read as each metric says
    (``percentile``, ``basic``). The p-value comes from swapping the scores of the two systems trial by trial, which is
    a fair coin if the systems are alike. Scores of figures that depend on ranks alone are swapped as mid-ranks within
    each system, so that scales do not matter; LRs as natural logarithms; others only where both systems have one scale.
    Where scores cannot be swapped (trials with sources, trials of their own, different scales) the p-value is the
    bootstrap's: the level whose interval ends at 0. Neither p-value is below 1/(replicates + 1).

    Of two equally good systems, tests at 5 % rejected 3–8 % (permutation; 20 + 40 trials of normal log LRs) and 2–13 %
    (bootstrap; 300 trials of 30 sources). Nominal 95 % intervals of differences covered 79–97 % with 20 + 40 trials and
    87–98 % with 100 + 200, least of min Cllr.

    **Errors** at thresholds: McNemar's exact and mid-p tests, which take trials to be independent.

    **Adjustment**: Holm's, over all pairs of systems by one figure (at one threshold). Not over figures: choose the one
    that decides beforehand.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Comparing the areas under two or more correlated ROC curves,
    Biometrics 44; Bandos, Rockette and Gur (2005), A permutation test sensitive to differences in areas for comparing
    ROC curves from a paired design, Statistics in Medicine 24; Holm (1979), A simple sequentially rejective multiple
    test procedure, Scandinavian J. Statistics 6.

    Examples
    --------
    >>> import deciban as db
    >>> labels = [1, 1, 1, 0, 0, 0]
    >>> a = db.Trials.from_arrays([9, 7, 4, 5, 2, 1], labels)
    >>> b = db.Trials.from_arrays([8, 3, 2, 4, 6, 1], labels)
    >>> found = db.compare({"a": a, "b": b}, metrics="auc").difference("auc")
    >>> round(found.value, 4), round(found.p_value, 4), found.test
    (0.3333, 0.2207, 'delong')
    """
    check_options(interval, level, replicates, seed, exact=False, how=DRAWN)
    check_choice("pairing", pairing, PAIRINGS)
    check_choice("unmatched", unmatched, UNMATCHED)
    check_names(systems)
    metrics, costs = word_list("metrics", metrics), word_list("costs", costs)
    for text in metrics:
        parse(text)  # a name mistyped is told before a large file is read
    at = thresholds_of_systems(thresholds, list(systems))
    data = {name: read_system(name, system) for name, system in systems.items()}
    paired = pair(data, pairing, unmatched)
    ways = Ways(interval=cast(How, interval), level=float(level), replicates=replicates, seed=seed)
    compared = [
        evaluated(
            name,
            system,
            metrics=with_parts(metrics or shown_metrics(data)),
            costs=costs,
            thresholds=at[name],
            p_target=p_target,
            score_column=score_column(systems[name]),
            ways=ways,
        )
        for name, system in paired.systems.items()
    ]
    options = {
        "metrics": metrics,
        "costs": costs,
        "thresholds": written_thresholds(at),
        "p_target": p_target,
        "pairing": pairing,
        "unmatched": unmatched,
        "interval": interval,
        "level": level,
        "replicates": replicates,
    }
    figures, differences = find_differences(Question(compared, paired.shared, ways, progress))
    errors = compare_errors(compared) if paired.shared else ()
    return Comparison(
        pairing=paired.record,
        systems={
            one.name: SystemRecord(
                trials=one.record.trials,
                metrics=figures[one.name],
                thresholds=one.record.thresholds,
                curves=curves_of(one.counts, one.plan.at, one.plan.p_target, limit_of(len(compared))),
            )
            for one in compared
        },
        differences=differences,
        errors=errors,
        joint=compare_all(compared) if paired.shared else (),
        adjustment=Adjustment(tests=math.comb(len(compared), 2)),
        findings=find_in_comparison(compared, paired.record, differences, errors),
        provenance=provenance_of_systems(systems, data, options, seed),
    )
