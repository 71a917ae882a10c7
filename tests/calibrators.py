"""Every calibrator, and data that all of them can be fitted to."""

from __future__ import annotations

from typing import Any

import numpy as np

import deciban as db

PLAIN: tuple[Any, ...] = (
    db.LogisticCalibrator(),
    db.LogisticCalibrator(prior=0.01),
    db.LogisticCalibrator(penalty=0.1),
    db.TemperatureCalibrator(),
    db.GaussianCalibrator(),
    db.GaussianCalibrator(equal_variance=False),
    db.KDECalibrator(),
    db.KDECalibrator(bandwidth=0.5),
    db.IsotonicCalibrator(),
    db.IsotonicCalibrator(laplace=True),
    db.BetaCalibrator(),
    db.BigaussianCalibrator(),
)
BOUNDED: tuple[Any, ...] = (
    db.BoundedCalibrator(db.LogisticCalibrator()),
    db.BoundedCalibrator(db.KDECalibrator(), "elub-one-sided"),
    db.BoundedCalibrator(db.IsotonicCalibrator(), "iv", grid=0.001),
    db.BoundedCalibrator(db.BetaCalibrator(), "sources", n_sources=20),
    db.BoundedCalibrator(db.GaussianCalibrator(), "fixed", lower=0.1, upper=50),
)
EVERY = PLAIN + BOUNDED

INCREASING = ("temperature", "isotonic", "beta", "bigaussian")
"""Kinds whose map never falls, whatever the data."""


def sample(n_target: int = 60, n_nontarget: int = 90, seed: int = 1) -> db.Counts:
    """Log LRs that are too large and shifted, overlapping, with ties."""
    generator = np.random.default_rng(seed)
    targets, nontargets = generator.normal(2.5, 2, n_target), generator.normal(-1.5, 1.7, n_nontarget)
    return db.Counts.from_classes(targets.round(1), nontargets.round(1), scale="ln_lr")
