"""Three-class trials counted: the scores of targets, nontargets and spoofs, from which tandem figures are computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Literal, TypeVar, cast, get_args

import numpy as np
from numpy.typing import NDArray

from deciban.counts.columns import whole_numbers, without_negative_zero
from deciban.counts.counts import Counts
from deciban.errors import InputError, NeedsTrialsError, Problems, SingleClassError
from deciban.trials.tandem import BONA_FIDE, CLASSES, SCORES, TandemTrials
from deciban.values.arrays import AnyArray, Floats, as_floats, owned
from deciban.values.option_checks import check_choice

Against = Literal["nontarget", "spoof", "both"]


@dataclass(frozen=True, slots=True, eq=False)
class ThreeClassCounts:
    """Distinct scores in increasing order with the number of targets, nontargets and spoofs at each.

    Parameters
    ----------
    score
        Distinct scores, strictly increasing, shape (u,); −inf and inf are legal.
    n_target, n_nontarget, n_spoof
        Trials of each class at each score, int64; a score may have none.

    Raises
    ------
    InputError
        When columns differ in length, scores are not increasing, or counts are no whole numbers >= 0.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.ThreeClassCounts.from_classes([2, 3], [0, 1], [1, 2])
    >>> counts.against("spoof")
    Counts(n_target=2, n_nontarget=2, n_distinct=3, scale='score')
    """

    score: Floats
    n_target: NDArray[np.int64]
    n_nontarget: NDArray[np.int64]
    n_spoof: NDArray[np.int64]
    total_target: int = field(init=False)
    total_nontarget: int = field(init=False)
    total_spoof: int = field(init=False)

    def __post_init__(self) -> None:
        problems = Problems("counts")
        score = without_negative_zero(as_floats(self.score, "score", problems))
        problems.raise_if_any()
        if not (score[1:] > score[:-1]).all() or np.isnan(score).any():
            raise InputError("score: expected distinct scores in increasing order without NaN")
        object.__setattr__(self, "score", owned(score))
        for name in ("target", "nontarget", "spoof"):
            column = whole_numbers(getattr(self, f"n_{name}"), np.int64, f"n_{name}")
            if column.shape != score.shape:
                raise InputError(f"expected columns of one length, found score {score.size}, n_{name} {column.size}")
            object.__setattr__(self, f"n_{name}", owned(column))
            object.__setattr__(self, f"total_{name}", int(column.sum()))

    @classmethod
    def from_classes(cls, target: object, nontarget: object, spoof: object) -> ThreeClassCounts:
        """Count the scores of each class."""
        parts = [np.asarray(part, dtype=np.float64) for part in (target, nontarget, spoof)]
        code = np.repeat(np.arange(3, dtype=np.int8), [part.size for part in parts])
        return _counted(np.concatenate(parts), code)

    def __repr__(self) -> str:
        numbers = f"n_target={self.total_target}, n_nontarget={self.total_nontarget}, n_spoof={self.total_spoof}"
        return f"ThreeClassCounts({numbers}, n_distinct={self.score.size})"

    def against(self, other: Against) -> Counts:
        """Return targets against nontargets, against spoofs, or against both together."""
        check_choice("against", other, get_args(Against))
        columns = {"nontarget": self.n_nontarget, "spoof": self.n_spoof, "both": self.n_nontarget + self.n_spoof}
        return Counts(self.score, self.n_target, columns[other])

    def bona_fide(self) -> Counts:
        """Return bona fide trials (targets and nontargets) against spoofs."""
        return Counts(self.score, self.n_target + self.n_nontarget, self.n_spoof)

    def rejected(self) -> tuple[AnyArray, AnyArray, AnyArray]:
        """Targets, nontargets and spoofs below each threshold, shape (u + 1,): every score, then reject-all.

        Raises :class:`SingleClassError` when a class is empty.
        """
        for name in ("target", "nontarget", "spoof"):
            if getattr(self, f"total_{name}") == 0:
                raise SingleClassError(f"a figure of three classes needs all of them: there is no {name}")
        below = [np.zeros(self.score.size + 1, dtype=np.int64) for _ in range(3)]
        for sums, n in zip(below, (self.n_target, self.n_nontarget, self.n_spoof), strict=True):
            np.cumsum(n, out=sums[1:])
        return below[0], below[1], below[2]

    def threshold_at(self, index: int) -> float:
        """Return the threshold of one place of :meth:`rejected`."""
        return float(self.score[index]) if index < self.score.size else np.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class TandemCounts:
    """What the figures of a tandem are computed from.

    Only the scores of each system by class matter, not which scores one trial has from both: the countermeasure and the
    verifier may have been run on different trials.

    Attributes
    ----------
    asv
        Verifier: targets, nontargets and spoofs.
    cm
        Countermeasure: bona fide speech (the target class) against spoofs.
    sasv
        One system that does both.
    """

    asv: ThreeClassCounts | None = None
    cm: Counts | None = None
    sasv: ThreeClassCounts | None = None

    def require_asv(self, what: str) -> ThreeClassCounts:
        """Return the verifier's counts; :class:`NeedsTrialsError` where there are none."""
        if self.asv is None:
            raise NeedsTrialsError(f"{what} needs the verifier's scores: give asv= (--asv-score)")
        return self.asv

    def require_cm(self, what: str) -> Counts:
        """Return the countermeasure's counts; :class:`NeedsTrialsError` where there are none."""
        if self.cm is None:
            raise NeedsTrialsError(f"{what} needs the countermeasure's scores: give cm= (--cm-score)")
        return self.cm

    def require_sasv(self, what: str) -> ThreeClassCounts:
        """Return the counts of one system that does both; :class:`NeedsTrialsError` where there are none."""
        if self.sasv is None:
            raise NeedsTrialsError(f"{what} needs one score for both tasks: give sasv= (--score)")
        return self.sasv


F = TypeVar("F", bound=Callable[..., Any])


def of_tandem(function: F) -> F:
    """Check the first argument of a function of tandem counts; :class:`InputError` says how to make them."""
    what = function.__name__

    @wraps(function)
    def checked(*given: Any, **options: Any) -> Any:
        first = given[0] if given else options.get("counts")
        if not isinstance(first, TandemCounts):
            advice = "use deciban.count_tandem(trials)"
            if not isinstance(first, TandemTrials):
                advice = "for arrays use deciban.count_tandem(deciban.TandemTrials.from_arrays(classes, asv=…, cm=…))"
            raise InputError(f"{what}: expected TandemCounts, found {type(first).__name__}: {advice}")
        return function(*given, **options)

    return cast(F, checked)


def count_tandem(*trials: TandemTrials) -> TandemCounts:
    """Count three-class trials: those of one table with all scores, or of several with scores of their own.

    Parameters
    ----------
    *trials
        Trials; each score (asv, cm, sasv) from one of them.

    Returns
    -------
    TandemCounts
        What the figures of a tandem take.

    Raises
    ------
    InputError
        Without trials, or when two of them have the same score.

    Examples
    --------
    >>> import deciban as db
    >>> verifier = db.TandemTrials.from_arrays(["target", "nontarget", "spoof"], asv=[2, 0, 1])
    >>> countermeasure = db.TandemTrials.from_arrays(["bonafide", "spoof"], cm=[1, -1])
    >>> db.count_tandem(verifier, countermeasure).cm
    Counts(n_target=1, n_nontarget=1, n_distinct=2, scale='score')
    """
    found: dict[str, ThreeClassCounts | Counts] = {}
    for part in trials:
        if not isinstance(part, TandemTrials):
            raise InputError(f"count_tandem: expected TandemTrials, found {type(part).__name__}")
        for name, score in part.scores.items():
            if name in found:
                raise InputError(f"count_tandem: two tables have {name} scores: leave one of them out")
            found[name] = _bona_fide(part, score) if name == "cm" else _counted(score, part.code)
    if not found:
        raise InputError("count_tandem: expected trials, found none")
    return TandemCounts(**{name: found[name] for name in SCORES if name in found})  # type: ignore[arg-type]


def _counted(score: Floats, code: AnyArray) -> ThreeClassCounts:
    """Count the scores of the three classes."""
    distinct, block = np.unique(score, return_inverse=True)
    columns = [np.bincount(block[code == each], minlength=distinct.size) for each in range(3)]
    return ThreeClassCounts(distinct, *(column.astype(np.int64, copy=False) for column in columns))


def _bona_fide(trials: TandemTrials, score: Floats) -> Counts:
    """Count bona fide speech of any claim against spoofs."""
    genuine = np.isin(trials.code, [CLASSES.index(name) for name in BONA_FIDE])
    distinct, block = np.unique(score, return_inverse=True)
    n_genuine, n_spoof = (np.bincount(block[which], minlength=distinct.size) for which in (genuine, ~genuine))
    return Counts(distinct, n_genuine, n_spoof)
