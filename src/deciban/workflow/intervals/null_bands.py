"""Figures of calibration beside what perfectly calibrated LRs of as many trials give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from deciban.counts.counts import Counts
from deciban.metrics.calibration_checks import devpav
from deciban.metrics.information import cllr_cal
from deciban.records.figures import MetricValue
from deciban.uncertainty.null_band import NullBand, null_band
from deciban.workflow.intervals.ways import Ways

MOST_TRIALS: Final = {"auto": 10_000, "bootstrap": 100_000}
"""Trials up to which there are simulations: a thousand take a second or two, or ten. Of more trials the band is narrow,
and calibration loss hardly above that of the population."""

JUDGED: Final[dict[str, Callable[[Counts], float]]] = {"cllr_cal": cllr_cal, "devpav": devpav}
"""Figures that are above 0 even for perfect calibration, since PAV is fitted to the trials it judges."""


def with_null_bands(figures: Mapping[str, MetricValue], counts: Counts, ways: Ways) -> dict[str, MetricValue]:
    """Return the same figures; those of calibration that have a value with their null bands, where there are any."""
    judged = {key: JUDGED[key] for key in JUDGED if key in figures and figures[key].value is not None}
    if counts.total > MOST_TRIALS.get(ways.interval, 0) or counts.weighted or not judged:
        return dict(figures)
    auc = figures["auc"].interval
    if auc is None and figures["auc"].value == 1.0:
        return dict(figures)  # perfectly separated classes: calibrated LRs of any strength may be so
    bands = null_band(
        counts,
        judged,
        auc_low=None if auc is None else auc.low,
        draws=ways.replicates,
        level=ways.level,
        seed=ways.seed,
        progress=ways.progress,
    )
    return {
        key: replace(figure, null_band=band) if isinstance(band := bands.get(key), NullBand) else figure
        for key, figure in figures.items()
    }
