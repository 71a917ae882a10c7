"""What a function takes for trials: trials, or a table that yields them or counts them where it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from deciban.counts.buckets import MAX_BLOCKS, Resolution, check_resolution
from deciban.counts.counts import Counts
from deciban.counts.groups import members
from deciban.counts.of_trials import count_trials, width_of
from deciban.counts.tally import Known
from deciban.errors import InputError
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.values.option_checks import check_whole


@overload
def count(data: Trials | Table, *, resolution: Resolution | None = None, max_blocks: int = MAX_BLOCKS) -> Counts: ...
@overload
def count(
    data: Trials | Table, *, by: str, resolution: Resolution | None = None, max_blocks: int = MAX_BLOCKS
) -> dict[str, Counts]: ...


def count(
    data: Trials | Table,
    *,
    by: str | None = None,
    resolution: Resolution | None = None,
    max_blocks: int = MAX_BLOCKS,
) -> Counts | dict[str, Counts]:
    """Count the targets and nontargets at each distinct score.

    Parameters
    ----------
    data
        Trials, or a table that yields them; one in an engine (a database, a lazy dataframe, Spark) and a large file
        with few distinct scores are counted where they are.
    by
        Name of a condition column: one Counts per value of it; ``"a,b"`` crosses two. A trial whose
        condition is null or ``-`` belongs to every group. At most 10 000 groups are made.
    resolution
        Width r of buckets in the unit of the scores, for more distinct scores than memory holds: a score x is counted
        at floor(x/r)·r, an infinite one at itself. Figures then have brackets that hold the exact value
        (``deciban.bracket``). ``"auto"`` chooses a power of two for which the bracket of AUC is below 10⁻⁶ unless
        scores come in heaps; parts that are to be merged need one and the same number instead. Scores that ``higher``
        or ``swap`` reversed are bucketed as they are then.
    max_blocks
        How many distinct scores may be counted one by one.

    Returns
    -------
    Counts or dict of str to Counts
        The whole, or one for each group in sorted order of the names.

    Raises
    ------
    InputError
        When the data are no trials or hold a problem, there is no such condition, it makes too many groups, or there
        are more distinct scores than ``max_blocks``.
    OptionError
        When an option is not legal.

    Examples
    --------
    >>> import deciban as db
    >>> trials = db.Trials.from_arrays([2, 1, 2, 0], [1, 1, 0, 0], conditions={"sex": ["f", "m", "f", "m"]})
    >>> db.count(trials)
    Counts(n_target=2, n_nontarget=2, n_distinct=3, scale='score')
    >>> db.count(trials, by="sex")["f"]
    Counts(n_target=1, n_nontarget=1, n_distinct=1, scale='score')
    >>> db.count(trials, resolution=2).score
    array([0., 2.])
    """
    check_whole("max_blocks", max_blocks, 1, "at least one distinct score")
    known = as_known(data, "count", () if by is None else (by,), resolution, max_blocks)
    width = width_of(known, resolution)
    if by is None:
        return count_trials(known, width, max_blocks)
    return {group.name: count_trials(selected, width, max_blocks) for group, selected in members(known, by)}


def as_known(
    data: object,
    what: str,
    by: Sequence[str] = (),
    resolution: Resolution | None = None,
    max_blocks: int = MAX_BLOCKS,
) -> Known:
    """Return the trials, or their tally where the engine of a table counts them, in buckets if that is asked for.

    ``by`` are the groupings that will be asked for.
    """
    asked = check_resolution(resolution)
    return data.read(by, asked, max_blocks) if isinstance(data, Table) else as_trials(data, what)


def as_trials(data: object, what: str) -> Trials:
    """Return the trials, those of a table read now; :class:`InputError` for anything else says what to do."""
    if isinstance(data, Table):
        return data.trials()
    if isinstance(data, Trials):
        return data
    kind = type(data).__name__
    advice = (
        "they are counted already"
        if isinstance(data, Counts)
        else "for scores and labels use deciban.Trials.from_arrays(scores, labels), for a dataframe or file "
        "deciban.scan(…)"
    )
    raise InputError(f"{what}: expected Trials or a Table from scan, found {kind}: {advice}")
