"""Brute force in exact fractions for the metrics of stated probabilities: one trial a row, no counts, no arrays."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

Rows = list[tuple[Fraction, int]]
"""Stated probability and class (1 target) of each trial."""


def share(rows: Rows) -> Fraction:
    return Fraction(sum(y for _, y in rows), len(rows))


def mean(rows: Rows) -> Fraction:
    return sum((p for p, _ in rows), Fraction(0)) / len(rows)


def brier(rows: Rows) -> Fraction:
    return sum(((p - y) ** 2 for p, y in rows), Fraction(0)) / len(rows)


def isotonic(rows: Rows) -> Rows:
    """Each trial's pooled share by the max–min formula: max over starts at or below, min over stops at or above."""
    values = sorted({p for p, _ in rows})
    fitted = {
        value: max(
            min(share([r for r in rows if low <= r[0] <= high]) for high in values if high >= value)
            for low in values
            if low <= value
        )
        for value in values
    }
    return [(fitted[p], y) for p, y in rows]


def brier_corp(rows: Rows) -> tuple[Fraction, Fraction, Fraction]:
    calibrated, overall = brier(isotonic(rows)), brier([(share(rows), y) for _, y in rows])
    return brier(rows) - calibrated, overall - calibrated, overall


def equal_width(rows: Rows, n_bins: int) -> list[Rows]:
    bins: list[Rows] = [[] for _ in range(n_bins)]
    for p, y in rows:
        bins[max(k for k in range(n_bins) if p >= Fraction(k / n_bins))].append((p, y))
    return [found for found in bins if found]


def equal_mass(rows: Rows, n_bins: int) -> list[Rows]:
    rows = sorted(rows)
    ends = [0, *(i for i in range(1, len(rows)) if rows[i][0] != rows[i - 1][0]), len(rows)]
    size, longer = divmod(len(rows), n_bins)
    at, cuts = 0, [0]
    for k in range(n_bins):
        at += size + (k < longer)
        cuts.append(min(ends, key=lambda end: (abs(end - at), end)))
    return [rows[low:high] for low, high in pairwise(cuts) if high > low]


def unique(rows: Rows) -> list[Rows]:
    return [[r for r in rows if r[0] == p] for p in sorted({p for p, _ in rows})]


def gaps(bins: list[Rows]) -> list[tuple[Fraction, Fraction]]:
    """Share of the trials and stated less observed, for each bin."""
    n = sum(map(len, bins))
    return [(Fraction(len(rows), n), mean(rows) - share(rows)) for rows in bins]


def debiased(bins: list[Rows]) -> Fraction:
    n = sum(map(len, bins))
    return sum(
        (
            Fraction(len(rows), n)
            * ((mean(rows) - share(rows)) ** 2 - share(rows) * (1 - share(rows)) / (len(rows) - 1))
            for rows in bins
        ),
        Fraction(0),
    )


def sweep(rows: Rows) -> list[Rows]:
    last = [rows]
    for n_bins in range(2, len(rows) + 1):
        bins = equal_mass(rows, n_bins)
        if any(share(low) > share(high) for low, high in pairwise(bins)):
            return last
        last = bins
    return last


def murphy(bins: list[Rows]) -> tuple[Fraction, ...]:
    """Reliability, resolution, uncertainty, within-bin variance and covariance, each from its definition."""
    everything = [r for rows in bins for r in rows]
    n, overall = len(everything), share(everything)
    zero = Fraction(0)
    return (
        sum((len(b) * (mean(b) - share(b)) ** 2 for b in bins), zero) / n,
        sum((len(b) * (share(b) - overall) ** 2 for b in bins), zero) / n,
        overall * (1 - overall),
        sum(((p - mean(b)) ** 2 for b in bins for p, _ in b), zero) / n,
        2 * sum(((p - mean(b)) * (y - share(b)) for b in bins for p, y in b), zero) / n,
    )
