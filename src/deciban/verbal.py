"""Verbal scales of evidence: which step of a published scale a likelihood ratio stands on."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from deciban.errors import OptionError, did_you_mean
from deciban.option_checks import check_number


@dataclass(frozen=True, slots=True)
class VerbalScale:
    """A scale that is the same for both propositions.

    Attributes
    ----------
    steps
        Smallest LR of step 1, 2, …; an LR equal to it belongs to the step. LRs below 1 mirror them.
    source
        Where the scale is published.
    """

    steps: tuple[float, ...]
    source: str


SCALES: Final[dict[str, VerbalScale]] = {
    "nfc": VerbalScale(
        (6.0, 100.0, 6_000.0, 1_000_000.0),
        "Nordgaard et al. (2012), Scale of conclusions for the value of evidence, Law, Probability and Risk 11; "
        "Swedish National Forensic Centre, utlåtandeskala",
    ),
}
"""Scales by name. Their limits are no powers of ten, and differ from country to country: they are data."""


def verbal_step(lr: float, scale: str = "nfc") -> int:
    """Find the step of a verbal scale on which a likelihood ratio stands.

    Parameters
    ----------
    lr
        Likelihood ratio, at least 0; infinity is legal.
    scale
        Name of the scale: ``nfc`` (−4 to 4, Sweden).

    Returns
    -------
    int
        Positive for the target proposition, negative for the other, 0 when the evidence does not tell. Mirrored:
        1/LR stands on the opposite step.

    Raises
    ------
    OptionError
        When the LR is negative or NaN, or there is no such scale.

    References
    ----------
    Nordgaard et al. (2012), Scale of conclusions for the value of evidence, Law, Probability and Risk 11.

    Examples
    --------
    >>> import deciban as db
    >>> db.verbal_step(6_000), db.verbal_step(5.9), db.verbal_step(1 / 100)
    (3, 0, -2)
    """
    if scale not in SCALES:
        raise OptionError(f"scale: no verbal scale {scale!r}; {did_you_mean(scale, SCALES)}")
    if check_number("lr", lr, "a likelihood ratio of at least 0") < 0.0:
        raise OptionError(f"lr: expected a likelihood ratio of at least 0, found {lr!r}")
    steps = SCALES[scale].steps
    if lr >= 1.0:
        return bisect_right(steps, lr)
    # Compared with 1/limit, as the scales are written, and not by inverting the LR, which may round past a limit.
    return -sum(lr <= 1.0 / limit for limit in steps)
