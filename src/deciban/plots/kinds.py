"""Every plot by name: from counts to the record, and from the record to the drawing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from deciban.counts.counts import Counts
from deciban.curves.bayes_error import bayes_error_curve
from deciban.curves.cross_entropy import empirical_cross_entropy_curve
from deciban.curves.curve import Curve
from deciban.curves.gain import pr_gain
from deciban.curves.histogram import score_histogram
from deciban.curves.hull import pav_map, rocch
from deciban.curves.net_benefit import net_benefit_curve
from deciban.curves.overestimation import lr_overestimation
from deciban.curves.reliability import reliability
from deciban.curves.roc import det, precision_recall, roc
from deciban.curves.thresholds import threshold_curve
from deciban.curves.tippett import tippett
from deciban.errors import OptionError, did_you_mean
from deciban.plots import (
    claims,
    decisions,
    det_plane,
    lr_distribution,
    precision_plane,
    priors,
    roc_plane,
    score_distribution,
    stated_probabilities,
    transformation,
)
from deciban.uncertainty.bands.banded import with_band

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.trials.trials import Trials

At = Literal["threshold", "log10 lr"]


@dataclass(frozen=True, slots=True)
class Kind:
    """One plot.

    Attributes
    ----------
    name, title
        What it is asked for by, and what it shows.
    curve, draw
        The function that makes a record of counts, and the one that draws records.
    needs
        What the scale of the scores must carry: "any", "probability" or "lr".
    curve_options, draw_options
        Names of the options that the two functions take.
    marks
        What an operating point is given as; None where the plot has none.
    """

    name: str
    title: str
    curve: Callable[..., Curve]
    draw: Callable[..., Axes]
    needs: Literal["any", "probability", "lr"] = "any"
    curve_options: tuple[str, ...] = ()
    draw_options: tuple[str, ...] = ()
    marks: At | None = None

    def options(self, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Options for the curve and for the drawing; one that is not of this plot is refused."""
        known = (*self.curve_options, *self.draw_options)
        for name in given:
            if name not in known:
                takes = f"it takes {', '.join(known)}" if known else "it takes none"
                raise OptionError(f"{name}: no option of the {self.name} plot; {takes}")
        return (
            {name: value for name, value in given.items() if name in self.curve_options},
            {name: value for name, value in given.items() if name in self.draw_options},
        )


KINDS: Final = {
    kind.name: kind
    for kind in (
        Kind("roc", "recall against false alarms", roc, roc_plane.roc, draw_options=("hull",), marks="threshold"),
        Kind("rocch", "convex hull of the ROC with its vertices", rocch, roc_plane.rocch),
        Kind("det", "misses against false alarms on probit axes", det, det_plane.det, marks="threshold"),
        Kind("pr", "precision against recall", precision_recall, precision_plane.precision_recall, marks="threshold"),
        Kind("pr-gain", "precision gain against recall gain", pr_gain, precision_plane.pr_gain, marks="threshold"),
        Kind(
            "tippett",
            "distribution of LRs in each class",
            tippett,
            lr_distribution.tippett,
            needs="lr",
            curve_options=("type",),
            marks="log10 lr",
        ),
        Kind(
            "cross-entropy",
            "empirical cross-entropy over priors, beside PAV and LR = 1",
            empirical_cross_entropy_curve,
            priors.cross_entropy,
            needs="lr",
            draw_options=("x",),
        ),
        Kind(
            "bayes-error",
            "actual and least error over priors (APE; normalised: NBE)",
            bayes_error_curve,
            priors.bayes_error,
            curve_options=("normalise",),
        ),
        Kind(
            "reliability",
            "observed share of targets against stated probability",
            reliability,
            stated_probabilities.reliability,
            needs="probability",
            curve_options=("bins", "n_bins", "p_target"),
        ),
        Kind(
            "lr-overestimation",
            "by how much LRs claim more than the data bear out",
            lr_overestimation,
            claims.lr_overestimation,
            needs="lr",
        ),
        Kind("pav", "LR after PAV against the score", pav_map, transformation.pav_map),
        Kind(
            "histogram",
            "distribution of scores in each class",
            score_histogram,
            score_distribution.score_histogram,
            curve_options=("n_bins",),
            marks="threshold",
        ),
        Kind(
            "net-benefit",
            "net benefit over the probability at which to act",
            net_benefit_curve,
            decisions.net_benefit,
            needs="probability",
            curve_options=("p_target",),
        ),
        Kind(
            "threshold",
            "ratios of the confusion matrix against the threshold",
            threshold_curve,
            decisions.threshold_curve,
            curve_options=("ratio",),
            marks="threshold",
        ),
    )
}


def find_kind(name: str) -> Kind:
    """The plot of a name; :class:`OptionError` with the nearest ones, and for ``ece`` with both things it may mean."""
    if name.casefold() == "ece":
        raise OptionError(
            "'ece' names two quantities: say cross-entropy (empirical cross-entropy of likelihood ratios, over priors) "
            "or reliability (the diagram behind the expected calibration error of probabilities)"
        )
    if name not in KINDS:
        raise OptionError(f"no plot {name!r}; {did_you_mean(name.casefold(), KINDS)}")
    return KINDS[name]


def record_of(
    kind: Kind, data: Counts | Trials, options: Mapping[str, Any], band: Mapping[str, Any] | None = None
) -> Curve:
    """The record that a plot draws, with its options by the names they have here, and a band where one is described."""
    own = {("metrics" if name == "ratio" else name): value for name, value in options.items()}
    if kind.name == "histogram" and "n_bins" in own:
        own["bins"] = own.pop("n_bins")
    if band is not None:
        return with_band(kind.curve, data, **band, **own)
    return kind.curve(data, **own)
