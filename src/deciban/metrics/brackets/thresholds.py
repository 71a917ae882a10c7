"""Brackets of figures at a threshold: one that is inside a bucket leaves open which of its trials are accepted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, cast

import numpy as np

from deciban.counts.counts import Counts
from deciban.errors import UndefinedMetricError
from deciban.metrics.brackets.ends import FEW_UNITS, ROUNDING, Ends, bucketed, exactly
from deciban.metrics.brackets.view import View
from deciban.metrics.misleading import strength
from deciban.metrics.presets import costs_of
from deciban.metrics.spec import Spec, run_body
from deciban.passes.confusion_matrix import Confusion, error_at, first_accepted
from deciban.values.option_checks import check_number
from deciban.values.scale import inverse_threshold, threshold_of_log10_lr, threshold_of_lr

Options = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Box:
    """How many targets and nontargets a threshold accepts at least and at most, each whatever the other."""

    tp: tuple[int, int]
    fp: tuple[int, int]
    n_target: int
    n_nontarget: int

    @property
    def settled(self) -> bool:
        """Whether nothing is open."""
        return self.tp[0] == self.tp[1] and self.fp[0] == self.fp[1]

    def tables(self, exact: bool) -> Iterator[Confusion]:
        """The confusion matrix at each corner, in fractions where asked for."""
        for tp, fp in product(dict.fromkeys(self.tp), dict.fromkeys(self.fp)):
            cells = (tp, fp, self.n_target - tp, self.n_nontarget - fp)
            # A Fraction is no float to the type checker, but every ratio is written for both.
            yield Confusion(*cast(Any, [Fraction(n) for n in cells] if exact else cells))

    def rates(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The smallest p_miss and p_fa, and the largest."""
        fn = self.n_target - self.tp[1], self.n_target - self.tp[0]
        low, high = ((miss / self.n_target, fa / self.n_nontarget) for miss, fa in zip(fn, self.fp, strict=True))
        return low, high


def box_at(counts: Counts, threshold: float) -> Box:
    """What a threshold accepts: all from the first bucket that begins at or above it, and part of one it is inside."""
    check_number("threshold", threshold, "a number in the unit of the scores")
    at, cut = first_accepted(counts, threshold)
    tp, fp = ((int(n[at:].sum()), int(n[at - cut :].sum())) for n in (counts.n_target, counts.n_nontarget))
    return Box(tp, fp, int(counts.total_target), int(counts.total_nontarget))


def at_corners(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket a figure of the confusion matrix that is monotone in accepted targets and in accepted nontargets.

    Such a figure is smallest and largest at corners of the box. Ratios of the matrix rise with accepted targets and
    fall with accepted nontargets, or the reverse: their derivatives have one sign for all counts of fixed N1 and N0.
    Where one corner has no value, scores may have none either.
    """
    box = box_at(view.counts, float(str(options["threshold"])))
    return corners(box, spec, options)


def corners(box: Box, spec: Spec, options: Options) -> Ends:
    """Bracket a figure by the corners of what a threshold accepts."""
    values, failed = [], []
    for table in box.tables(spec.exact):
        try:
            values.append(run_body(spec, [table], options, spec.exact))
        except UndefinedMetricError as error:
            failed.append(error)
    if failed and not values:
        raise failed[0]
    if failed:
        raise bucketed(spec.name, f"inside a bucket it may have no value ({failed[0]})")
    if spec.exact:
        low, high = min(values), max(values)
        return Ends(low, high, low == high, FEW_UNITS)
    # Costs of both signs may cancel, but no more than their sizes.
    size = sum(abs(float(str(value))) for name, value in options.items() if name.startswith("c_"))
    return Ends(min(values), max(values), box.settled, ROUNDING, ROUNDING * (1.0 + size))


def act_dcf(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket the actual cost, which rises with either rate at its threshold."""
    counts = view.counts
    counts.require_both_classes("act_dcf")
    costs = costs_of(*(options[name] for name in ("preset", "p_target", "c_miss", "c_fa")))  # type: ignore[arg-type]
    boxes = [box_at(counts, cost.threshold(counts.scale, counts.prior)) for cost in costs]
    ends = []
    for end in (0, 1):
        values = []
        for cost, box in zip(costs, boxes, strict=True):
            p_miss, p_fa = box.rates()[end]
            expected = cost.weight_miss * p_miss + cost.weight_fa * p_fa
            values.append(expected / cost.default if options["normalise"] else expected)
        ends.append(sum(values) / len(values))
    return Ends(ends[0], ends[1], all(box.settled for box in boxes), ROUNDING)


def bayes_error(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket the error at a prior, which rises with either rate at its threshold."""
    counts, odds = view.counts, float(str(options["log10_odds"]))
    counts.require_both_classes("bayes_error")
    box = box_at(counts, threshold_of_log10_lr(-odds, counts.scale, counts.prior))
    low, high = (error_at(odds, *rates, bool(options["normalise"])) for rates in box.rates())
    return Ends(low, high, box.settled, ROUNDING)


def misleading(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket the share of one class beyond an LR: a count at a threshold."""
    counts, k = view.counts, strength(float(str(options["k"])))
    of_targets = spec.name == "rmed"
    convert = inverse_threshold if of_targets else threshold_of_lr
    limit = convert(k, counts.scale, counts.prior)
    counts.require_both_classes(spec.name)
    # What lies at LR = 1 misleads nobody, what lies at any other limit does: the threshold is just above one of them.
    box = box_at(counts, limit if (k == 1.0) == of_targets else float(np.nextafter(limit, np.inf)))
    if of_targets:
        return exactly(*(Fraction(box.n_target - tp, box.n_target) for tp in reversed(box.tp)))
    return exactly(*(Fraction(fp, box.n_nontarget) for fp in box.fp))
