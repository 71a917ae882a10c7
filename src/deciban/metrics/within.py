"""The AUC of pairs within one condition, which no difference between conditions can raise or lower."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final, Literal, overload

from deciban.counts.argument import as_counts, unbucketed
from deciban.counts.counts import Counts
from deciban.counts.pairs import pair_counts
from deciban.errors import InputError, SingleClassError, UndefinedMetricError
from deciban.values.ratio import divide

KEY: Final = "auc_within:by="
"""How its key in a record starts; the grouping as it was asked for follows."""


@overload
def auc_within(groups: Mapping[str, Counts], *, exact: Literal[True]) -> Fraction: ...
@overload
def auc_within(groups: Mapping[str, Counts], *, exact: Literal[False] = False) -> float: ...
def auc_within(groups: Mapping[str, Counts], *, exact: bool = False) -> float | Fraction:
    """Compute the AUC over target–nontarget pairs of one condition: Σ (wins + ties/2) / Σ N1·N0, sums over groups.

    Parameters
    ----------
    groups
        Counts of each condition by name, as ``db.count(table, by=…)`` gives them. A group with one class has no pair
        and adds nothing.
    exact
        Return a Fraction.

    Returns
    -------
    float
        A share. Perfect 1, no information 0.5. Where it differs from the AUC of all trials together, scores of
        different conditions are not on one scale, or conditions differ in their share of targets.

    Raises
    ------
    SingleClassError
        When no group has both classes.
    UndefinedMetricError
        Reason ``weighted``, when a fraction is asked of weighted counts.

    Notes
    -----
    Ties count half. The scores of different groups need not have one unit.

    References
    ----------
    Bamber (1975), The area above the ordinal dominance graph, J. Math. Psychology 12.

    Examples
    --------
    >>> import deciban as db
    >>> groups = {"quiet": db.Counts.from_classes([3, 4], [1, 2]), "loud": db.Counts.from_classes([9], [8, 9])}
    >>> db.auc_within(groups, exact=True), db.auc(db.merge(*groups.values()), exact=True)
    (Fraction(11, 12), Fraction(5, 8))
    """
    if not isinstance(groups, Mapping):
        raise InputError(
            f"auc_within: expected Counts by the name of their group, as deciban.count(table, by=…) gives them, found "
            f"{type(groups).__name__}"
        )
    for group in groups.values():
        unbucketed(as_counts(group, "auc_within"), "auc_within")
    pairs = [pair_counts(group) for group in groups.values() if group.total_target > 0 and group.total_nontarget > 0]
    if not pairs:
        raise SingleClassError(f"auc_within needs a group with both classes: found none in {len(groups)} groups")
    if exact and any(group.weighted for group in groups.values()):
        raise UndefinedMetricError("auc_within: exact fractions need unweighted trials", "weighted")
    wins, ties, losses = (sum(column) for column in zip(*pairs, strict=True))
    value = divide(2 * wins + ties, 2 * (wins + ties + losses))
    return value if exact else float(value)
