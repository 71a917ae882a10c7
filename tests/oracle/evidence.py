"""Figures of likelihood ratios and probabilities, from their definitions, to fifty digits."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from tests.oracle.precise import INF, C, add, bits, decimal, expit, ln, mul, softplus
from tests.oracle.ranking import Trials, nontargets, points, targets, weigh


def ln_lr(score: float, scale: str, prior: float | None = None) -> Decimal:
    """Natural-log likelihood ratio that a score on a scale states."""
    if scale == "ln_lr":
        return decimal(score)
    if scale == "lr":
        return ln(score)
    if scale == "probability":
        assert prior is not None
        return C.subtract(log_odds(score), log_odds(prior))
    unit = ln({"log2_lr": 2}.get(scale, 10))
    return mul(decimal(score), unit if scale != "deciban" else C.divide(unit, Decimal(10)))


def log_odds(probability: float) -> Decimal:
    p = Fraction(probability)
    return INF if p == 1 else C.subtract(ln(p), ln(1 - p))


def unit_threshold(lr: Fraction, scale: str, prior: float | None = None) -> float:
    """A likelihood ratio in the unit of the scores, rounded once."""
    if scale == "lr":
        return float(lr)
    if scale == "probability":
        assert prior is not None
        odds = lr * Fraction(prior) / (1 - Fraction(prior))
        return float(odds / (1 + odds))
    base = {"ln_lr": Decimal(1), "log2_lr": ln(2), "log10_lr": ln(10), "deciban": C.divide(ln(10), Decimal(10))}[scale]
    return float(C.divide(ln(lr), base))


def unit_threshold_of_log10(log10_lr: float, scale: str, prior: float | None = None) -> float:
    """A log10 likelihood ratio in the unit of the scores, rounded once."""
    log_lr = mul(decimal(log10_lr), ln(10))
    if scale == "probability":
        assert prior is not None
        return float(expit(add(log_lr, log_odds(prior))))
    if scale == "lr":
        return float(C.exp(log_lr))
    base = {"ln_lr": Decimal(1), "log2_lr": ln(2), "log10_lr": ln(10), "deciban": C.divide(ln(10), Decimal(10))}[scale]
    return float(C.divide(log_lr, base))


def _mean(trials: Trials, cost: Callable[[float], Decimal]) -> Decimal:
    """Mean cost of the trials; those of weight 0 are absent."""
    total = Decimal(0)
    for t in trials:
        if t.weight > 0:
            total = add(total, mul(decimal(t.weight), cost(t.score)))
    return C.divide(total, decimal(weigh(trials)))


def halves(trials: Trials, scale: str, prior: float | None = None) -> tuple[float, float]:
    """Mean of log2(1 + 1/LR) over targets, of log2(1 + LR) over nontargets."""
    one = _mean(targets(trials), lambda s: softplus(-ln_lr(s, scale, prior)))
    zero = _mean(nontargets(trials), lambda s: softplus(ln_lr(s, scale, prior)))
    return bits(one), bits(zero)


def cross_entropy(trials: Trials, scale: str, log10_odds: float, prior: float | None = None) -> float:
    """H at a prior; a term whose weight is 0 is skipped."""
    if abs(log10_odds) == float("inf"):
        return 0.0
    theta = mul(decimal(log10_odds), ln(10))
    one = _mean(targets(trials), lambda s: softplus(-add(ln_lr(s, scale, prior), theta)))
    zero = _mean(nontargets(trials), lambda s: softplus(add(ln_lr(s, scale, prior), theta)))
    return bits(add(mul(expit(theta), one), mul(expit(-theta), zero)))


def cllr(trials: Trials, scale: str, prior: float | None = None) -> float:
    return cross_entropy(trials, scale, 0.0, prior)


Block = tuple[Fraction, Fraction]


def isotonic(blocks: list[Block]) -> list[Fraction]:
    """Isotonic regression of the share of targets by the max-min formula: no pooling takes place."""

    def share(a: int, b: int) -> Fraction:
        ones, zeros = (sum((block[i] for block in blocks[a : b + 1]), Fraction(0)) for i in (0, 1))
        return ones / (ones + zeros)

    n = len(blocks)
    return [max(min(share(a, b) for b in range(i, n)) for a in range(i + 1)) for i in range(n)]


def blocks_of(trials: Trials) -> list[Block]:
    """Weight of targets and nontargets at each distinct score, upwards."""
    found = []
    for score in sorted({t.score for t in trials if t.weight > 0}):
        here = [t for t in trials if t.score == score]
        found.append((weigh(targets(here)), weigh(nontargets(here))))
    return found


def pav_ratios(trials: Trials, laplace: bool = False) -> list[Fraction | None]:
    """PAV likelihood ratio at each distinct score, None for infinite.

    Laplace: one trial of each class really is added beyond either end, and taken out after pooling.
    """
    blocks = blocks_of(trials)
    extra = [(Fraction(1), Fraction(1))] if laplace else []
    shares = isotonic([*extra, *blocks, *extra])[len(extra) : len(extra) + len(blocks)]
    n1, n0 = weigh(targets(trials)), weigh(nontargets(trials))
    return [None if p == 1 else p / (1 - p) * n0 / n1 for p in shares]


def cllr_min(trials: Trials, laplace: bool = False) -> float:
    n1, n0 = weigh(targets(trials)), weigh(nontargets(trials))
    total = Decimal(0)
    for (k1, k0), lr in zip(blocks_of(trials), pav_ratios(trials, laplace), strict=True):
        if k1 > 0 and lr is not None:
            total = add(total, mul(decimal(k1 / n1), ln(1 + 1 / lr)))
        if k0 > 0:
            assert lr is not None
            total = add(total, mul(decimal(k0 / n0), ln(1 + lr)))
    return bits(total) / 2


def hull(trials: Trials) -> list[tuple[Fraction, Fraction]]:
    """(p_miss, p_fa) of the ROC points that no mixture of two others equals or beats, from reject-all."""
    rules = sorted({(p.p_fa, -p.p_miss) for p in points(trials)})
    kept = []
    for x, y in rules:
        beaten = any(xa < x < xb and ya + (yb - ya) * (x - xa) / (xb - xa) >= y for xa, ya in rules for xb, yb in rules)
        if not beaten and not any(other > y for at, other in rules if at == x):
            kept.append((-y, x))
    return kept


def stated(score: float, scale: str, p_target: float | None, prior: float | None, share: Fraction) -> Decimal:
    """Log-odds that a score states, at the prior asked about."""
    if scale == "probability" and (p_target is None or p_target == prior):
        return log_odds(score)
    theta = C.subtract(ln(share), ln(1 - share)) if p_target is None else log_odds(p_target)
    return add(ln_lr(score, scale, prior), theta)


def brier(trials: Trials, log_odds_of: Callable[[float], Decimal]) -> float:
    one = weigh(targets(trials)) / weigh(trials)
    total = Decimal(0)
    for share, members, sign in ((one, targets(trials), -1), (1 - one, nontargets(trials), 1)):
        if members:
            squares = _mean(members, lambda s, sign=sign: mul(*[expit(sign * log_odds_of(s))] * 2))  # type: ignore[misc]
            total = add(total, mul(decimal(share), squares))
    return float(total)


def log_loss(trials: Trials, log_odds_of: Callable[[float], Decimal]) -> float:
    one = weigh(targets(trials)) / weigh(trials)
    total = Decimal(0)
    for share, members, sign in ((one, targets(trials), -1), (1 - one, nontargets(trials), 1)):
        if members:
            losses = _mean(members, lambda s, sign=sign: softplus(sign * log_odds_of(s)))  # type: ignore[misc]
            total = add(total, mul(decimal(share), losses))
    return float(total)


def brier_given(trials: Trials) -> Fraction:
    """Mean squared error of probabilities that are given, exactly."""
    total = sum((t.weight * (Fraction(t.score) - t.is_target) ** 2 for t in trials), Fraction(0))
    return total / weigh(trials)


def calibration_error(trials: Trials, n_bins: int) -> Fraction:
    """Equal width; edge k is the double k / n_bins; bins closed below, the last one on both sides."""
    total = Fraction(0)
    for b in range(n_bins):
        low, high = b / n_bins, (b + 1) / n_bins
        inside = [t for t in trials if low <= t.score < high or (b == n_bins - 1 and t.score == 1)]
        total += abs(sum((t.weight * (Fraction(t.score) - t.is_target) for t in inside), Fraction(0)))
    return total / weigh(trials)
