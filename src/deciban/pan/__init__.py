"""Figures of merit of the PAN authorship-verification tasks, from plain arrays.

Every function takes one number per trial and the labels ``y`` (1: same author, the target class; 0: different
authors) and returns plain floats. ``ece`` means expected calibration error here, and only here.
"""

from deciban.pan.answers import c_at_1, f05u
from deciban.pan.probabilities import brier, ece
from deciban.pan.report import PANReport, compute_pan_report
from deciban.pan.scores import auc, cllr, tippett

__all__ = ["PANReport", "auc", "brier", "c_at_1", "cllr", "compute_pan_report", "ece", "f05u", "tippett"]
