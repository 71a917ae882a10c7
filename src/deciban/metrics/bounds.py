"""Bounds of the likelihood ratios that the data can support, by three published rules."""

from __future__ import annotations

from dataclasses import dataclass

from deciban.metrics.spec import metric
from deciban.passes.lr_support import ELUB, ELUB_ONE_SIDED, INVARIANCE, Rule, Sides, lr_sides, supported

ELUB_REFERENCE = "Vergeer et al. (2016), Numerical likelihood ratios outputted by LR systems, Science & Justice 56"
INFINITE = float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The smallest and the largest likelihood ratio that the data support: 0 < lower <= 1 <= upper."""

    lower: float
    upper: float


def _bounds(sides: Sides, rule: Rule, grid: float | None, what: str) -> Bounds:
    lower, upper = supported(sides, rule, grid, what)
    return Bounds(lower=lower, upper=upper)


@metric(
    of=lr_sides,
    title="Empirical lower and upper bound of the LR",
    range=(0.0, INFINITE),
    direction="target value",
    needs="lr",
    anchors=(None, 1.0),
    parts=("lower", "upper"),
    use_when="asking how strong the LRs reported may be, given how few trials stand behind them",
    avoid_when="reading them as a property of the method alone: they widen with the number of trials",
    reference=ELUB_REFERENCE,
)
def elub(sides: Sides, *, grid: float | None = None) -> Bounds:
    """Compute the LRs between which deciding by the LR costs no more than deciding without it.

    One target with LR 0 and one nontarget with LR inf are added: p_miss(t) = (#targets < t + 1)/(N1 + 1),
    p_fa(t) = (#nontargets >= t + 1)/(N0 + 1), E(t) = p_miss + t·p_fa. Upper = sup{T >= 1: E <= 1 on all of (1, T]},
    lower = inf{T <= 1: E(t) <= t on all of [T, 1)}: the first violation going out from 1 ends the range.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.
    grid
        Try only the LRs whose log10 is a multiple of this step; 0.01 gives the figures of the Python package lir. None
        (default) is exact.

    Returns
    -------
    Bounds
        LRs. A perfect system (LR inf and 0) has (N0 + 1)/(N0(N1 + 1)) and N1(N0 + 1)/(N1 + 1); LR = 1 for every trial
        gives 1 and 1.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.
    OptionError
        When the grid is not a step from 1e-5 to 1.

    Notes
    -----
    Both rates are constant between neighbouring distinct LRs, so that each stretch has one root. Roots are compared
    with the scores in the unit of the scores; infinite and zero LRs are beyond every bound. Weights count as trials.

    References
    ----------
    Vergeer, van Es, de Jongh, Alberink and Stoel (2016), Numerical likelihood ratios outputted by LR systems are often
    based on extrapolation, Science & Justice 56.

    Examples
    --------
    >>> import deciban as db
    >>> db.elub(db.Counts.from_classes([1, 10, 100], [0.01, 0.1], scale="lr"))
    Bounds(lower=0.375, upper=1.5)
    """
    return _bounds(sides, ELUB, grid, "elub")


@metric(
    of=lr_sides,
    name="elub-one-sided",
    title="Empirical lower and upper bound of the LR, each side by itself",
    range=(0.0, INFINITE),
    direction="target value",
    needs="lr",
    anchors=(None, 1.0),
    shown=(),
    parts=("lower", "upper"),
    use_when="reproducing figures made with one misleading LR added on the tested side only",
    avoid_when="a new validation: use elub, whose two sides rest on one set of added trials",
    reference=ELUB_REFERENCE,
)
def elub_one_sided(sides: Sides, *, grid: float | None = None) -> Bounds:
    """Compute ELUB with a misleading LR added only on the side that is tested.

    Upper: (share of targets < t) + t·(#nontargets >= t + 1)/(N0 + 1) <= 1 on all of (1, upper]; lower:
    (#targets < t + 1)/((N1 + 1)·t) + (share of nontargets >= t) <= 1 on all of [lower, 1).

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.
    grid
        Try only the LRs whose log10 is a multiple of this step; None (default) is exact.

    Returns
    -------
    Bounds
        LRs. A perfect system (LR inf and 0) has 1/(N1 + 1) and N0 + 1; LR = 1 for every trial gives 1 and 1.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.
    OptionError
        When the grid is not a step from 1e-5 to 1.

    Notes
    -----
    Ties, infinities and weights as in ``elub``; never narrower than it.

    References
    ----------
    Vergeer, van Es, de Jongh, Alberink and Stoel (2016), Numerical likelihood ratios outputted by LR systems are often
    based on extrapolation, Science & Justice 56.

    Examples
    --------
    >>> import deciban as db
    >>> db.elub_one_sided(db.Counts.from_classes([float("inf")] * 3, [0] * 9, scale="lr"))
    Bounds(lower=0.25, upper=10.0)
    """
    return _bounds(sides, ELUB_ONE_SIDED, grid, "elub-one-sided")


@metric(
    of=lr_sides,
    title="Invariance verification bounds of the LR",
    range=(0.0, INFINITE),
    direction="target value",
    needs="lr",
    anchors=(None, 1.0),
    shown=(),
    parts=("lower", "upper"),
    use_when="asking up to which strength the share of targets to nontargets beyond an LR bears it out",
    avoid_when="bounds are wanted that decisions at every prior have earned: use elub",
    reference="Alberink et al. (2025), A transparent method to determine limit values for likelihood ratio systems",
)
def iv_bounds(sides: Sides, *, grid: float | None = None) -> Bounds:
    """Compute the LRs up to which the trials beyond an LR are themselves evidence as strong as it.

    R_hi(t) = [(#targets >= t + ½)/(N1 + 1)] / [(#nontargets >= t + ½)/(N0 + 1)], R_lo the same with < t.
    Upper = sup{T >= 1: R_hi(t) >= t on (1, T]}, not beyond the largest target LR; lower = inf{T <= 1: R_lo(t) <= t on
    [T, 1)}, not below the smallest nontarget LR.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.
    grid
        Try only the LRs whose log10 is a multiple of this step; 0.001 gives the published figures. None (default) is
        exact.

    Returns
    -------
    Bounds
        LRs. A perfect system (LR inf and 0) has (N0 + 1)/((N1 + 1)(2·N0 + 1)) and (2·N1 + 1)(N0 + 1)/(N1 + 1); LR = 1
        for every trial gives 1 and 1.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.
    OptionError
        When the grid is not a step from 1e-5 to 1.

    Notes
    -----
    Ties, infinities and weights as in ``elub``.

    References
    ----------
    Alberink et al. (2025), A transparent method to determine limit values for likelihood ratio systems.

    Examples
    --------
    >>> import deciban as db
    >>> db.iv_bounds(db.Counts.from_classes([100, 200, 300], [0.01, 0.02, 0.03], scale="lr")).upper
    7.0
    """
    return _bounds(sides, INVARIANCE, grid, "iv_bounds")
