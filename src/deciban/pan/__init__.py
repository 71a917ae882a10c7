"""Figures of merit of the PAN verification tasks: of plain arrays, and of submissions as the evaluators compute them.

Functions of arrays take one number per trial and the labels ``y`` (1: same author, the target class; 0: different
authors) and return plain floats. ``pan_evaluate`` and ``pan_rank`` read truth and answers from files, and know what the
evaluator of each year does. ``ece`` means expected calibration error here, and only here.
"""

from deciban.pan.answers import c_at_1, f05u
from deciban.pan.evaluating import pan_evaluate, pan_rank
from deciban.pan.probabilities import brier, ece
from deciban.pan.record import PanEvaluation, PanRanking
from deciban.pan.report import PANReport, compute_pan_report
from deciban.pan.scores import auc, cllr, tippett

__all__ = [
    "PANReport",
    "PanEvaluation",
    "PanRanking",
    "auc",
    "brier",
    "c_at_1",
    "cllr",
    "compute_pan_report",
    "ece",
    "f05u",
    "pan_evaluate",
    "pan_rank",
    "tippett",
]
