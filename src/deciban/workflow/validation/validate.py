"""``deciban.validate``: the criteria of a laboratory, decided on its data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from deciban.calibration.calibration import Calibration
from deciban.counts.counts import Counts
from deciban.records.threshold import ChosenThreshold
from deciban.records.validation import Validation
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.repeat import Progress
from deciban.workflow.asked import threshold_list
from deciban.workflow.validation.criteria import read_criteria
from deciban.workflow.validation.handed import Handed
from deciban.workflow.validation.judged import Paths
from deciban.workflow.validation.making import make


def validate(
    data: Trials | Counts | Table | Paths | None = None,
    *,
    criteria: str | Path,
    declared: Mapping[str, object] | None = None,
    baseline: Trials | Counts | Table | None = None,
    development: Trials | Calibration | None = None,
    thresholds: float | ChosenThreshold | Iterable[float | ChosenThreshold] | None = None,
    interval: str | None = None,
    level: float | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Validation:
    r"""Decide the criteria of a laboratory on its validation data: the validation matrix of an LR method.

    Parameters
    ----------
    data
        Trials, Counts, a Table from ``scan``, or the path or paths of one table; None: the file that ``[data]`` of the
        criteria file names. What is given wins over the criteria file, and a finding says so.
    criteria
        The criteria file (TOML). ``deciban validate --init criteria.toml`` writes one that explains every field.
    declared
        Which column of the files is what, with the names of the options of ``scan``: ``{"score": "llr"}``.
    baseline
        The method that is compared with on the same trials; None: that of ``[baseline]``.
    development
        The trials that the method was developed on, or its calibration, whose sources must not be among those of the
        data; None: those of ``[development]``.
    thresholds, interval, level, replicates, seed
        As in :func:`evaluate`; None: as ``[decision]`` of the criteria file says. ``interval`` is ``"auto"``,
        ``"bootstrap"`` or ``"none"``; null bands are simulated for up to 100 000 trials with either of the former.
    progress
        Called with how many of how many replicates are done.

    Returns
    -------
    Validation
        The record: ``verdict``, ``row("A1").decision`` and ``.why``. A criterion is ``not assessable`` where the data
        or the laboratory do not say what it takes to decide it; the reason is given in words.

    Raises
    ------
    InputError
        When a file cannot be read or its values cannot be used, or baseline and data disagree about the trials.
    OptionError
        When the criteria file holds what it should not, or an option is not legal.
    SingleClassError
        When the data hold one class only: there is nothing to validate by.

    Notes
    -----
    A criterion with the rule ``bound`` is met where the end of the two-sided interval at ``level`` meets the limit; a
    value that misses the limit fails without an interval too. With ``point`` the value decides, and a rate of errors
    that rests on fewer than 30 of them is not assessable.

    References
    ----------
    Meuwly, Ramos and Haraksim (2017), A guideline for the validation of likelihood ratio methods used for forensic
    evidence evaluation, Forensic Science International 276.

    Examples
    --------
    >>> import deciban as db, tempfile, pathlib
    >>> trials = db.Trials.from_classes([2, 3, -1, 1] * 10, [-2, 0.5, -3, -1.5] * 10, scale="ln_lr")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "criteria.toml")
    ...     written = path.write_text("[decision]\nfixed_on = 2026-03-01")
    ...     result = db.validate(trials, criteria=path, replicates=200)
    >>> result.row("A1").decision, result.row("N2").decision
    ('pass', 'not assessable')
    """
    options = {
        "thresholds": tuple(threshold_list(thresholds)) or None,
        "interval": interval,
        "level": level,
        "replicates": replicates,
        "seed": seed,
    }
    handed = Handed(
        data=data,
        declared=declared or {},
        baseline=baseline,
        development=development,
        options={key: value for key, value in options.items() if value is not None},
    )
    return make(read_criteria(criteria, level=level), handed, progress)
