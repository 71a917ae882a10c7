"""Plan a test: what trials at hand can show, and how many trials a wanted precision takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from deciban.counts.counts import Counts
from deciban.errors import OptionError
from deciban.metrics.bounds import elub
from deciban.metrics.information import cllr_cal
from deciban.passes.simulate import bigaussian_figures
from deciban.records.trial_plan import AtHand, CalibratedSystem, NeededTrials, TrialPlan
from deciban.uncertainty.bootstrap.repeat import Progress, part_of
from deciban.uncertainty.null_band import CalibratedBand, calibrated_band
from deciban.uncertainty.planning.rules_of_thumb import trials_for_rule_of_3, trials_for_rule_of_30
from deciban.uncertainty.planning.sample_size import MOST, trials_for_auc, trials_for_cllr, trials_for_rate
from deciban.uncertainty.planning.visible import ExpectedInterval, expected_auc, expected_cllr, what_can_be_seen
from deciban.uncertainty.proportion import wilson_ends
from deciban.values.option_checks import check_level, check_number, check_whole
from deciban.workflow.origin import provenance_of
from deciban.workflow.planning.findings import plan_findings

SHOWN_AUCS: Final = (0.7, 0.8, 0.9, 0.95, 0.99)
SHOWN_SIGMAS: Final = (1.0, 2.0, 3.0, 4.0)
"""Spreads of calibrated log LRs: equal error rates of about 31, 16, 7 and 2 %."""

MOST_SIMULATED: Final = 250_000
"""With more trials nothing is simulated: a thousand draws would take minutes."""

Figure = Literal["rate", "auc", "cllr"]


def plan(
    n_target: int | None = None,
    n_nontarget: int | None = None,
    *,
    rate: float | None = None,
    auc: float | None = None,
    cllr: float | None = None,
    width: float | None = None,
    ratio: float | None = None,
    level: float = 0.95,
    draws: int = 200,
    seed: int = 0,
    progress: Progress | None = None,
) -> TrialPlan:
    """Say what so many independent trials can and cannot show, or how many a wanted precision takes, or both.

    Parameters
    ----------
    n_target, n_nontarget
        Trials at hand, both or neither.
    rate, auc, cllr
        The one figure that is to be known, by the value that is expected of it: an error rate within [0, 1], an AUC
        within [0, 1], or Cllr in bits between 0.001 and 0.999.
    width
        Wanted distance between the ends of its interval. A rate may do without: then only the rules of 3 and of 30 are
        asked.
    ratio
        Nontargets for each target, for an AUC or Cllr; 1 when not given.
    level
        Confidence level: two-sided of intervals, one-sided of bounds without errors and of bands.
    draws, seed
        Simulations of calibrated LRs for each of four strengths, 0 for none, and the seed they come from. Above
        250 000 trials none is made.
    progress
        Told how many of the simulations are done.

    Returns
    -------
    TrialPlan
        ``at_hand``: smallest rates, bounds without errors (rule of 3), rates with 30 errors, expected intervals of
        rates (Wilson), AUCs (Newcombe's method 5) and Cllr, the band of cllr_cal when calibration is perfect, and the
        bounds of the LRs that even a perfect method can support (ELUB). ``needed``: numbers of trials. ``findings``:
        what cannot be shown.

    Raises
    ------
    OptionError
        When nothing is asked, only one of the two numbers of trials is given, more than one figure, a figure without
        its width, or a value is out of range.

    Notes
    -----
    Trials count as independent. Where trials share sources these numbers are optimistic; how much differs from figure
    to figure and is known from a pilot only, which is why there is no option for it. What is said of Cllr holds for
    log LRs that are normal and perfectly calibrated.

    References
    ----------
    Doddington et al. (2000), The NIST speaker recognition evaluation, Speech Communication 31; Newcombe (2006),
    Confidence intervals for an effect size measure based on the Mann–Whitney statistic, Statistics in Medicine 25;
    Vergeer et al. (2016), Numerical likelihood ratios outputted by LR systems are often based on extrapolation, Science
    & Justice 56.

    Examples
    --------
    >>> import deciban as db
    >>> found = db.plan(500, 20_000, draws=0).at_hand
    >>> found.rates.p_fa.smallest, found.rates.p_fa.rule_of_30, round(found.lr_bounds.upper, 2)
    (5e-05, 0.0015, 19961.08)
    >>> [(item.rule, item.n) for item in db.plan(rate=0.01, width=0.005).needed]
    [('width', 6173), ('rule_of_30', 3000), ('rule_of_3', 299)]
    """
    check_level(level)
    check_whole("draws", draws, 0)
    check_whole("seed", seed, 0)
    given = [name for name, value in (("rate", rate), ("auc", auc), ("cllr", cllr)) if value is not None]
    _check_question(n_target, n_nontarget, given, width, ratio)
    # The short part first: a value out of range is told before anything is simulated.
    needed = tuple(_needed(rate, auc, cllr, width, 1.0 if ratio is None else ratio, level))
    at_hand = None
    if n_target is not None and n_nontarget is not None:
        at_hand = _at_hand(int(n_target), int(n_nontarget), level, draws, seed, progress)
    options = {
        "n_target": n_target,
        "n_nontarget": n_nontarget,
        "rate": rate,
        "auc": auc,
        "cllr": cllr,
        "width": width,
        "ratio": ratio,
        "level": level,
        "draws": draws,
    }
    return TrialPlan(
        level=level,
        width=width,
        at_hand=at_hand,
        needed=needed,
        findings=tuple(plan_findings(at_hand, needed, level)),
        provenance=provenance_of(None, None, options, seed),
    )


def _check_question(n_target: object, n_nontarget: object, figures: list[str], width: object, ratio: object) -> None:
    """Raise :class:`OptionError` unless something is asked that can be answered."""
    if n_target is None and n_nontarget is None and not figures:
        raise OptionError(
            "nothing to plan: give the trials at hand, n_target=500 (--targets 500) and n_nontarget=20000 "
            "(--nontargets 20000), or a figure and how precisely it should be known, rate=0.01 (--rate 0.01) and "
            "width=0.005 (--width 0.005)"
        )
    for name, number, other in (("n_target", n_target, n_nontarget), ("n_nontarget", n_nontarget, n_target)):
        if number is None and other is not None:
            raise OptionError(f"{name}: expected a number of trials, as for the other class")
        if number is not None and check_whole(name, number, 1, "at least one trial") > MOST:
            raise OptionError(f"{name}: expected at most 2^53 trials, found {number!r}")
    if len(figures) > 1:
        raise OptionError(f"expected one figure with its width, found {' and '.join(figures)}; plan them one by one")
    asked = figures[0] if figures else None
    if asked is None and width is not None:
        raise OptionError("width: expected a figure that it is the width of: rate, auc or cllr")
    if asked in ("auc", "cllr") and width is None:
        raise OptionError(f"width: expected the wanted width of the interval of {asked}, found none")
    if asked not in ("auc", "cllr") and ratio is not None:
        raise OptionError("ratio: numbers of both classes are planned for auc and cllr only")


def _at_hand(n1: int, n0: int, level: float, draws: int, seed: int, progress: Progress | None) -> AtHand:
    if n1 + n0 > MOST_SIMULATED:
        draws = 0
    whole = draws * len(SHOWN_SIGMAS)
    systems = []
    for number, sigma in enumerate(SHOWN_SIGMAS):
        figures, band = bigaussian_figures(sigma), None
        if draws:
            band = _band(n1, n0, sigma, level, draws, seed, part_of(progress, number * draws, whole))
        cllr = expected_cllr(sigma, n1, n0, level)
        systems.append(CalibratedSystem(sigma=sigma, eer=figures.eer, auc=figures.auc, cllr=cllr, cllr_cal=band))
    # Weights count as trials, and their product may be as large as it likes.
    perfect = Counts([0.0, float("inf")], [0.0, n1], [n0, 0.0], "lr", weighted=True)
    return AtHand(
        n_target=n1,
        n_nontarget=n0,
        rates=what_can_be_seen(n1, n0, level),
        auc=tuple(expected_auc(value, n1, n0, level) for value in SHOWN_AUCS),
        systems=tuple(systems),
        lr_bounds=elub(perfect),
    )


def _band(
    n1: int, n0: int, sigma: float, level: float, draws: int, seed: int, progress: Progress | None
) -> CalibratedBand | None:
    statistics = {"cllr_cal": cllr_cal}
    return calibrated_band(n1, n0, sigma, statistics, draws=draws, level=level, seed=seed, progress=progress)[
        "cllr_cal"
    ]


def _needed(
    rate: float | None, auc: float | None, cllr: float | None, width: float | None, ratio: float, level: float
) -> Iterator[NeededTrials]:
    """The trials for the one figure that is asked, if any; an AUC or Cllr has its width."""
    if rate is not None:
        yield from _for_rate(rate, width, level)
    if auc is not None and width is not None:
        yield _for_auc(auc, width, ratio, level)
    if cllr is not None and width is not None:
        yield _for_cllr(cllr, width, ratio, level)


def _for_rate(rate: float, width: float | None, level: float) -> Iterator[NeededTrials]:
    """The trials for a width, for 30 errors, and for none to say enough; a rate of 0 or 1 has the first only."""
    if not 0.0 <= check_number("rate", rate) <= 1.0:
        raise OptionError(f"rate: expected a share between 0 and 1, found {rate!r}")
    if width is None and rate in (0.0, 1.0):
        raise OptionError(
            f"width: expected the wanted width of the interval: no rule of thumb holds for a rate of {rate:g}"
        )
    if width is not None:
        n = trials_for_rate(rate, width, level)
        low, high = wilson_ends(rate * n, n, level)
        expected = ExpectedInterval(value=rate, low=low, high=high)
        yield NeededTrials(figure="rate", value=rate, rule="width", n=n, interval=expected)
    if 0.0 < rate < 1.0:
        yield NeededTrials(figure="rate", value=rate, rule="rule_of_30", n=trials_for_rule_of_30(rate))
        yield NeededTrials(figure="rate", value=rate, rule="rule_of_3", n=trials_for_rule_of_3(rate, level))


def _for_auc(auc: float, width: float, ratio: float, level: float) -> NeededTrials:
    found = trials_for_auc(auc, width, level, ratio=ratio)
    interval = expected_auc(auc, found.n_target, found.n_nontarget, level)
    return _of_both("auc", auc, found.n_target, found.n_nontarget, interval)


def _for_cllr(cllr: float, width: float, ratio: float, level: float) -> NeededTrials:
    found = trials_for_cllr(cllr, width, level, ratio=ratio)
    reach = found.width / 2.0
    interval = ExpectedInterval(value=cllr, low=max(cllr - reach, 0.0), high=cllr + reach)
    return _of_both("cllr", cllr, found.n_target, found.n_nontarget, interval)


def _of_both(figure: Figure, value: float, n1: int, n0: int, interval: ExpectedInterval) -> NeededTrials:
    return NeededTrials(
        figure=figure, value=value, rule="width", n=n1 + n0, n_target=n1, n_nontarget=n0, interval=interval
    )
