"""What each definition of the equal error rate says, and which tools follow it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deciban.counts.counts import Counts
from deciban.errors import UndefinedMetricError
from deciban.metrics.eer import METHODS, EqualError, equal_error


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """One definition in words.

    Attributes
    ----------
    rule
        What it takes for the rate, in one sentence.
    used_by
        Tools whose EER it is (theirs may treat tied scores otherwise), or where it was published.
    """

    rule: str
    used_by: str


DEFINITIONS: Final[dict[str, Definition]] = {
    "rocch": Definition(
        rule="where the convex hull of the ROC meets p_miss = p_fa; never above 0.5",
        used_by="BOSARIS and its ports, PYLLR, llreval, SIDEKIT, DCA-PLDA (from_rocch)",
    ),
    "interpolated": Definition(
        rule="where the ROC, its points joined by straight lines, meets p_miss = p_fa",
        used_by="scikit-learn's ROC curve with brentq, as in the scorers of VoxSRC and SASV",
    ),
    "nearest-first": Definition(
        rule="mean of the rates at the point where they differ least; of two alike the lower threshold",
        used_by="torchmetrics (ties of the difference go by the order of its thresholds)",
    ),
    "nearest-last": Definition(
        rule="mean of the rates at the point where they differ least; of two alike the higher threshold",
        used_by="bob.measure, SpeechBrain, DCA-PLDA",
    ),
    "nearest-max": Definition(
        rule="the larger of the rates at the point where they differ least",
        used_by="voxceleb_trainer",
    ),
    "fvc": Definition(
        rule="middle of the interval in which the rates cross, read at the threshold with the smaller sum of rates",
        used_by="FVC2000 and later fingerprint competitions, pyeer",
    ),
    "asvspoof": Definition(
        rule="mean of the rates where they differ least when trials are rejected one by one, targets first among ties",
        used_by="ASVspoof 2019 to 5",
    ),
    "nist": Definition(
        rule="straight line between the two points around p_miss = p_fa, trials rejected one by one, targets first",
        used_by="NIST's SRE scorers, wespeaker, 3D-Speaker (which follow the order of the file among ties)",
    ),
}
"""By method of :func:`deciban.eer`, in the order of its definitions."""


def every_equal_error(counts: Counts) -> dict[str, EqualError | str]:
    """Compute the equal error rate by every definition; the reason where there is none."""
    found: dict[str, EqualError | str] = {}
    for method in METHODS:
        try:
            found[method] = equal_error(counts, method=method)
        except UndefinedMetricError as error:
            found[method] = error.reason
    return found
