"""Rates of biometric systems that combine several kinds of failure, and rates of presentation attacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from deciban.errors import OptionError
from deciban.values.option_checks import check_number

FAILURES: Final = {
    "fta_target": "Failure to acquire, targets",
    "fta_nontarget": "Failure to acquire, nontargets",
    "fnmr": "FNMR: false non-matches of the comparisons that took place",
    "fmr": "FMR: false matches of the comparisons that took place",
    "frr": "FRR: false rejections, failures to acquire among them",
    "far": "FAR: false acceptances of all attempts",
    "gfrr": "GFRR: false rejections, failures to enrol among them",
    "gfar": "GFAR: false acceptances, failures to enrol among the attempts",
}
"""Rates at a threshold that failures to acquire and to enrol have a part in, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneralisedRates:
    """Rates with failures to acquire (far, frr), and with failures to enrol as well (gfar, gfrr)."""

    far: float
    frr: float
    gfar: float
    gfrr: float


def generalised_rates(*, fte: float, fta: float, fmr: float, fnmr: float) -> GeneralisedRates:
    """Combine failures to enrol and to acquire with the rates of the comparisons that took place.

    FRR = FTA + (1 − FTA)·FNMR, FAR = (1 − FTA)·FMR, GFRR = FTE + (1 − FTE)·FRR, GFAR = (1 − FTE)·FAR.

    Parameters
    ----------
    fte, fta
        Rates of failure to enrol and to acquire, in [0, 1].
    fmr, fnmr
        False match and false non-match rate (``p_fa``, ``p_miss``) of the comparisons, in [0, 1].

    Returns
    -------
    GeneralisedRates
        ``far``, ``frr``, ``gfar``, ``gfrr``. Perfect: all 0.

    Raises
    ------
    OptionError
        When a rate is outside [0, 1].

    References
    ----------
    ISO/IEC 19795-1:2021, Biometric performance testing and reporting.

    Examples
    --------
    >>> import deciban as db
    >>> db.generalised_rates(fte=0.0, fta=0.5, fmr=0.5, fnmr=0.5)
    GeneralisedRates(far=0.25, frr=0.75, gfar=0.25, gfrr=0.75)
    """
    for name, rate in (("fte", fte), ("fta", fta), ("fmr", fmr), ("fnmr", fnmr)):
        if not 0.0 <= check_number(name, rate, "a rate in [0, 1]") <= 1.0:
            raise OptionError(f"{name}: expected a rate in [0, 1], found {rate!r}")
    frr, far = fta + (1.0 - fta) * fnmr, (1.0 - fta) * fmr
    return GeneralisedRates(far=far, frr=frr, gfar=(1.0 - fte) * far, gfrr=fte + (1.0 - fte) * frr)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRates:
    """Presentation attacks by species, the worst of them, and rejected bona fide presentations.

    ``apcer_pooled`` and ``acer`` are there to compare with old reports only: pooling hides the worst species, and the
    mean of the two kinds of error depends on nothing anybody decides.
    """

    apcer: Mapping[str, float]
    apcer_worst: float
    bpcer: float
    apcer_pooled: float
    acer: float


def attack_rates(species: Mapping[str, tuple[int, int]], bona_fide: tuple[int, int]) -> AttackRates:
    """Compute attack and bona fide presentation classification error rates from counts.

    APCER of a species = attacks taken for bona fide / attacks; BPCER = bona fide taken for attacks / bona fide.

    Parameters
    ----------
    species
        For each attack species: attacks taken for bona fide, and all attacks.
    bona_fide
        Bona fide presentations taken for attacks, and all of them.

    Returns
    -------
    AttackRates
        Shares. Perfect: all 0. The headline is ``apcer_worst``.

    Raises
    ------
    OptionError
        Without species, or when counts are not 0 <= errors <= attempts with attempts above 0.

    References
    ----------
    ISO/IEC 30107-3:2023, Biometric presentation attack detection: testing and reporting.

    Examples
    --------
    >>> import deciban as db
    >>> rates = db.attack_rates({"print": (2, 50), "mask": (5, 40)}, bona_fide=(3, 200))
    >>> rates.apcer_worst, rates.bpcer
    (0.125, 0.015)
    """
    if not species:
        raise OptionError("species: expected at least one attack species, found none")
    for name, (errors, attempts) in {**species, "bona fide": bona_fide}.items():
        if not 0 <= errors <= attempts or attempts == 0:
            raise OptionError(f"{name}: expected 0 <= errors <= attempts, attempts > 0, found {errors} of {attempts}")
    apcer = {name: errors / attempts for name, (errors, attempts) in species.items()}
    worst, bpcer = max(apcer.values()), bona_fide[0] / bona_fide[1]
    pooled = sum(errors for errors, _ in species.values()) / sum(attempts for _, attempts in species.values())
    return AttackRates(apcer=apcer, apcer_worst=worst, bpcer=bpcer, apcer_pooled=pooled, acer=(worst + bpcer) / 2)
