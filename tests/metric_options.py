"""Options with which every metric of the catalogue is tried, chosen from its specification alone."""

from __future__ import annotations

from typing import Any

from deciban.metrics.catalogue import METRICS
from deciban.metrics.spec import Option, Spec

VALUES: dict[str, Any] = {
    "p_fa": 0.25,
    "p_miss": 0.25,
    "threshold": 0.5,
    "beta": 2.0,
    "log10_odds": -0.5,
    "k": 10.0,
    "p_target": 0.2,
    "n_bins": 4,
    "c_miss": 1.0,
    "c_fa": 5.0,
    "c_hit": 0.5,
    "c_reject": 0.25,
    "low": 0.125,
    "high": 0.5,
    "prevalence": 0.1,
    "alpha": 0.5,
    "grid": 0.01,
}
"""A sensible value for each option by name; an option that is new needs a line here."""

TOGETHER = ("p_target", "c_miss", "c_fa")
"""Options that are given all or not at all."""

BY_TRIAL = {("eer", "method", "asvspoof"), ("eer", "method", "nist")}
"""Definitions that step through single trials: kept to reproduce figures, they break properties on purpose."""

BY_NUMBER = {
    *("decidability", "elub", "elub-one-sided", "iv_bounds", "turing"),
    *("calibration_error_debiased", "calibration_sweep", "spiegelhalter"),
}
"""Metrics that depend on how many trials there are, by definition: divisors N − 1, extra trials, ranks, a test."""

NOT_REPEATABLE = {
    *BY_TRIAL,
    ("cllr_min", "laplace", True),
    *((name, "binning", "equal-mass") for name in ("calibration_error", "brier_murphy")),
}
"""Options under which every trial twice is not the same."""

UNDEFINED_WHEN_PERFECT = {"calibration_intercept"}
"""Metrics whose perfect anchor is a value to aim at, without one where every probability is 0 or 1."""

OUT_OF_RANGE = {("cllr_min", "laplace", True)}
"""Options under which a value may pass the usual range."""

Options = dict[str, Any]


def value(option: Option) -> Any:
    """A value other than the default."""
    if option.kind is not bool and option.name not in VALUES:
        raise LookupError(f"option {option.name!r} needs a sample value in VALUES of {__file__}")
    return not option.default if option.kind is bool else VALUES[option.name]


def base_options(spec: Spec) -> list[Options]:
    """The least options that a question needs: the required ones, each choice where there is no default."""
    required = {option.name: value(option) for option in spec.options if option.required}
    chosen = [o for o in spec.options if o.choices and o.default is None]
    return [{**required, o.name: choice} for o in chosen for choice in o.choices] or [required]


def option_sets(spec: Spec) -> list[Options]:
    """The least options, each choice of every option, and every other option away from its default."""
    base = base_options(spec)
    optional = {option.name for option in spec.options if not option.required}
    together = optional.issuperset(TOGETHER)
    sets = [*base, *([{name: VALUES[name] for name in TOGETHER}] if together else [])]
    for option in spec.options:
        if option.required or (together and option.name in TOGETHER):
            continue
        choices = option.choices or (value(option),)
        sets += [{**base[0], option.name: choice} for choice in choices]
    return [options for index, options in enumerate(sets) if options not in sets[:index]]


def breaks(spec: Spec, options: Options, rules: set[tuple[str, str, Any]]) -> bool:
    """Whether an option is one for which a property is known not to hold."""
    return any((spec.name, name, chosen) in rules for name, chosen in options.items())


def label(spec: Spec, options: Options) -> str:
    """The id of a test."""
    return ",".join([spec.name, *(f"{name}={chosen}" for name, chosen in options.items())])


CASES = [(metric, options) for metric in METRICS for options in option_sets(metric.spec)]
BASE_CASES = [(metric, options) for metric in METRICS for options in base_options(metric.spec)]
