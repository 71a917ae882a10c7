"""Any ratio of the confusion matrix against the threshold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np

from deciban.counts.argument import of_any_counts, unbucketed
from deciban.counts.buckets import at_edges
from deciban.counts.counts import Counts
from deciban.curves.curve import Curve
from deciban.curves.grid import grid
from deciban.errors import OptionError, did_you_mean
from deciban.passes.confusion_matrix import Confusion
from deciban.passes.cumulative import accepted, accepted_at_all
from deciban.values.arrays import AnyArray, Floats, MaybeFloats, undefined_where
from deciban.values.log_domain import chunks
from deciban.values.option_checks import check_text

EXACT: Final = 2**31
"""With fewer trials than this, products of two counts fit 64 bits."""

RATIOS: Final = tuple(
    name
    for name, value in vars(Confusion).items()
    if not name.startswith("_") and isinstance(value, property) and name not in ("n", "n_target", "n_nontarget")
)
"""What can be drawn against the threshold: the properties of :class:`Confusion`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThresholdCurve(Curve):
    """Ratios of the confusion matrix at each threshold.

    Attributes
    ----------
    threshold
        Accept when score >= threshold: inf, each finite score in decreasing order and −inf, or those given.
    tp, fp
        Accepted targets and nontargets.
    values
        One column for each ratio, by name; masked where it has no value, inf where it is infinite.
    n_target, n_nontarget
        All targets and nontargets.
    """

    threshold: Floats
    tp: AnyArray
    fp: AnyArray
    values: Mapping[str, MaybeFloats]
    n_target: int | float
    n_nontarget: int | float


@of_any_counts
def threshold_curve(
    counts: Counts, metrics: Sequence[str] = ("precision", "recall", "f1"), *, thresholds: object = None
) -> ThresholdCurve:
    """Compute ratios of the confusion matrix at every threshold.

    Parameters
    ----------
    counts
        Counts on any scale; one class may be empty. Of counts in buckets only the default thresholds can be had: the
        lower edges, where what is accepted is known exactly.
    metrics
        Names of properties of :class:`Confusion`: precision, recall, f1, mcc, …
    thresholds
        In the unit of the scores, shape (d,). Default: inf, each finite score in decreasing order, −inf.

    Returns
    -------
    ThresholdCurve
        At each threshold what :func:`confusion` gives there; the value holds from the next lower score (exclusive) up
        to the threshold. Anchors are those of the ratios.

    Raises
    ------
    OptionError, InputError
        When a ratio is unknown or the thresholds are no column of numbers.

    Notes
    -----
    At inf only infinite scores are accepted, so precision has no value there when no score is infinite.

    References
    ----------
    Powers (2011), Evaluation: from precision, recall and F-measure to ROC, J. Machine Learning Technologies 2.

    Examples
    --------
    >>> import deciban as db
    >>> curve = db.threshold_curve(db.Counts.from_classes([0.9, 0.6], [0.8, 0.1]), ["precision"])
    >>> curve.threshold.tolist()
    [inf, 0.9, 0.8, 0.6, 0.1, -inf]
    >>> curve.values["precision"].tolist()
    [None, 1.0, 0.5, 0.6666666666666666, 0.5, 0.5]
    """
    names = _known(metrics)
    if thresholds is None:
        counts = at_edges(counts)
        threshold, tp, fp = accepted_at_all(counts)
    else:
        unbucketed(counts, "threshold_curve at given thresholds")
        threshold = grid(thresholds, "thresholds", np.empty(0))
        tp, fp = accepted(counts, threshold)
    return ThresholdCurve(
        threshold=threshold,
        tp=tp,
        fp=fp,
        values=_columns(counts, names, tp, fp),
        n_target=counts.total_target,
        n_nontarget=counts.total_nontarget,
    )


def _known(metrics: Sequence[str]) -> tuple[str, ...]:
    names = (metrics,) if isinstance(metrics, str) or not isinstance(metrics, Iterable) else tuple(metrics)
    if not names:
        raise OptionError(f"metrics: expected at least one of {', '.join(RATIOS)}")
    for name in names:
        check_text("metrics", name, "names such as 'precision'")
        if name not in RATIOS:
            raise OptionError(f"metrics: {name!r} is no ratio of the confusion matrix; {did_you_mean(name, RATIOS)}")
    return tuple(dict.fromkeys(names))


def _columns(counts: Counts, names: tuple[str, ...], tp: AnyArray, fp: AnyArray) -> dict[str, MaybeFloats]:
    """Each ratio at all thresholds, in chunks: most time would go into arrays of the size of the data."""
    filled = {name: (np.empty(tp.size), np.empty(tp.size, dtype=bool)) for name in names}
    for part in chunks(tp.size):
        table = _table(counts, tp[part], fp[part])
        for name, (values, missing) in filled.items():
            column = getattr(table, name)
            values[part], missing[part] = np.ma.getdata(column), np.ma.getmaskarray(column)
    return {name: undefined_where(missing, values) for name, (values, missing) in filled.items()}


def _table(counts: Counts, tp: AnyArray, fp: AnyArray) -> Confusion:
    """The four counts at many thresholds at once."""
    columns: tuple[AnyArray, ...] = (tp, fp, counts.total_target - tp, counts.total_nontarget - fp)
    if counts.total >= EXACT:
        columns = tuple(column.astype(np.float64) for column in columns)
    # An array is no float to the type checker, but every ratio of Confusion is written for both.
    return Confusion(*cast(Any, columns))
