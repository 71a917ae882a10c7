"""What a threshold does to attacks of each species and to bona fide presentations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from deciban.errors import InputError, UndefinedMetricError, counted, did_you_mean, rows
from deciban.metrics.biometric import attack_rates
from deciban.records.attacks import AttackPoint, Presentations, Share
from deciban.records.display import exact_digits
from deciban.records.figures import MetricValue
from deciban.trials.direction import acceptance, reversed_threshold
from deciban.trials.labels import value_text
from deciban.trials.trials import Trials
from deciban.uncertainty.interval import Interval
from deciban.uncertainty.proportion import ProportionMethod, proportion_interval
from deciban.uncertainty.recovery import sum_ends
from deciban.values.arrays import AnyArray, Floats, nulls


@dataclass(frozen=True, slots=True)
class Responses:
    """Scores of the presentations of one kind that got a response, in increasing order, and how many did not.

    ``n`` is what rates are taken of: the responses, or all presentations.
    """

    score: Floats
    without: int
    n: int

    @property
    def presented(self) -> int:
        """All presentations."""
        return self.score.size + self.without

    def accepted(self, threshold: float) -> int:
        """How many are taken for bona fide."""
        return int(self.score.size - np.searchsorted(self.score, threshold, side="left"))


@dataclass(frozen=True, slots=True)
class Presented:
    """Bona fide presentations, and attacks by species."""

    bona_fide: Responses
    species: Mapping[str, Responses]


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How rates are shown: their intervals, what was asked for by name, the scores as they were given."""

    level: float
    proportion: ProportionMethod
    asked: tuple[str, ...]
    score_column: str
    reversed: bool


def present(trials: Trials, column: str, *, apart: bool) -> Presented:
    """Sort presentations by kind; those without a response are ``apart`` or count in the rates."""
    if trials.weight is not None:
        raise UndefinedMetricError("presentations are counted, which weights are not: leave them out", "weighted")
    if column not in trials.conditions:
        raise InputError(f"species: no condition column {column!r}; {did_you_mean(column, trials.conditions)}")
    named = _named(trials, column)
    bona_fide = _responses(trials, trials.is_target, apart)
    species = {name: _responses(trials, named == name, apart) for name in sorted(set(named[~trials.is_target]))}
    if not species:
        raise UndefinedMetricError("there are no attacks: every presentation is bona fide", "single_class")
    for what, found in {"bona fide presentation": [bona_fide], "attack": list(species.values())}.items():
        if not any(one.n for one in found):
            raise UndefinedMetricError(f"no {what} got a response, so there is no rate", "single_class")
    return Presented(bona_fide, species)


def _named(trials: Trials, column: str) -> AnyArray:
    """The species of each presentation as text; "" for bona fide ones, which no attack has."""
    values = trials.conditions[column]
    named = np.array([value_text(value) for value in values.tolist()], dtype=object)
    lacking = (nulls(values) | (named == "-") | (named == "")) & ~trials.is_target
    if lacking.any():
        where = [trials.row_number(index) - 1 for index in np.flatnonzero(lacking).tolist()]
        said = counted(len(where), "attack")
        raise InputError(f"{column}: {said} without a species at {rows(where)}; name it, or ignore those rows")
    named[trials.is_target] = ""
    return named


def _responses(trials: Trials, of_kind: AnyArray, apart: bool) -> Responses:
    score = trials.score[of_kind]
    without = 0
    if trials.failed is not None:
        failed = trials.failed[of_kind]
        score, without = score[~failed], int(np.count_nonzero(failed))
    return Responses(np.sort(score), without, score.size + (0 if apart else without))


def lowest(presented: Presented, limit: float) -> float:
    """The lowest threshold at which no species has an APCER above the limit; inf where that rejects everything."""
    above = -math.inf  # the highest score that must be rejected
    must = False
    for one in (each for each in presented.species.values() if each.n):
        # The rate of each number of accepted attacks, rounded once, is compared with the limit as a double.
        allowed = int(np.searchsorted(np.arange(one.n + 1) / one.n, limit, side="right")) - 1
        if allowed < one.score.size:
            must, above = True, max(above, float(one.score[one.score.size - 1 - allowed]))
    every = np.concatenate([presented.bona_fide.score, *(one.score for one in presented.species.values())])
    candidates = every[every > above] if must else every
    if candidates.size:
        return float(candidates.min())
    if above == math.inf:
        raise UndefinedMetricError(
            f"no threshold has an APCER of at most {limit} for every species: attacks with a score of inf are accepted "
            "by every one",
            "infinite_end",
        )
    return math.inf


def responses(one: Responses, how: How) -> Presentations:
    """How many presentations of one kind got no response."""
    rate = _rate(one.without, one.presented, how)
    return Presentations(n=one.presented, without_response=one.without, rate=rate)


def point_at(presented: Presented, threshold: float, limit: float | None, how: How) -> AttackPoint:
    """Error rates at one threshold."""
    species = {name: _share(one.accepted(threshold), one.n, how) for name, one in presented.species.items()}
    bona_fide = presented.bona_fide
    bpcer = _share(bona_fide.n - bona_fide.accepted(threshold), bona_fide.n, how)
    known = {name: share for name, share in species.items() if share.n}
    worst = max(known, key=lambda name: (known[name].errors / known[name].n, -known[name].n))
    as_given = reversed_threshold(threshold, "score") if how.reversed else None
    shown = exact_digits(threshold if as_given is None else as_given)
    return AttackPoint(
        threshold=threshold,
        as_given=as_given,
        accept=acceptance(shown, how.score_column, was_reversed=how.reversed),
        limit=limit,
        species=species,
        worst=worst,
        bpcer=bpcer,
        asked={name: _asked(name, known, known[worst], bpcer, how) for name in how.asked},
    )


def _asked(name: str, species: Mapping[str, Share], worst: Share, bpcer: Share, how: How) -> MetricValue:
    """ACER or the pooled APCER."""
    rates = attack_rates({key: (one.errors, one.n) for key, one in species.items()}, (bpcer.errors, bpcer.n))
    if name == "apcer_pooled":
        return _rate(sum(one.errors for one in species.values()), sum(one.n for one in species.values()), how)
    halves = []
    for share in (worst, bpcer):
        interval = share.rate.interval
        if share.rate.value is None or interval is None:
            return MetricValue(value=rates.acer, interval_reason="not_computed")
        halves.append((share.rate.value / 2, interval.low / 2, interval.high / 2))
    low, high = sum_ends(halves)
    interval = Interval(low=max(low, 0.0), high=min(high, 1.0), level=how.level, method=f"mover of {how.proportion}")
    return MetricValue(value=rates.acer, interval=interval)


def _share(errors: int, n: int, how: How) -> Share:
    return Share(errors=errors, n=n, rate=_rate(errors, n, how))


def _rate(k: int, n: int, how: How) -> MetricValue:
    if n == 0:  # a species of which no presentation got a response
        return MetricValue(value=None, reason="undefined_ratio", interval_reason="undefined_ratio")
    return MetricValue(value=k / n, interval=proportion_interval(k, n, how.level, how.proportion))
