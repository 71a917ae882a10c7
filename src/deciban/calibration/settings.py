"""Settings of any calibrator, with bounds or without."""

from __future__ import annotations

from deciban.calibration.bounds import BoundedCalibrator
from deciban.calibration.kinds import PlainCalibrator
from deciban.errors import OptionError

Calibrator = PlainCalibrator | BoundedCalibrator


def plain_of(calibrator: Calibrator) -> PlainCalibrator:
    """The settings without those of bounds."""
    return calibrator.calibrator if isinstance(calibrator, BoundedCalibrator) else calibrator


def check_calibrator(value: object) -> Calibrator:
    """Return settings of a calibrator; :class:`OptionError` for anything else says what was expected."""
    if isinstance(value, Calibrator):
        return value
    if isinstance(value, type):
        found = f"the class {value.__name__}; make one of it: {value.__name__}()"
    else:
        found = f"{value!r}" if isinstance(value, (str, int, float)) or value is None else f"a {type(value).__name__}"
    raise OptionError(f"calibrator: expected settings such as LogisticCalibrator(), found {found}")
