"""Calibrators and fusions by name, and fits of tables that remember where their trials came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from deciban.calibration.beta import BetaCalibrator
from deciban.calibration.bigaussian import BigaussianCalibrator
from deciban.calibration.calibration import Calibration
from deciban.calibration.gaussian import GaussianCalibrator
from deciban.calibration.isotonic import IsotonicCalibrator
from deciban.calibration.kde import KDECalibrator
from deciban.calibration.kinds import PlainCalibrator
from deciban.calibration.line import LogisticCalibrator, TemperatureCalibrator
from deciban.calibration.settings import Calibrator
from deciban.errors import OptionError, about
from deciban.tables.table import Table
from deciban.values.kept import read_kept
from deciban.values.option_checks import check_known
from deciban.values.record import load_json, to_plain
from deciban.workflow.calibrating.bound_rules import bounded
from deciban.workflow.calibrating.fusion import SCHEMA, Fusion
from deciban.workflow.calibrating.joined import how_joined
from deciban.workflow.calibrating.logistic_fusion import LogisticFusion

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
    return plain if bound is None else bounded(plain, bound)


def fit_table(calibrator: Calibrator, table: Table) -> Calibration:
    """Fit settings to the trials of a table; the calibration says which files and columns they are."""
    trials = table.trials()
    columns: dict[str, Any] = {**to_plain(table.columns), "assumed": list(trials.assumed)}
    with about(table.what, table.where_rows_are):
        calibration = calibrator.fit(trials)
    return replace(calibration, inputs=table.inputs, columns=columns)


def fusion_by_name(name: str, bound: str | None = None, **options: float | None) -> LogisticFusion:
    """Settings of a fusion from the name of a model, options (None: not given) and a bound.

    Raises
    ------
    OptionError
        When the model is not logistic, or has no such option or bound.
    """
    check_known("model", name, MODELS)
    if name != "logistic":
        raise OptionError(
            f"model: several systems are fused by logistic regression only, found {name!r}; leave the model out, or "
            "calibrate each system by itself"
        )
    calibrator_by_name(name, bound, **options)
    given = {option: value for option, value in options.items() if value is not None}
    return LogisticFusion(**given, bound=bound)


def fit_tables(fusion: LogisticFusion, tables: Mapping[str, Table]) -> Fusion:
    """Fit a fusion to the trials of a table for each system; it says which files and columns they are."""
    trials = {name: table.trials() for name, table in tables.items()}
    joined = how_joined(trials)
    columns = {
        name: {**to_plain(table.columns), "assumed": [*trials[name].assumed, *joined]} for name, table in tables.items()
    }
    inputs = {file.sha256 or file.path: file for table in tables.values() for file in table.inputs}
    fitted = fusion.fit(trials)
    return replace(fitted, inputs=tuple(inputs.values()), columns={name: columns[name] for name in fitted.slopes})


def load_fitted(path: str | Path) -> Calibration | Fusion:
    """Read a calibration or a fusion from a file, whichever it holds; raises :class:`InputError` for anything else."""

    def read(text: str) -> Calibration | Fusion:
        plain = load_json(text)
        family = str(plain.get("schema") if isinstance(plain, dict) else None).partition("/")[0]
        return (Fusion if family == SCHEMA.partition("/")[0] else Calibration).from_json(text)

    return read_kept(path, "calibration", read)
