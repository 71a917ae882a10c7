"""Choose a threshold on development trials."""

from __future__ import annotations

from deciban.confusion_matrix import confusion
from deciban.counting import as_trials, count_trials
from deciban.counts import Counts
from deciban.metrics.choosing import choose
from deciban.records.threshold import ChosenThreshold
from deciban.scanning import Table
from deciban.trials import Trials
from deciban.workflow.origin import provenance_of


def choose_threshold(data: Trials | Counts | Table, at: str) -> ChosenThreshold:
    """Choose a threshold by a rule, to be applied to other trials.

    Parameters
    ----------
    data
        Development trials with both classes.
    at
        The rule: ``eer`` (by method), ``min_dcf:preset=voxsrc``, ``p_fa=0.01``, ``p_miss=0.01``, ``f1``, ``youden`` or
        ``cost:p_target=0.1,c_miss=5,c_fa=1``. Among thresholds that do equally well the highest;
        ``p_fa`` takes the lowest that keeps the rate, which misses least.

    Returns
    -------
    ChosenThreshold
        Pass it in ``thresholds=`` of ``evaluate``; ``to_json`` and ``from_json`` keep it in a file.

    Raises
    ------
    OptionError
        When there is no such rule, or an option of it is not legal.
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        When no threshold does what is asked, since a score of inf is accepted by every one (``infinite_end``).

    Examples
    --------
    >>> import deciban as db
    >>> development = db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1])
    >>> db.choose_threshold(development, "eer").threshold
    0.6
    """
    if isinstance(data, Counts):
        trials, counts = None, data
    else:
        trials = as_trials(data, "choose_threshold")
        counts = count_trials(trials)
    counts.require_both_classes("choosing a threshold")
    rule, choice = choose(counts, at)
    table = confusion(counts, threshold=choice.threshold)
    return ChosenThreshold(
        threshold=choice.threshold,
        rule=rule,
        reached=choice.exact,
        p_miss=table.p_miss,
        p_fa=table.p_fa,
        scale=counts.scale,
        prior=counts.prior,
        reversed=counts.reversed,
        n_target=counts.total_target,
        n_nontarget=counts.total_nontarget,
        counts_sha256=counts.sha256(),
        provenance=provenance_of(data if isinstance(data, Table) else None, trials, {"at": at}, seed=0),
    )
