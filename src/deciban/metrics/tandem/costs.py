"""Costs and priors of a tandem, and the named ones of evaluation campaigns."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Final

from deciban.errors import OptionError, UndefinedMetricError, did_you_mean
from deciban.metrics.tandem.asv_rates import AsvRates
from deciban.values.option_checks import check_number


@dataclass(frozen=True, slots=True)
class Weights:
    """A detection cost as a function of the countermeasure's two rates: floor + miss·p_miss + fa·p_fa, over norm."""

    floor: float
    miss: float
    fa: float
    norm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TandemCost:
    """Parameters of the t-DCF in its form of 2020, which ASVspoof 2021 and 5 use.

    Attributes
    ----------
    p_target, p_nontarget, p_spoof
        How often each class is met; they add up to 1.
    c_miss
        Cost of rejecting a target, whichever system does it.
    c_fa, c_fa_spoof
        Cost of accepting a nontarget, and a spoof.
    """

    p_target: float
    p_nontarget: float
    p_spoof: float
    c_miss: float
    c_fa: float
    c_fa_spoof: float

    def __post_init__(self) -> None:
        check_priors(self.p_target, self.p_nontarget, self.p_spoof)
        check_costs(c_miss=self.c_miss, c_fa=self.c_fa, c_fa_spoof=self.c_fa_spoof)

    def weights(self, asv: AsvRates) -> Weights:
        """C0, C1 and C2 of a countermeasure before this verifier, and what its better constant decision costs."""
        floor = self.p_target * self.c_miss * asv.p_miss + self.p_nontarget * self.c_fa * asv.p_fa
        miss = self.p_target * self.c_miss - floor
        fa = self.p_spoof * self.c_fa_spoof * asv.p_fa_spoof
        _refuse_idle(miss, fa)
        return Weights(floor, miss, fa, floor + min(miss, fa))


@dataclass(frozen=True, slots=True, kw_only=True)
class LegacyTandemCost:
    """Parameters of the t-DCF in its first form, of 2018, which ASVspoof 2019 uses.

    Attributes
    ----------
    p_target, p_nontarget, p_spoof
        How often each class is met; they add up to 1.
    c_miss_asv, c_fa_asv
        Cost of a target that the verifier rejects, of a nontarget that it accepts.
    c_miss_cm, c_fa_cm
        Cost of bona fide speech that the countermeasure rejects, of a spoof that it accepts.
    """

    p_target: float
    p_nontarget: float
    p_spoof: float
    c_miss_asv: float
    c_fa_asv: float
    c_miss_cm: float
    c_fa_cm: float

    def __post_init__(self) -> None:
        check_priors(self.p_target, self.p_nontarget, self.p_spoof)
        check_costs(c_miss_asv=self.c_miss_asv, c_fa_asv=self.c_fa_asv, c_miss_cm=self.c_miss_cm, c_fa_cm=self.c_fa_cm)

    def weights(self, asv: AsvRates) -> Weights:
        """C1 and C2 of the countermeasure's rates behind this verifier; there is no floor."""
        miss = self.p_target * (self.c_miss_cm - self.c_miss_asv * asv.p_miss)
        miss -= self.p_nontarget * self.c_fa_asv * asv.p_fa
        fa = self.c_fa_cm * self.p_spoof * asv.p_fa_spoof
        _refuse_idle(miss, fa)
        return Weights(0.0, miss, fa, min(miss, fa))


@dataclass(frozen=True, slots=True, kw_only=True)
class SpoofAwareCost:
    """Parameters of the a-DCF: one system that must accept targets only.

    Attributes
    ----------
    p_target, p_nontarget, p_spoof
        How often each class is met; they add up to 1.
    c_miss, c_fa, c_fa_spoof
        Cost of rejecting a target, of accepting a nontarget, of accepting a spoof.
    """

    p_target: float
    p_nontarget: float
    p_spoof: float
    c_miss: float
    c_fa: float
    c_fa_spoof: float

    def __post_init__(self) -> None:
        check_priors(self.p_target, self.p_nontarget, self.p_spoof)
        check_costs(c_miss=self.c_miss, c_fa=self.c_fa, c_fa_spoof=self.c_fa_spoof)

    @property
    def norm(self) -> float:
        """The cost of the better of always rejecting and always accepting."""
        return min(self.c_fa * self.p_nontarget + self.c_fa_spoof * self.p_spoof, self.c_miss * self.p_target)


def tandem_cost(cost: TandemCost | LegacyTandemCost | str) -> TandemCost | LegacyTandemCost:
    """The cost of a name, or the one given; there is no default."""
    if isinstance(cost, (TandemCost, LegacyTandemCost)):
        return cost
    if cost not in TANDEM_PRESETS:
        raise OptionError(f"cost: {cost!r} is no cost of a tandem; {did_you_mean(cost, TANDEM_PRESETS)}")
    return TANDEM_PRESETS[cost]


def spoof_aware_cost(cost: SpoofAwareCost | str) -> SpoofAwareCost:
    """The cost of a name, or the one given; there is no default."""
    if isinstance(cost, SpoofAwareCost):
        return cost
    if cost not in SPOOF_AWARE_PRESETS:
        raise OptionError(f"cost: {cost!r} is no cost of the a-DCF; {did_you_mean(cost, SPOOF_AWARE_PRESETS)}")
    return SPOOF_AWARE_PRESETS[cost]


def stated(cost: TandemCost | LegacyTandemCost | SpoofAwareCost) -> dict[str, float]:
    """The parameters by name."""
    return {field.name: float(getattr(cost, field.name)) for field in fields(cost)}


def check_priors(p_target: float, p_nontarget: float, p_spoof: float) -> None:
    """Raise :class:`OptionError` unless the three shares lie between 0 and 1 and add up to 1."""
    shares = {"p_target": p_target, "p_nontarget": p_nontarget, "p_spoof": p_spoof}
    for name, share in shares.items():
        if not 0.0 < check_number(name, share, "a share between 0 and 1") < 1.0:
            raise OptionError(f"{name}: expected a share strictly between 0 and 1, found {share!r}")
    if not math.isclose(sum(shares.values()), 1.0, abs_tol=1e-9):
        raise OptionError(f"p_target, p_nontarget and p_spoof: expected a sum of 1, found {sum(shares.values())!r}")


def check_costs(**costs: float) -> None:
    """Raise :class:`OptionError` unless every cost is finite and above 0."""
    for name, cost in costs.items():
        if not 0.0 < check_number(name, cost, "a finite cost above 0") < math.inf:
            raise OptionError(f"{name}: expected a finite cost above 0, found {cost!r}")


def _refuse_idle(miss: float, fa: float) -> None:
    """Raise where the countermeasure's errors of one kind cost nothing, so that there is nothing to weigh."""
    if miss <= 0.0 or fa <= 0.0:
        raise UndefinedMetricError(
            f"the t-DCF weighs misses of the countermeasure by C1 = {miss:g} and its false acceptances by C2 = {fa:g}, "
            "which must be above 0: the verifier alone is worse than rejecting everybody, or accepts no spoof"
        )


TANDEM_PRESETS: Final[dict[str, TandemCost | LegacyTandemCost]] = {
    "asvspoof2021": TandemCost(p_target=0.9405, p_nontarget=0.0095, p_spoof=0.05, c_miss=1, c_fa=10, c_fa_spoof=10),
    "asvspoof2019": LegacyTandemCost(
        p_target=0.9405, p_nontarget=0.0095, p_spoof=0.05, c_miss_asv=1, c_fa_asv=10, c_miss_cm=1, c_fa_cm=10
    ),
}
"""Costs of the t-DCF by name; ASVspoof 5 takes those of 2021."""

SPOOF_AWARE_PRESETS: Final[dict[str, SpoofAwareCost]] = {
    "a-dcf": SpoofAwareCost(p_target=0.9, p_nontarget=0.05, p_spoof=0.05, c_miss=1, c_fa=10, c_fa_spoof=20),
    "asvspoof5": SpoofAwareCost(p_target=0.9405, p_nontarget=0.0095, p_spoof=0.05, c_miss=1, c_fa=10, c_fa_spoof=10),
}
"""Costs of the a-DCF by name: those of its paper, and those of ASVspoof 5."""
