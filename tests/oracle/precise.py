"""Logarithms and exponentials to fifty digits, of any size a double can have."""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import cache

C = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
INF = Decimal("Infinity")
TINY = Decimal("1e-25")


def decimal(value: float | Fraction) -> Decimal:
    """A double or a fraction; doubles exactly."""
    if isinstance(value, Fraction):
        return C.divide(Decimal(value.numerator), Decimal(value.denominator))
    return Decimal(value)


@cache
def ln(value: float | Fraction | int) -> Decimal:
    """Natural logarithm, −inf at 0."""
    if value == 0:
        return -INF
    return INF if value == math.inf else C.ln(decimal(Fraction(value)))


def log1p(x: Decimal) -> Decimal:
    """ln(1 + x) for x >= 0, without losing a small x."""
    return C.subtract(x, C.multiply(C.multiply(x, x), Decimal("0.5"))) if x < TINY else C.ln(C.add(x, Decimal(1)))


@cache
def softplus(x: Decimal) -> Decimal:
    """ln(1 + e^x)."""
    if x == -INF:
        return Decimal(0)
    if x > 200:
        return x
    return log1p(C.exp(x)) if x > -2000 else Decimal(0)


def expit(x: Decimal) -> Decimal:
    """1 / (1 + e^−x)."""
    return C.exp(-softplus(-x))


def add(a: Decimal, b: Decimal) -> Decimal:
    return C.add(a, b)


def mul(a: Decimal, b: Decimal) -> Decimal:
    return C.multiply(a, b)


def bits(nats: Decimal) -> float:
    """From nats, to the nearest double."""
    return float(C.divide(nats, ln(2)))
