"""Buckets of scores where a table is: the rule of :mod:`deciban.counts.buckets` in SQL and in Narwhals.

Every engine divides, rounds down and multiplies doubles alike, so that its buckets are NumPy's. Division is left out
where its result is known, since PostgreSQL refuses one that is too small for a double.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from deciban.counts.buckets import FINE, OWN, bucket_scores, choose_resolution
from deciban.counts.tally import Known, Tally
from deciban.tables.columns import Columns
from deciban.tables.files.duck import TooManyRowsError
from deciban.values.arrays import Floats

if TYPE_CHECKING:
    import narwhals as nw


STEP: Final = 2.0**10
"""By how much wider or finer buckets are tried in turn, to see how far apart quartiles are."""


@dataclass(frozen=True, slots=True)
class Key:
    """Where a score is counted.

    Attributes
    ----------
    resolution
        Width of the buckets.
    turned
        Whether scores will be negated, and are bucketed as they are then: what a key gives is negated once more.
    legal
        Between which values scores lie; any other stays as it is, so that the validator sees it.
    """

    resolution: float
    turned: bool = False
    legal: tuple[float, float] = (-np.inf, np.inf)

    @classmethod
    def of(cls, columns: Columns, resolution: float) -> Key | None:
        """The key of a table's scores; None where they must come as they are, since turning them is no negation."""
        turned = (columns.higher == "nontarget") != columns.swap
        if columns.scale in ("lr", "probability"):
            return None if turned else cls(resolution, legal=(0.0, np.inf if columns.scale == "lr" else 1.0))
        return cls(resolution, turned)

    def of_array(self, score: Floats) -> Floats:
        """Where each score of an array is counted."""
        sign = -1.0 if self.turned else 1.0
        inside = (score >= self.legal[0]) & (score <= self.legal[1])
        return np.where(inside, sign * bucket_scores(sign * score, self.resolution), score)

    def sql(self, value: str) -> str:
        """The same as an expression of DuckDB, of a double."""
        r, low, high = repr(self.resolution), *self.legal
        # DuckDB believes of NaN, too, that it lies between the values which a file says a column has. Not of a CASE.
        value = f"(CASE WHEN {value} IS NOT NULL THEN {value} END)"
        x = f"(-{value})" if self.turned else value
        outside = [f"abs({value}) > {OWN * self.resolution!r}"]
        outside += [f"{value} < {low!r}"] if np.isfinite(low) else []
        outside += [f"{value} > {high!r}"] if np.isfinite(high) else []
        sign = "-" if self.turned else ""
        return (
            f"CASE WHEN {' OR '.join(outside)} THEN {value} WHEN {x} >= 0 AND {x} < {r}::DOUBLE THEN 0.0::DOUBLE "
            f"WHEN {x} < 0 AND {x} >= -{r}::DOUBLE THEN {sign}(-{r}::DOUBLE) "
            f"ELSE {sign}(floor({x} / {r}::DOUBLE) * {r}::DOUBLE) + 0.0::DOUBLE END"
        )

    def narwhals(self, value: nw.Expr) -> Any:
        """The same as an expression of Narwhals, of a double."""
        import narwhals as nw

        r, low, high = self.resolution, *self.legal
        # As in SQL; what else has no value there is null either way.
        value = nw.when(~value.is_null()).then(value)
        x = 0.0 - value if self.turned else value
        sign = -1.0 if self.turned else 1.0
        outside = value.abs() > OWN * r
        if np.isfinite(low):
            outside = outside | (value < low)
        if np.isfinite(high):
            outside = outside | (value > high)
        # Not a constant: Polars multiplies by the inverse of one, and 0.3 / 0.1 is then 3 instead of just below.
        width = nw.when(x >= 0.0).then(nw.lit(r)).otherwise(nw.lit(r))
        # Spark rounds down to whole numbers of 64 bits, which are small enough here to be doubles again.
        below = ((x / width).floor().cast(nw.Float64) * (sign * r)) + 0.0
        rest = nw.when((x < 0.0) & (x >= -r)).then(nw.lit(-sign * r)).otherwise(below)
        rest = nw.when((x >= 0.0) & (x < r)).then(nw.lit(0.0)).otherwise(rest)
        return nw.when(outside).then(value).otherwise(rest)


def coarse_resolution(count: Callable[[float], Known]) -> float:
    """The width that ``"auto"`` means for scores that are too many to be looked at one by one.

    Parameters
    ----------
    count
        Counts in buckets of a width; raises :class:`TooManyRowsError` where there are too many of those.

    Returns
    -------
    float
        A power of two: that of the scores themselves or one beside it, since quartiles of buckets are nearly theirs.
    """
    width, tried = 1.0 / STEP, set[float]()
    while True:
        tried.add(width)
        try:
            known = count(width)
        except TooManyRowsError:
            if width * STEP in tried or width >= 2.0**800:
                raise
            width *= STEP
            continue
        if not isinstance(known, Tally) or known.resolution is None:
            raise TooManyRowsError(0)
        found = choose_resolution(known.rows.score, known.rows.is_target, known.times)
        # Quartiles that are many buckets apart are known well enough.
        if found >= 64.0 * width * 2.0**FINE or width / STEP in tried or width <= 2.0**-900:
            return found
        width /= STEP
