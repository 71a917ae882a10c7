"""Calibrators by name, with the options of each, and fits of tables that remember where their trials came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from deciban.calibration.beta import BetaCalibrator
from deciban.calibration.bigaussian import BigaussianCalibrator
from deciban.calibration.bounds import RULES, BoundedCalibrator
from deciban.calibration.calibration import Calibration, Calibrator
from deciban.calibration.gaussian import GaussianCalibrator
from deciban.calibration.isotonic import IsotonicCalibrator
from deciban.calibration.kde import KDECalibrator
from deciban.calibration.kinds import PlainCalibrator
from deciban.calibration.line import LogisticCalibrator, TemperatureCalibrator
from deciban.errors import OptionError, about
from deciban.option_checks import check_known
from deciban.record import to_plain
from deciban.scanning import Table
from deciban.spelled import spelled_float, spelled_int

MODELS: Final[Mapping[str, tuple[Callable[..., PlainCalibrator], tuple[str, ...]]]] = {
    "logistic": (LogisticCalibrator, ("prior", "penalty")),
    "temperature": (TemperatureCalibrator, ("prior",)),
    "gaussian": (GaussianCalibrator, ()),
    "gaussian-unequal": (lambda: GaussianCalibrator(equal_variance=False), ()),
    "kde": (KDECalibrator, ("bandwidth",)),
    "isotonic": (IsotonicCalibrator, ()),
    "isotonic-laplace": (lambda: IsotonicCalibrator(laplace=True), ()),
    "beta": (BetaCalibrator, ("prior",)),
    "bigaussian": (BigaussianCalibrator, ("auc_low",)),
}
"""What makes each model, and the options it has."""

BOUNDS_SAID: Final = "elub, elub-one-sided, iv, sources, sources=N, or LOWER,UPPER"


def calibrator_by_name(name: str, bound: str | None = None, **options: float | None) -> Calibrator:
    """Settings from a name, options (None: not given) and a bound.

    Parameters
    ----------
    name
        One of :data:`MODELS`.
    bound
        ``elub``, ``elub-one-sided``, ``iv``, ``sources``, ``sources=N`` or ``LOWER,UPPER``; None for no bounds.
    **options
        Options of models; one that this model does not have is refused.

    Raises
    ------
    OptionError
        When there is no such model, option or bound.

    Examples
    --------
    >>> calibrator_by_name("logistic", "1/1000,1000", prior=0.5, penalty=None)  # doctest: +ELLIPSIS
    BoundedCalibrator(calibrator=LogisticCalibrator(prior=0.5, penalty=0.0), by='fixed', ... lower=0.001, upper=1000.0)
    """
    check_known("model", name, MODELS)
    make, known = MODELS[name]
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if option not in known:
            having = [model for model, (_, names) in MODELS.items() if option in names]
            raise OptionError(f"{option}: the model {name!r} has no such option; it belongs to {', '.join(having)}")
    plain = make(**given)
    return plain if bound is None else _bounded(plain, bound)


def _bounded(plain: PlainCalibrator, bound: str) -> BoundedCalibrator:
    rule, equals, number = bound.partition("=")
    lower, comma, upper = bound.partition(",")
    try:
        if bound in RULES or bound == "sources":
            return BoundedCalibrator(plain, bound)  # type: ignore[arg-type]
        if equals and rule == "sources":
            return BoundedCalibrator(plain, "sources", n_sources=spelled_int(number))
        if comma:
            return BoundedCalibrator(plain, "fixed", lower=_ratio(lower), upper=_ratio(upper))
    except ValueError as error:
        if isinstance(error, OptionError):
            raise
        raise OptionError(f"bound: {error}; expected {BOUNDS_SAID}") from None
    raise OptionError(f"bound: expected {BOUNDS_SAID}, found {bound!r}")


def _ratio(text: str) -> float:
    top, slash, bottom = text.partition("/")
    divisor = spelled_float(bottom) if slash else 1.0
    if divisor == 0.0:
        raise OptionError(f"bound: expected an LR, found {text!r}")
    return spelled_float(top) / divisor


def fit_table(calibrator: Calibrator, table: Table) -> Calibration:
    """Fit settings to the trials of a table; the calibration says which files and columns they are."""
    trials = table.trials()
    columns: dict[str, Any] = {**to_plain(table.columns), "assumed": list(trials.assumed)}
    with about(table.what, table.where_rows_are):
        calibration = calibrator.fit(trials)
    return replace(calibration, inputs=table.inputs, columns=columns)
