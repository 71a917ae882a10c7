"""What a verifier does to targets, nontargets and spoofs at one threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from deciban.counts.tandem import TandemCounts, of_tandem
from deciban.errors import OptionError, UndefinedMetricError
from deciban.metrics.eer import equal_error
from deciban.values.option_checks import check_choice, check_number


@dataclass(frozen=True, slots=True, kw_only=True)
class AsvRates:
    """Error rates of a verifier.

    Attributes
    ----------
    p_miss
        Share of targets that it rejects.
    p_fa, p_fa_spoof
        Shares of nontargets and of spoofs that it accepts.
    threshold
        Where it accepts (score >= threshold); None for rates that were given.
    """

    p_miss: float
    p_fa: float
    p_fa_spoof: float
    threshold: float | None = None

    def __post_init__(self) -> None:
        for name in ("p_miss", "p_fa", "p_fa_spoof"):
            rate = check_number(name, getattr(self, name), "a rate in [0, 1]")
            if not 0.0 <= rate <= 1.0:
                raise OptionError(f"{name}: expected a rate in [0, 1], found {rate!r}")


ASVSPOOF5_RATES: Final = AsvRates(p_miss=0.01880141010575793, p_fa=0.01881016557566423, p_fa_spoof=0.4607082907604729)
"""The verifier of ASVspoof 5, whose rates its organisers gave to all who took part."""

Asv = AsvRates | float | Literal["asvspoof5"] | None
"""A verifier in a tandem: its rates, its threshold, those of ASVspoof 5, or None for the threshold of its EER."""


@of_tandem
def asv_rates(counts: TandemCounts, *, threshold: float | None = None) -> AsvRates:
    """Compute the error rates of a verifier at one threshold.

    p_miss = share of targets below it, p_fa and p_fa_spoof = shares of nontargets and spoofs at or above it.

    Parameters
    ----------
    counts
        Three-class counts with scores of a verifier (``asv``).
    threshold
        Accept when score >= threshold. Default: where targets and nontargets have equal errors by the ``asvspoof``
        rule, the score of the last trial rejected, as the organisers of ASVspoof apply it.

    Returns
    -------
    AsvRates
        The three rates and the threshold. Perfect: all 0.

    Raises
    ------
    SingleClassError
        When there are no targets, no nontargets or no spoofs.
    NeedsTrialsError
        Without a verifier's scores.
    OptionError
        When the threshold is no number.

    References
    ----------
    Kinnunen et al. (2020), Tandem assessment of spoofing countermeasures and automatic speaker verification:
    fundamentals, IEEE/ACM TASLP 28.

    Examples
    --------
    >>> import deciban as db
    >>> asv = db.ThreeClassCounts.from_classes([3, 4, 5], [0, 1, 3], [1, 4])
    >>> db.asv_rates(db.TandemCounts(asv=asv), threshold=3.5)
    AsvRates(p_miss=0.3333333333333333, p_fa=0.0, p_fa_spoof=0.5, threshold=3.5)
    """
    asv = counts.require_asv("asv_rates")
    miss, reject, reject_spoof = asv.rejected()
    if threshold is None:
        found = equal_error(asv.against("nontarget"), method="asvspoof").threshold
        if found is None:
            raise UndefinedMetricError("no threshold of the verifier has the EER: give one (--asv-threshold)")
        threshold = found
    threshold = check_number("threshold", threshold, "a number in the unit of the verifier's scores")
    at = int(np.searchsorted(asv.score, threshold, side="left"))
    return AsvRates(
        p_miss=int(miss[at]) / asv.total_target,
        p_fa=(asv.total_nontarget - int(reject[at])) / asv.total_nontarget,
        p_fa_spoof=(asv.total_spoof - int(reject_spoof[at])) / asv.total_spoof,
        threshold=threshold,
    )


def rates_of(counts: TandemCounts, asv: Asv) -> AsvRates:
    """The rates that an option describes: given, those of ASVspoof 5, or those at a threshold."""
    if isinstance(asv, AsvRates):
        return asv
    if isinstance(asv, str):
        check_choice("asv", asv, ("asvspoof5",))
        return ASVSPOOF5_RATES
    if asv is not None:
        check_number("asv", asv, "a threshold in the unit of the verifier's scores")
    return asv_rates(counts, threshold=asv)
