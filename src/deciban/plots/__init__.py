"""Plots: each function draws one kind of record, or several by name, on matplotlib axes, and computes nothing.

No function touches pyplot, settings or windows; a new figure belongs to the axes that are returned. Axes that are
passed in keep the limits they have. Needs matplotlib: ``pip install "deciban[report]"``.
"""

from deciban.plots.claims import lr_overestimation
from deciban.plots.cost_bars import ape_bars
from deciban.plots.decisions import net_benefit, threshold_curve
from deciban.plots.det_plane import det
from deciban.plots.forest import forest
from deciban.plots.lr_distribution import tippett
from deciban.plots.panels import multiples
from deciban.plots.precision_plane import pr_gain, precision_recall
from deciban.plots.priors import bayes_error, cross_entropy
from deciban.plots.roc_plane import roc, rocch
from deciban.plots.saving import save
from deciban.plots.score_distribution import score_histogram
from deciban.plots.stated_probabilities import reliability
from deciban.plots.tandem_cost import t_dcf
from deciban.plots.transformation import pav_map

__all__ = [
    "ape_bars",
    "bayes_error",
    "cross_entropy",
    "det",
    "forest",
    "lr_overestimation",
    "multiples",
    "net_benefit",
    "pav_map",
    "pr_gain",
    "precision_recall",
    "reliability",
    "roc",
    "rocch",
    "save",
    "score_histogram",
    "t_dcf",
    "threshold_curve",
    "tippett",
]
