"""What the explorer's script reads of one record: numbers as they are in it, infinities as text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from deciban.curves.cross_entropy import CrossEntropyCurve
from deciban.curves.histogram import ScoreHistogram
from deciban.plots.canvas import plain
from deciban.plots.det_plane import half_error
from deciban.plots.priors import TALLEST
from deciban.plots.score_axis import score_label
from deciban.plots.score_distribution import GAP, WIDTH
from deciban.records.comparison import SystemRecord
from deciban.records.curves import OperatingPoints
from deciban.records.display import number as table_number
from deciban.records.display import printable, shortened
from deciban.records.evaluation import Evaluation
from deciban.records.figures import ThresholdRow
from deciban.report.explorer.charts import LINES
from deciban.trials.direction import reversed_threshold, threshold_as_given
from deciban.values.scale import Scale, check_scale

Explored = Evaluation | SystemRecord

MOST_BUTTONS: Final = 12
"""Thresholds of the record that get a button; more would hide the other controls."""


def payload(name: str, record: Explored) -> dict[str, Any]:
    """Give the operating points of a record in the order of the slider, and what else is drawn and computed from.

    Thresholds are those for the scores that were evaluated; where these were reversed, beside them are those for the
    scores as given, since turning back is rounded.
    """
    trials, points = record.trials, record.curves.operating_points
    if points is None:
        raise ValueError("a record without operating points cannot be explored")
    scale = check_scale(trials.scale)
    thresholds = _thresholds(points, scale, trials.reversed)
    rows = _rows(thresholds, trials.reversed)
    columns = {column: [getattr(points, column)[row] for row in rows] for column in ("tp", "fp", "fn", "tn")}
    histogram = _histogram(record.curves.score_histogram, scale, trials.reversed)
    entropy = record.curves.cross_entropy
    return {
        "name": shortened(printable(name), 80),
        "score": shortened(printable(_score(record)), 40),
        "scale": scale,
        "unit": plain(score_label(scale)),
        "has_lr": entropy is not None,
        "prior": trials.prior,
        "reversed": trials.reversed,
        "p_target": trials.p_target if trials.p_target_origin == "given" else None,
        "threshold": [_number(thresholds[row]) for row in rows],
        "shown": [_number(threshold_as_given(thresholds[row], scale)) for row in rows] if trials.reversed else None,
        **columns,
        "lines": {
            "half_fa": _half(points.fp, trials.n_nontarget),
            "half_miss": _half(points.fn, trials.n_target),
            "share": trials.n_target / trials.n,
        },
        "presets": _presets(record.thresholds, columns),
        "held": _held(len(points.threshold), trials.n_distinct, trials.resolution),
        "ends": [0.0, 0.0] if histogram is None else [histogram[0]["middle"], histogram[-1]["middle"]],
        "top": 1.0 if entropy is None else _top(entropy),
        "curves": {"histogram": histogram, "cross_entropy": None if entropy is None else _priors(entropy)},
    }


def _thresholds(points: OperatingPoints, scale: Scale, was_reversed: bool) -> tuple[float, ...]:
    """Thresholds by their points; that of accepting all as a likelihood ratio, where it must be turned round."""
    return tuple(max(at, 0.0) for at in points.threshold) if was_reversed and scale == "lr" else points.threshold


def _rows(thresholds: Sequence[float], was_reversed: bool) -> list[int]:
    """The points by increasing threshold for the scores as given.

    Left out are ends that no threshold leads to: those beyond scores which are themselves infinite, or 0 as ratios.
    """
    rows = list(range(len(thresholds)))
    if len(rows) > 1 and thresholds[0] == thresholds[1]:
        rows = rows[1:]
    if len(rows) > 1 and thresholds[-1] == thresholds[-2]:
        rows = rows[:-1]
    return rows if was_reversed else rows[::-1]


def _number(value: float) -> float | str:
    """A number as JSON has it; infinities as text that JavaScript reads as numbers."""
    return value if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"


def _presets(thresholds: Sequence[ThresholdRow], columns: Mapping[str, list[Any]]) -> list[dict[str, Any]]:
    """The thresholds of the record whose point is among those held, by name and place."""
    places = {counts: place for place, counts in enumerate(zip(columns["tp"], columns["fp"], strict=True))}
    found = []
    for row in thresholds:
        place = places.get((row.tp, row.fp))
        if place is not None:
            origin = "" if row.origin == "given" else f"{shortened(printable(row.origin), 30)}: "
            found.append({"label": origin + table_number(row.shown), "at": place})
    return found[:MOST_BUTTONS]


def _score(record: Explored) -> str:
    """The name of the scores, which the acceptance of each threshold begins with."""
    sign = " <= " if record.trials.reversed else " >= "
    for row in record.thresholds:
        if sign in row.accept:
            return row.accept.rpartition(sign)[0]
    named = record.provenance.columns.get("score") if isinstance(record, Evaluation) else None
    return named if isinstance(named, str) and named else "score"


def _half(errors: Sequence[float], n: float) -> float:
    return half_error(np.asarray(errors, dtype=np.float64) / n, n)


def _held(n: int, distinct: int, resolution: float | None) -> str:
    """Which operating points there are."""
    if resolution is not None:
        return (
            f"Here are {n} operating points at edges of buckets of scores; counts are exact at each. A threshold "
            "between two of them is answered by the next that accepts no more."
        )
    if n == distinct + 2:
        return "Every operating point is here."
    return (
        f"Here are {n} of {distinct + 2} operating points; counts are exact at each. A threshold between two of them "
        "is answered by the next that accepts no more."
    )


def _histogram(bins: ScoreHistogram | None, scale: Scale, was_reversed: bool) -> list[dict[str, Any]] | None:
    """Bars of both classes along the scores as given, and the places where infinite ones stand.

    None where an axis cannot hold the bins.
    """
    if bins is None:
        return None
    edges = [*bins.low.tolist(), *bins.high.tolist()[-1:]] or [-1.0, 1.0]
    # In order of the scores that were evaluated: trials at -inf, in each bin, at inf.
    target = [bins.target_at_minus_inf, *bins.n_target.tolist(), bins.target_at_inf]
    nontarget = [bins.nontarget_at_minus_inf, *bins.n_nontarget.tolist(), bins.nontarget_at_inf]
    if was_reversed:
        edges = [reversed_threshold(edge, scale) for edge in edges[::-1]]
        target, nontarget = target[::-1], nontarget[::-1]
    span = edges[-1] - edges[0]
    places = [edges[0] - GAP * span, edges[-1] + GAP * span]
    if not all(map(math.isfinite, [*edges, *places])):
        return None
    half = WIDTH * span / 2
    low = [places[0] - half, *edges[:-1], places[1] - half]
    shares = _shares(target), _shares(nontarget)
    tallest = list(map(max, *shares))
    return _table(
        {
            "low": low,
            "high": [places[0] + half, *edges[1:], places[1] + half],
            "middle": [places[0], *low[1:-1], places[1]],
            "target": shares[0],
            "nontarget": shares[1],
            "tallest": tallest,
            "infinite": [-int(tallest[0] > 0), *[0] * (len(low) - 2), int(tallest[-1] > 0)],
        }
    )


def _shares(n: Sequence[float]) -> list[float]:
    """Shares of one class, with as many digits as a bar can show."""
    total = sum(n)
    return [round(each / total, 6) for each in n]


def _priors(curve: CrossEntropyCurve) -> list[dict[str, Any]]:
    """What each LR leaves unknown at each prior."""
    columns = {name: getattr(curve, name).tolist() for name in ("log10_odds", *LINES)}
    return _table({name: list(map(_number, column)) for name, column in columns.items()})


def _table(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Columns as rows, which is how charts read them."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _top(curve: CrossEntropyCurve) -> float:
    """How far up the cross-entropy is drawn: not much beyond the uninformed one."""
    uninformed = float(curve.neutral.max())
    highest = float(curve.system[np.isfinite(curve.system)].max(initial=0.0))
    return 1.05 * max(uninformed, min(highest, TALLEST * uninformed))
