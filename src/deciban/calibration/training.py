"""What a calibration remembers of the trials it was fitted to: numbers, range, unit, and whose they were."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from deciban.counts.counts import Counts
from deciban.counts.of_trials import count_trials, present
from deciban.errors import InputError
from deciban.passes.logistic import separated
from deciban.trials.source_keys import source_keys
from deciban.trials.trials import Trials
from deciban.values.arrays import AnyArray, Floats, absent
from deciban.values.scale import Scale

DIGITS = 16
"""Of the SHA-256 of a source's name: enough to know it again, without its name being in the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """The trials that a calibration was fitted to.

    Attributes
    ----------
    n_target, n_nontarget, n_distinct
        How many of each class, and how many distinct scores.
    low, high
        The fitted range: lowest and highest score, in the unit given.
    scale, prior, reversed
        The unit and direction of the scores, which those it is applied to must have.
    weighted
        Whether numbers of trials are sums of weights.
    separated
        Whether a threshold parts the classes; none parts scores that are all equal.
    sources
        Digests of the names of their sources in order; empty when no sources were given.
    counts_sha256
        The counts they are.
    scores_sha256
        Their scores without their classes, each as often as it occurs; empty where trials are weighted.
    """

    n_target: int | float
    n_nontarget: int | float
    n_distinct: int
    low: float
    high: float
    scale: Scale
    prior: float | None
    reversed: bool
    weighted: bool
    separated: bool
    sources: tuple[str, ...]
    counts_sha256: str
    scores_sha256: str = ""

    @property
    def n_sources(self) -> int | None:
        """How many sources; None when none were given."""
        return len(self.sources) or None

    def refuse_other_unit(self, data: Trials | Counts) -> None:
        """Raise :class:`InputError` unless the scores have the unit, prior and direction that were fitted."""
        expected = (self.scale, self.prior, self.reversed)
        found = (data.scale, data.prior, data.reversed)
        if expected != found:
            raise InputError(f"calibration: it was fitted to scores of {_unit(*expected)}, found {_unit(*found)}")

    def leak(self, data: Trials | Counts) -> str | None:
        """What data to be calibrated have in common with the trials fitted, in words; None when that is nothing."""
        if isinstance(data, Trials):
            common = sorted(set(self.sources) & set(source_digests(data)))
            if common:
                return f"{len(common)} of the sources of these trials are among those it was fitted to"
            if data.weight is None and not self._may_be(data):
                return None
            data = count_trials(data)
        same = (data.total_target, data.total_nontarget) == (self.n_target, self.n_nontarget)
        return "it was fitted to these very trials" if same and data.sha256() == self.counts_sha256 else None

    def same_scores(self, scores: Floats) -> bool:
        """Whether scores, none of them missing and in the direction fitted, are those fitted, each as often."""
        n = self.n_target + self.n_nontarget
        if not self.scores_sha256 or scores.size != n or (scores.min(), scores.max()) != (self.low, self.high):
            return False
        distinct, times = np.unique(scores + 0.0, return_counts=True)
        return _scores_sha256(distinct, times) == self.scores_sha256

    def _may_be(self, trials: Trials) -> bool:
        """Whether trials without weights agree with those fitted in what is seen at a glance, without sorting them."""
        n_target = int(np.count_nonzero(trials.is_target))
        if (n_target, len(trials) - n_target) != (self.n_target, self.n_nontarget):
            return False
        return (trials.score.min(), trials.score.max()) == (self.low, self.high)


def _unit(scale: Scale, prior: float | None, was_reversed: bool) -> str:
    made = "" if prior is None else f" made under prior {prior:g}"
    return f"scale {scale}{made}{', reversed' if was_reversed else ''}"


def training_of(counts: Counts, trials: Trials | None) -> Training:
    """Describe the trials that are fitted; sources are known of trials only."""
    return Training(
        n_target=counts.total_target,
        n_nontarget=counts.total_nontarget,
        n_distinct=counts.n_distinct,
        low=float(counts.score[0]),
        high=float(counts.score[-1]),
        scale=counts.scale,
        prior=counts.prior,
        reversed=counts.reversed,
        weighted=counts.weighted,
        separated=counts.n_distinct > 1 and separated(counts.score, counts.n_target, counts.n_nontarget),
        sources=() if trials is None else source_digests(trials),
        counts_sha256=counts.sha256(),
        scores_sha256="" if counts.weighted else _scores_sha256(counts.score, counts.n_target + counts.n_nontarget),
    )


def _scores_sha256(score: Floats, times: AnyArray) -> str:
    """SHA-256 of distinct scores in order and how often each occurs."""
    digest = hashlib.sha256(np.ascontiguousarray(score, dtype="<f8").data)
    digest.update(np.ascontiguousarray(times, dtype="<i8").data)
    return digest.hexdigest()


def source_digests(trials: Trials) -> tuple[str, ...]:
    """Digests of the names of all sources of trials; those of weight 0 are absent."""
    return digests_of(present(trials).sources)


def digests_of(columns: Iterable[AnyArray]) -> tuple[str, ...]:
    """Digests of the names of all sources, in order; two columns are one set of sources."""
    names: set[str] = set()
    for column in columns:
        there = np.asarray(column)[~absent(column)]
        (keys,) = source_keys([there if there.dtype.kind == "O" else np.unique(there)])
        names |= set(np.unique(keys).tolist())
    return tuple(sorted(hashlib.sha256(name.encode()).hexdigest()[:DIGITS] for name in names))
