"""The increasing map that pooling adjacent violators finds, with a rule for scores that were not among the trials."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from deciban.calibration.block_table import CELLS, read_blocks
from deciban.calibration.fitting import EqualByContent, Fits
from deciban.calibration.reading import Reading
from deciban.counts.counts import Counts
from deciban.errors import InputError
from deciban.passes.pool import pool, pool_laplace
from deciban.values.arrays import Floats, owned
from deciban.values.option_checks import check_flag


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlocksModel(EqualByContent):
    """One ln LR for each block of scores from ``low`` to ``high``, both in the unit of the scores."""

    low: Floats
    high: Floats
    ln_lr_of_block: Floats
    kind: Literal["blocks"] = "blocks"
    reads: ClassVar[Reading] = "score"
    formula: ClassVar[str] = "ln LR of the block that x lies in; between two blocks linear in x"
    derived: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        low, high, ln_lr = self.low, self.high, self.ln_lr_of_block
        sound = low.size == high.size == ln_lr.size > 0 and not np.isnan(low).any() and not np.isnan(ln_lr).any()
        if not (sound and (low <= high).all() and (low[1:] > high[:-1]).all() and (ln_lr[1:] >= ln_lr[:-1]).all()):
            raise InputError("blocks: expected columns of one length with blocks one above the other, LRs not falling")
        for name in ("low", "high", "ln_lr_of_block"):
            object.__setattr__(self, name, owned(getattr(self, name)))

    def ln_lr(self, x: Floats) -> Floats:
        """The log LRs of scores inside blocks, in the gaps and beyond the ends; NaN where there is none."""
        if x.size <= CELLS:
            return self._searched(x)
        ln_lr = read_blocks(x, self.low, self.high, self.ln_lr_of_block)
        left = np.flatnonzero(np.isnan(ln_lr))
        ln_lr[left] = self._searched(x[left])
        return ln_lr

    def _searched(self, x: Floats) -> Floats:
        """The log LRs of scores, by searching the block of each."""
        at = np.searchsorted(self.low, x, side="right") - 1
        at[at < 0] = 0
        ln_lr: Floats = self.ln_lr_of_block[at]
        gap = np.flatnonzero((x > self.high[at]) & (at < self.low.size - 1))
        if gap.size:
            ln_lr[gap] = self._between(x[gap], at[gap])
        return ln_lr

    def _between(self, x: Floats, at: NDArray[np.intp]) -> Floats:
        """Linear in the score between two finite blocks; the finite one's where the other is infinite, NaN of two."""
        below, above = self.ln_lr_of_block[at], self.ln_lr_of_block[at + 1]
        start, end = self.high[at], self.low[at + 1]
        with np.errstate(invalid="ignore", over="ignore"):
            share = (x - start) / (end - start)
            # Halves only where the distance of two doubles overflows: the smallest doubles have none.
            far = np.isinf(end - start)
            share[far] = (x[far] / 2.0 - start[far] / 2.0) / (end[far] / 2.0 - start[far] / 2.0)
            # An infinite end is infinitely far from any score.
            share = np.where(np.isinf(start), np.where(np.isinf(end), 0.5, 1.0), np.where(np.isinf(end), 0.0, share))
            inner = below * (1.0 - share) + above * share
        one = np.where(np.isinf(below), above, np.where(np.isinf(above), below, np.clip(inner, below, above)))
        return np.where(np.isinf(below) & np.isinf(above), np.nan, one)


@dataclass(frozen=True, slots=True)
class IsotonicCalibrator(Fits):
    """Calibrate by the best increasing map, pooling adjacent violators: a block's LR is (k1/N1)/(k0/N0).

    Parameters
    ----------
    laplace
        Pool with one extra target and nontarget beyond each end, so that no LR is 0 or infinite.

    Raises
    ------
    OptionError
        When the option is no flag.

    Notes
    -----
    A score inside a block has its LR; between two blocks ln LR is linear in the score, or that of the finite block
    where the other is pure; beyond the ends it is that of the last block. Without ``laplace`` the ends are usually pure
    and their LR 0 or infinite. A score between a block of nontargets only and one of targets only has no LR:
    ``transform`` gives NaN, ``deciban calibrate apply`` an empty cell, and ``apply``, since trials have scores, raises
    :class:`UndefinedMetricError`, reason ``separated``. Infinite scores are scores like others, and an infinite end of
    a gap is infinitely far away. Ties are pooled first. Where the share of targets rises nowhere with the score, LR is
    1 everywhere, with ``laplace`` (1 + 1/N1)/(1 + 1/N0).

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import deciban as db
    >>> development = db.Counts.from_classes([0.9, 0.5], [0.8, 0.7, 0.1])
    >>> db.IsotonicCalibrator().fit(development).transform([0.0, 0.6, 1.0]).round(6).tolist()
    [-inf, -0.287682, inf]
    >>> db.IsotonicCalibrator(laplace=True).fit(development).transform([0.0, 1.0]).round(6).tolist()
    [-0.287682, 1.098612]
    """

    laplace: bool = False
    kind: Literal["isotonic"] = field(default="isotonic", kw_only=True, repr=False)
    reads: ClassVar[Reading] = "score"
    finite_only: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_flag("laplace", self.laplace)

    def model(self, counts: Counts) -> BlocksModel:
        """Pool counts of both classes."""
        pooled = pool_laplace(counts) if self.laplace else pool(counts)
        return BlocksModel(low=pooled.low, high=pooled.high, ln_lr_of_block=pooled.ln_lr)
