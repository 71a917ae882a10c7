"""Findings about conditions: whether scores of different conditions can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from deciban.records.finding import Finding

POOLED_APART: Final = 0.01
"""Difference of the two AUCs that is reported: it would change the second decimal, which is how AUCs are quoted."""


def pooling(pooled_auc: float, within_auc: float, by: str) -> Iterator[Finding]:
    """Pairs across conditions that are ranked otherwise than pairs within one.

    Parameters
    ----------
    pooled_auc
        AUC of all pairs.
    within_auc
        AUC of the pairs within one condition (``auc_within``).
    by
        The condition column.
    """
    if abs(pooled_auc - within_auc) > POOLED_APART:
        yield Finding(
            code="POOLING",
            severity="warn",
            metric="auc",
            message=f"AUC is {pooled_auc:.6g} over all pairs and {within_auc:.6g} over pairs within one {by}: scores "
            f"of different {by} are not on one scale, or their shares of targets differ",
            advice=f"say which pairs occur in use; where one threshold serves every {by}, calibrate the scores of each",
            data={"by": by, "auc": pooled_auc, "auc_within": within_auc},
        )
