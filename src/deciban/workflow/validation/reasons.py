"""Why something cannot be assessed, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

REASONS: Final[Mapping[str, str]] = {
    "scale": "the scores are no likelihood ratios: say what they are (scale), or calibrate them first",
    "single_class": "there are trials of one class only",
    "weighted": "weighted trials have no number of trials to go by",
    "undefined_ratio": "the figure has no value for these data",
    "separated": "the classes do not overlap, so that nothing finite can be fitted to them",
    "infinite_end": "there are LRs of 0 or infinity, for which the figure has no value",
    "degenerate": "the data show no spread, which does not make the figure certain",
    "too_few": "there are too few trials or sources",
    "not_computed": 'it was not computed; interval = "bootstrap" computes it',
    "bucketed": "scores were counted in buckets, which leave it open",
    "not_converged": "the fit did not converge",
    "no_limit": "the laboratory gave no number",
    "no_margin": "the laboratory gave no margin",
    "no_interval": "there is no interval",
    "few_errors": "there are fewer than 30 errors of a kind",
    "no_sources": "no sources of the trials were given",
    "no_development_sources": "no sources of the development data were given",
    "no_development": "no development or calibration data were named",
    "no_baseline": "no baseline was given",
    "not_paired": "baseline and system were not run on the same trials",
    "no_conditions": "no conditions of the trials were given",
    "one_condition": "all trials are of one condition",
    "too_many_conditions": "there are more than ten conditions",
    "dependent": "the conditions share trials or sources, so that their difference has no interval",
    "no_threshold": "there is no threshold: raw scores have none of their own",
    "dependent_trials": "trials of one source are not independent, and the interval by source leaves it open",
    "no_null_band": "what calibrated LRs would give was not simulated",
    "needs_trials": "it needs trials, and only counts were given",
}
"""By code; some are those of the evaluation."""


def in_words(code: str | None) -> str:
    """A reason in words; a code that is not listed is said as it is."""
    return REASONS.get(code or "", f"reason {code}")
