"""Every calibrator and every model there is; records tell them apart by ``kind``."""

from __future__ import annotations

from deciban.calibration.beta import BetaCalibrator, BetaModel
from deciban.calibration.bigaussian import BigaussianCalibrator, BigaussianModel
from deciban.calibration.gaussian import GaussianCalibrator, GaussianModel
from deciban.calibration.isotonic import BlocksModel, IsotonicCalibrator
from deciban.calibration.kde import KDECalibrator, KernelModel
from deciban.calibration.line import LineModel, LogisticCalibrator, TemperatureCalibrator

PlainCalibrator = (
    LogisticCalibrator
    | TemperatureCalibrator
    | GaussianCalibrator
    | KDECalibrator
    | IsotonicCalibrator
    | BetaCalibrator
    | BigaussianCalibrator
)
"""Settings without bounds."""

Model = LineModel | GaussianModel | KernelModel | BlocksModel | BetaModel | BigaussianModel
"""What settings become when they are fitted: a map from what is read of a score to ln LR."""
