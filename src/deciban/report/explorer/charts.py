"""The charts of the explorer as Vega-Lite specifications; their data are put in by the script.

Each has the dataset ``curve``, and ``at``, which holds in one row where the threshold and the prior are now; rows of
operating points have columns for all charts. Axes and text take the colour of the page's text, so that they can be
read on white and on black.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from deciban.plots.canvas import first_capital
from deciban.plots.looks import BLUE, VERMILLION
from deciban.vocabulary import Vocabulary

TEXT: Final = "currentColor"
TARGET, NONTARGET, GREY = BLUE.lower(), VERMILLION.lower(), "#737373"
"""Colours by which the style knows them, and makes them lighter on black."""

HEIGHT: Final = 230
DOTTED, DASHED = [2, 3], [6, 3]

MOST_LETTERS: Final = 32
"""So many letters of a legend stand beside one another in the narrowest chart."""

LINES: Final = {"system": "as they are", "pav": "after PAV", "neutral": "LR = 1"}
"""What lines of the cross-entropy are called; the columns of the record by name."""

TICKS: Final = (0.0001, 0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 0.9999)
"""Rates that the DET plot has lines at."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of the explorer: its name in the script, its caption, and what it is for those who cannot see it."""

    name: str
    caption: str
    alternative: str


CHARTS: Final = (
    Chart("histogram", "Scores", "Histogram of the scores of both classes, with a line at the threshold."),
    Chart("roc", "ROC", "ROC curve: recall against false alarms, with a mark at the threshold."),
    Chart("det", "DET", "DET curve: misses against false alarms on normal axes, with a mark at the threshold."),
    Chart("pr", "Precision and recall", "Precision against recall, with a mark at the threshold."),
    Chart(
        "cross_entropy",
        "Empirical cross-entropy",
        "Cross-entropy over priors of the LRs as they are, after PAV and of LR = 1, with a line at the prior.",
    ),
)


def charts(words: Vocabulary) -> dict[str, dict[str, Any]]:
    """Every chart's specification by its name."""
    drawn = {
        "histogram": _histogram(words),
        "roc": _roc(words),
        "det": _det(words),
        "pr": _precision_recall(words),
        "cross_entropy": _cross_entropy(words),
    }
    return {name: _finished(chart) for name, chart in drawn.items()}


def _finished(chart: Any) -> dict[str, Any]:
    text = {
        "labelColor": TEXT,
        "titleColor": TEXT,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    }
    specification: dict[str, Any] = (
        chart.properties(width="container", height=HEIGHT, background="transparent", padding=4)
        .configure(aria=False, font="system-ui, sans-serif")
        .configure_view(stroke=None)
        .configure_axis(gridColor=TEXT, gridOpacity=0.15, domainColor=TEXT, tickColor=TEXT, titlePadding=6, **text)
        .configure_legend(orient="top", title=None, labelLimit=0, **text)
        .to_dict()
    )
    # The script says what it is; an address in the page is one too many.
    del specification["$schema"]
    return specification


def _roc(words: Vocabulary) -> Any:
    import altair as alt

    scale, axis = alt.Scale(domain=[0, 1], nice=False), alt.Axis(tickCount=5)
    return _plane(
        alt.X("p_fa:Q", title=first_capital(words.p_fa), scale=scale, axis=axis),
        alt.Y("recall:Q", title=first_capital(words.recall), scale=scale, axis=axis),
        _reference().encode(x=alt.datum(0), y=alt.datum(0), x2=alt.datum(1), y2=alt.datum(1)),
    )


def _det(words: Vocabulary) -> Any:
    """Rates on probit axes, half an error for none, and the line where both are equal."""
    import altair as alt
    from scipy.special import ndtri

    label = "format(100 * cumulativeNormal(datum.value, 0, 1), '.4~r')"
    axis = alt.Axis(values=[round(float(ndtri(rate)), 6) for rate in TICKS], labelExpr=label, labelOverlap="greedy")
    scale = alt.Scale(zero=False, nice=False, padding=6)
    return _plane(
        alt.X("fa:Q", title=f"{first_capital(words.p_fa)} (%)", scale=scale, axis=axis),
        alt.Y("miss:Q", title=f"{first_capital(words.p_miss)} (%)", scale=scale, axis=axis),
        _reference()
        .transform_calculate(low="quantileNormal(max(datum.half_fa, datum.half_miss), 0, 1)", high="-datum.low")
        .encode(x="low:Q", y="low:Q", x2="high:Q", y2="high:Q"),
        fa="quantileNormal(clamp(datum.p_fa, datum.half_fa, 1 - datum.half_fa), 0, 1)",
        miss="quantileNormal(clamp(datum.p_miss, datum.half_miss, 1 - datum.half_miss), 0, 1)",
    )


def _precision_recall(words: Vocabulary) -> Any:
    """Steps, since no line joins two precisions, and the precision of accepting everything."""
    import altair as alt

    scale, axis = alt.Scale(domain=[0, 1], nice=False), alt.Axis(tickCount=5)
    return _plane(
        alt.X("recall:Q", title=first_capital(words.recall), scale=scale, axis=axis),
        alt.Y("precision:Q", title=first_capital(words.precision), scale=scale, axis=axis),
        _reference().encode(y="share:Q"),
        interpolate="step-before",
    )


def _reference() -> Any:
    """A thin line that the curve is read against; one row makes one of it."""
    import altair as alt

    return alt.Chart(alt.NamedData("at")).mark_rule(color=TEXT, opacity=0.6, strokeDash=DOTTED)


def _plane(
    x: Any, y: Any, reference: Any, interpolate: Literal["linear", "step-before"] = "linear", **computed: str
) -> Any:
    """A curve of operating points, what it is read against, and the one in force; with columns to be computed first."""
    import altair as alt

    curve = alt.Chart(alt.NamedData("curve")).mark_line(color=TARGET, strokeWidth=2, interpolate=interpolate)
    mark = alt.Chart(alt.NamedData("at")).mark_point(
        filled=True, fill=NONTARGET, stroke=TEXT, strokeWidth=1.5, size=110, opacity=1
    )
    if computed:
        curve, mark = curve.transform_calculate(**computed), mark.transform_calculate(**computed)
    return alt.layer(reference, curve.encode(x=x, y=y, order="i:Q"), mark.encode(x=x, y=y))


def _histogram(words: Vocabulary) -> Any:
    """Shares of each class in each bin; infinite scores are bars at the ends with their sign above."""
    import altair as alt

    data = alt.NamedData("curve")
    x = alt.X("low:Q", title=None, scale=alt.Scale(zero=False, nice=False, padding=10))
    y = alt.Y("share:Q", title="Share of the class", stack=None)
    bars = _folded({"target": words.targets, "nontarget": words.nontargets}, "share")
    sign = "datum.infinite > 0 ? '∞' : datum.infinite < 0 ? '−∞' : ''"
    signs = alt.Chart(data).transform_calculate(sign=sign).mark_text(color=TEXT, dy=-7, fontSize=13)
    rule = alt.Chart(alt.NamedData("at")).mark_rule(color=TEXT, strokeWidth=2)
    return alt.layer(
        bars.mark_bar(opacity=0.65, binSpacing=0).encode(x=x, x2="high:Q", y=y, y2=alt.datum(0)),
        signs.encode(x="middle:Q", y="tallest:Q", text="sign:N"),
        rule.encode(x="score:Q"),
    )


def _cross_entropy(words: Vocabulary) -> Any:
    """The LRs as they are, after PAV, and LR = 1, up to the height that the script gives."""
    import altair as alt

    x = alt.X("log10_odds:Q", title=f"Prior log10 odds of {words.target}", scale=alt.Scale(domain=[-3, 3], nice=False))
    y = alt.Y("bits:Q", title="Bits", scale=alt.Scale(domainMin=0, domainMax=alt.ExprRef("top"), nice=False))
    lines = _folded(LINES, "bits")
    scale = alt.Scale(domain=list(LINES), range=[[1, 0], DASHED, DOTTED])
    dash = alt.StrokeDash("of:N", scale=scale, legend=_legend(LINES))
    rule = alt.Chart(alt.NamedData("at")).mark_rule(color=TEXT, strokeWidth=2, clip=True)
    return alt.layer(
        lines.transform_filter("isFinite(datum.bits)")
        .mark_line(strokeWidth=2, clip=True)
        .encode(x=x, y=y, strokeDash=dash),
        rule.encode(x="log10_odds:Q"),
    ).add_params(alt.param(name="top", value=1))


def _folded(titles: Mapping[str, str], value: str) -> Any:
    """The columns of ``curve`` that have titles, each in a colour of its own."""
    import altair as alt

    scale = alt.Scale(domain=list(titles), range=[TARGET, NONTARGET, GREY][: len(titles)])
    return (
        alt.Chart(alt.NamedData("curve"))
        .transform_fold(list(titles), as_=["of", value])
        .encode(color=alt.Color("of:N", scale=scale, legend=_legend(titles)))
    )


def _legend(titles: Mapping[str, str]) -> Any:
    import altair as alt

    # Below one another where the words of a field are long: a legend is cut where the chart ends.
    columns = 1 if sum(map(len, titles.values())) > MOST_LETTERS else len(titles)
    return alt.Legend(labelExpr=f"{json.dumps(titles)}[datum.label]", columns=columns)
