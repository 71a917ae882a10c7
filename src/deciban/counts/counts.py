"""The waist: how many targets and nontargets have each distinct score."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deciban.counts.buckets import check_buckets
from deciban.counts.columns import MAX_PAIRS, refuse_too_many, whole_numbers, without_negative_zero
from deciban.errors import InputError, Problems, SingleClassError
from deciban.values.arrays import AnyArray, Floats, as_floats, locked, owned
from deciban.values.option_checks import check_flag
from deciban.values.scale import Scale, check_prior, check_scale, domain_fault, to_ln_lr


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Distinct scores in increasing order with the number (or weight) of targets and nontargets at each.

    An exact sufficient statistic for every figure that does not name trials: it does not depend on the order of rows
    or on what counted them, and :func:`merge` of parts is the whole. A block without targets and nontargets is
    absence and is left out. Arrays are read-only, and copies of those that were given.

    Parameters
    ----------
    score
        Distinct scores in the unit given, strictly increasing, shape (u,); −inf and inf are legal.
    n_target, n_nontarget
        Trials of each class at each score: int64, or float64 when ``weighted``.
    scale, prior
        Unit of the scores; prior that probabilities were made under.
    resolution
        Width r of the buckets when scores were bucketed, else None (exact): each score is then a multiple k·r, and
        stands for scores from about there to (k + 1)·r (see ``deciban.counts.buckets``).
    weighted
        Whether the counts are sums of weights.
    reversed
        Whether the scores are those given turned round (``higher="nontarget"`` or ``swap``); thresholds of functions of
        counts are for the scores as they stand here.

    Raises
    ------
    InputError
        When the columns differ in length, are not sorted, hold NaN, negative or fractional counts, values outside the
        scale or between buckets, or so many trials that N1·N0 >= 2^62.

    Examples
    --------
    >>> import deciban as db
    >>> db.Counts(score=[0.1, 0.4], n_target=[0, 2], n_nontarget=[3, 1])
    Counts(n_target=2, n_nontarget=4, n_distinct=2, scale='score')
    """

    score: Floats
    n_target: NDArray[np.int64] | Floats
    n_nontarget: NDArray[np.int64] | Floats
    scale: Scale = "score"
    prior: float | None = None
    resolution: float | None = None
    weighted: bool = False
    reversed: bool = False
    total_target: int | float = field(init=False)
    total_nontarget: int | float = field(init=False)

    if TYPE_CHECKING:
        # Lists and arrays of any kind are taken; the fields are what they become.
        def __init__(
            self,
            score: ArrayLike,
            n_target: ArrayLike,
            n_nontarget: ArrayLike,
            scale: str = "score",
            prior: float | None = None,
            resolution: float | None = None,
            weighted: bool = False,
            reversed: bool = False,  # noqa: A002 - the name of the field
        ) -> None: ...

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        check_flag("weighted", self.weighted)
        check_flag("reversed", self.reversed)
        kind = np.float64 if self.weighted else np.int64
        problems = Problems("counts")
        score = as_floats(self.score, "score", problems)
        problems.raise_if_any()
        n_target = whole_numbers(self.n_target, kind, "n_target")
        n_nontarget = whole_numbers(self.n_nontarget, kind, "n_nontarget")
        if not score.shape == n_target.shape == n_nontarget.shape:
            raise InputError(
                f"expected columns of one length, found score {score.size}, n_target {n_target.size}, "
                f"n_nontarget {n_nontarget.size}"
            )
        empty = (n_target == 0) & (n_nontarget == 0)
        if empty.any():
            score, n_target, n_nontarget = (locked(column[~empty]) for column in (score, n_target, n_nontarget))
        if not (score[1:] > score[:-1]).all() or (score.size == 1 and np.isnan(score[0])):
            raise InputError("score: expected distinct scores in increasing order without NaN; use Counts.from_arrays")
        score = without_negative_zero(score)
        scale = check_scale(self.scale)
        fault = domain_fault(score, scale)
        if fault is not None:
            raise InputError(f"score: {fault[1]}; found {score[fault[0]][0]:g}; is scale={scale!r} right?")
        resolution = check_buckets(score, self.resolution)
        if not self.weighted:
            refuse_too_many(n_target, n_nontarget)
        totals = n_target.sum().item(), n_nontarget.sum().item()
        for name, value in (("score", score), ("n_target", n_target), ("n_nontarget", n_nontarget)):
            set_field(self, name, owned(value))
        set_field(self, "scale", scale)
        set_field(self, "resolution", resolution)
        set_field(self, "prior", check_prior(self.prior, scale=scale))
        set_field(self, "total_target", totals[0])
        set_field(self, "total_nontarget", totals[1])

    @classmethod
    def from_arrays(cls, scores: object, labels: object, **options: object) -> Counts:
        """Count scores and labels given side by side; options as in ``Trials.from_arrays``.

        Examples
        --------
        >>> import deciban as db
        >>> db.Counts.from_arrays([0.9, 0.4, 0.4, 0.1], [1, 0, 1, 0], target=1)
        Counts(n_target=2, n_nontarget=2, n_distinct=3, scale='score')
        """
        from deciban.counts.of_trials import count_trials
        from deciban.trials.trials import Trials

        return count_trials(Trials.from_arrays(scores, labels, **options))  # type: ignore[arg-type]

    @classmethod
    def from_classes(cls, target_scores: object, nontarget_scores: object, **options: object) -> Counts:
        """Count scores given as one array per class; options as in ``Trials.from_classes``.

        Examples
        --------
        >>> import deciban as db
        >>> db.Counts.from_classes([3, 4], [1, 2])
        Counts(n_target=2, n_nontarget=2, n_distinct=4, scale='score')
        """
        from deciban.counts.of_trials import count_trials
        from deciban.trials.trials import Trials

        return count_trials(Trials.from_classes(target_scores, nontarget_scores, **options))  # type: ignore[arg-type]

    @property
    def n_distinct(self) -> int:
        """How many distinct scores there are."""
        return int(self.score.shape[0])

    @property
    def total(self) -> int | float:
        """All trials, or all their weight."""
        return self.total_target + self.total_nontarget

    @property
    def one_each(self) -> bool:
        """Whether every score is that of exactly one trial."""
        return not self.weighted and self.total == self.n_distinct

    def ln_lr(self) -> Floats:
        """Natural-log likelihood ratio of each distinct score; :class:`ScaleError` when the scale carries none."""
        return to_ln_lr(self.score, self.scale, self.prior)

    @property
    def unit(self) -> tuple[Scale, float | None, float | None, bool]:
        """What parts must have in common: scale, prior, resolution, whether scores were reversed."""
        return self.scale, self.prior, self.resolution, self.reversed

    def require_both_classes(self, what: str) -> None:
        """Raise :class:`SingleClassError` unless there is at least one target and one nontarget."""
        if self.total_target == 0 or self.total_nontarget == 0:
            missing = "target" if self.total_target == 0 else "nontarget"
            raise SingleClassError(
                f"{what} needs both classes: found {self.total_target} targets and {self.total_nontarget} nontargets "
                f"(no {missing})"
            )

    def reweighted(self, n_target: AnyArray, n_nontarget: AnyArray) -> Counts:
        """Return counts of the same scores with other numbers of trials, such as a bootstrap replicate.

        The scores were validated when these counts were made; only what other numbers can change is looked at again.

        Parameters
        ----------
        n_target, n_nontarget
            Trials of each class at each score, shape (u,), int64 and not negative, or both float64 for weights.

        Returns
        -------
        Counts
            Without the scores at which no trial is left.

        Raises
        ------
        InputError
            When there are 2^62 pairs or more.

        Examples
        --------
        >>> import numpy as np, deciban as db
        >>> counts = db.Counts.from_classes([3, 4], [1, 2])
        >>> counts.reweighted(np.array([0, 0, 0, 2]), np.array([1, 0, 1, 0]))
        Counts(n_target=2, n_nontarget=2, n_distinct=3, scale='score')
        """
        score = self.score
        left = np.flatnonzero(n_target + n_nontarget)
        if left.size < score.size:
            score, n_target, n_nontarget = (locked(column[left]) for column in (score, n_target, n_nontarget))
        return sound(score, n_target, n_nontarget, *self.unit)

    def sha256(self) -> str:
        """SHA-256 of the canonical form (little-endian columns and header): the same whatever engine counted."""
        header = f"deciban.counts/1 {self.scale} {self.prior!r} {self.resolution!r} {self.weighted} {self.n_distinct}\n"
        digest = hashlib.sha256(header.encode())
        kind = "<f8" if self.weighted else "<i8"
        for column, dtype in ((self.score, "<f8"), (self.n_target, kind), (self.n_nontarget, kind)):
            digest.update(np.ascontiguousarray(column, dtype=dtype).data)
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        return self.unit == other.unit and all(
            np.array_equal(mine, theirs)
            for mine, theirs in (
                (self.score, other.score),
                (self.n_target, other.n_target),
                (self.n_nontarget, other.n_nontarget),
            )
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Callable[..., Counts], tuple[Any, ...]]:
        # Copies and pickles of arrays can be written to; counts made of them anew cannot.
        return Counts, (self.score, self.n_target, self.n_nontarget, *self.unit[:3], self.weighted, self.reversed)

    def __repr__(self) -> str:
        return (
            f"Counts(n_target={self.total_target}, n_nontarget={self.total_nontarget}, "
            f"n_distinct={self.n_distinct}, scale={self.scale!r}{', reversed=True' if self.reversed else ''}"
            f"{'' if self.resolution is None else f', resolution={self.resolution!r}'})"
        )


def sound(
    score: Floats,
    n_target: AnyArray,
    n_nontarget: AnyArray,
    scale: Scale,
    prior: float | None,
    resolution: float | None,
    was_reversed: bool,
) -> Counts:
    """Counts of columns in which nothing can be wrong but their totals: sorted here from scores that were validated.

    The constructor would go through them a dozen times, which takes a third of the time of sorting them.
    """
    weighted = n_target.dtype.kind == "f"
    totals = n_target.sum().item(), n_nontarget.sum().item()
    if not weighted and totals[0] * totals[1] >= MAX_PAIRS:
        refuse_too_many(n_target, n_nontarget)
    counts = object.__new__(Counts)
    for name, value in (
        ("score", owned(score)),
        ("n_target", owned(n_target)),
        ("n_nontarget", owned(n_nontarget)),
        ("scale", scale),
        ("prior", prior),
        ("resolution", resolution),
        ("weighted", weighted),
        ("reversed", was_reversed),
        ("total_target", totals[0]),
        ("total_nontarget", totals[1]),
    ):
        object.__setattr__(counts, name, value)
    return counts
