"""The figures of a world's population, from closed forms, integrals over a normal density, or sums over cells."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

import numpy as np
from scipy.special import ndtr

from studies.coverage.worlds import Floats, World

P_FA: Final = 0.01
"""Where p_miss is read."""

NORMAL: Final = NormalDist()

STEP: Final = 1 / 256
NODES: Final = np.arange(-14.0, 14.0, STEP)
WEIGHTS: Final = np.exp(-(NODES**2) / 2.0) * (STEP / math.sqrt(2.0 * math.pi))
"""Trapezoidal rule, whose error for smooth functions of a normal deviate is far below what a study can see."""


def truths(world: World, share: float) -> dict[str, float]:
    """Value of every figure in the population, at a share of targets."""
    return _continuous(world, share) if world.decimals is None else _cells(world, share)


def _bits(log_odds: Floats) -> Floats:
    """log2(1 + e^x)."""
    return np.logaddexp(0.0, log_odds) / math.log(2.0)


def _continuous(world: World, share: float) -> dict[str, float]:
    sigma, half = world.sigma, world.sigma**2 / 2.0
    stated = [world.scale * (side * half + sigma * NODES) + world.shift for side in (1.0, -1.0)]
    cllr = float((WEIGHTS * (_bits(-stated[0]) + _bits(stated[1]))).sum()) / 2.0
    # Perfect calibration undoes scale and shift.
    cllr_min = float((WEIGHTS * _bits(-(half + sigma * NODES))).sum())
    recall, p_fa = _upper(NODES), _upper(NODES + sigma)
    precision = share * recall / (share * recall + (1.0 - share) * p_fa)
    prior = math.log(share / (1.0 - share))
    squares = [(1.0 / (1.0 + np.exp(side * (x + prior)))) ** 2 for side, x in zip((1.0, -1.0), stated, strict=True)]
    # Accepted: stated ln LR >= 0.
    threshold = -world.shift / world.scale
    return {
        "auc": NORMAL.cdf(sigma / math.sqrt(2.0)),
        "eer": NORMAL.cdf(-sigma / 2.0),
        "cllr": cllr,
        "cllr_min": cllr_min,
        "cllr_cal": cllr - cllr_min,
        "average_precision": float((WEIGHTS * precision).sum()),
        "p_miss_at": NORMAL.cdf(NORMAL.inv_cdf(1.0 - P_FA) - sigma),
        "brier": float((WEIGHTS * (share * squares[0] + (1.0 - share) * squares[1])).sum()),
        "accuracy": share * NORMAL.cdf((half - threshold) / sigma)
        + (1.0 - share) * NORMAL.cdf((threshold + half) / sigma),
    }


def _upper(z: Floats) -> Floats:
    """Share of a standard normal distribution above each value."""
    return np.asarray(ndtr(-z), dtype=np.float64)


def _cells(world: World, share: float) -> dict[str, float]:
    """Sums over the distinct scores of a world that rounds; their likelihood ratios increase with the score."""
    score, target, nontarget = cells(world)
    ln_lr = score * math.log(10.0)
    recall, p_fa = (np.cumsum(p[::-1])[::-1] for p in (target, nontarget))
    cllr = float((target * _bits(-ln_lr) + nontarget * _bits(ln_lr)).sum()) / 2.0
    ratio = np.log(target) - np.log(nontarget)
    cllr_min = float((target * _bits(-ratio) + nontarget * _bits(ratio)).sum()) / 2.0
    posterior = 1.0 / (1.0 + np.exp(-(ln_lr + math.log(share / (1.0 - share)))))
    loss = share * target * (1.0 - posterior) ** 2 + (1.0 - share) * nontarget * posterior**2
    return {
        "auc": float((target * (1.0 - p_fa + nontarget / 2.0)).sum()),
        "eer": _crossing(1.0 - recall, p_fa),
        "cllr": cllr,
        "cllr_min": cllr_min,
        "cllr_cal": cllr - cllr_min,
        "average_precision": float((target * share * recall / (share * recall + (1.0 - share) * p_fa)).sum()),
        "p_miss_at": float((1.0 - recall)[p_fa <= P_FA].min()),
        "brier": float(loss.sum()),
        "accuracy": float(share * target[score >= 0.0].sum() + (1.0 - share) * nontarget[score < 0.0].sum()),
    }


def cells(world: World) -> tuple[Floats, Floats, Floats]:
    """Distinct scores of a world that rounds, in increasing order, with their probability in either class."""
    width = 10.0 ** -(world.decimals or 0)
    reach = int((abs(world.shift) + world.scale * (world.sigma**2 / 2.0 + 8.0 * world.sigma)) / math.log(10.0) / width)
    number = np.arange(-reach, reach + 1)
    # True ln LR at the lower end of each cell; the ends of the line belong to the first and the last cell.
    ends = ((number[1:] - 0.5) * width * math.log(10.0) - world.shift) / world.scale
    probabilities = []
    for middle in (world.sigma**2 / 2.0, -(world.sigma**2) / 2.0):
        z = np.concatenate([[-np.inf], (ends - middle) / world.sigma, [np.inf]])
        # Tails are taken from the nearer side, where differences keep their digits.
        mirrored = z[:-1] > 0.0
        low, high = np.where(mirrored, -z[1:], z[:-1]), np.where(mirrored, -z[:-1], z[1:])
        probabilities.append(np.asarray(ndtr(high) - ndtr(low)))
    return np.round(number * width, world.decimals or 0), probabilities[0], probabilities[1]


def _crossing(p_miss: Floats, p_fa: Floats) -> float:
    """Where the line through the points of the ROC meets p_miss = p_fa."""
    after = int(np.flatnonzero(p_miss >= p_fa)[0])
    before = after - 1
    gap = p_fa[before] - p_miss[before]
    part = gap / (gap + p_miss[after] - p_fa[after])
    return float(p_miss[before] + part * (p_miss[after] - p_miss[before]))
