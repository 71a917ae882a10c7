"""``deciban metrics``: what each figure is, and when to use it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from deciban.cli import options
from deciban.cli.data_options import Prior, ScaleOption
from deciban.cli.output import errors_end_here, write
from deciban.errors import OptionError

if TYPE_CHECKING:
    from deciban.metrics.spec import Metric, Spec


KINDS: Final[dict[type, str]] = {float: "a number", int: "a whole number", str: "text", bool: "true or false"}


def metrics(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One metric; all when left out.")] = None,
    word: Annotated[
        list[str] | None,
        options.option("--find", "WORD", "Only metrics that mention the word, e.g. calibration; repeatable."),
    ] = None,
    scale: ScaleOption = None,
    prior: Prior = None,
    exact: Annotated[bool, options.flag("--exact", "Only metrics that give a fraction.")] = False,
) -> None:
    """List the metrics, or say what one of them is: definition, unit, anchors, options, when to use it.

    The list can be narrowed: to words, to what scores of a scale allow, to exact fractions.
    """
    with errors_end_here():
        from deciban.metrics.catalogue import BY_NAME, METRICS, find

        if name is None:
            write(_list([m for m in METRICS if _wanted(m, word or [], scale, prior, exact)]))
            return
        # An expression asks about its metric, a part about the record that it belongs to.
        asked = name.partition(":")[0].strip()
        whole = asked.rpartition(".")[0]
        write(_describe(find(whole if asked not in BY_NAME and whole in BY_NAME else asked)))


def _wanted(metric: Metric[Any], words: list[str], scale: str | None, prior: float | None, exact: bool) -> bool:
    """Whether a metric passes every filter."""
    from deciban.values.scale import check_prior, check_scale
    from deciban.workflow.evaluating.request import allowed

    spec = metric.spec
    said = " ".join((spec.name, spec.title, spec.unit, spec.use_when, spec.avoid_when, metric.__doc__ or "")).casefold()
    if any(word.casefold() not in said for word in words) or (exact and not spec.exact):
        return False
    if scale is None:
        return True
    known = check_scale(scale)
    return allowed(spec.needs, known, check_prior(prior, scale=known))


def _list(metrics: list[Metric[Any]]) -> str:
    if not metrics:
        raise OptionError("no metric is like that; leave a filter out, or see deciban metrics")
    rows = [("name", "unit", "scores", "what it is")]
    rows += [(m.spec.name, m.spec.unit or "-", _scores(m.spec), m.spec.title) for m in metrics]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "".join("  ".join([*map(str.ljust, row[:3], widths), row[3]]).rstrip() + "\n" for row in rows)


def _scores(spec: Spec) -> str:
    return {"any": "any", "probability": "probabilities or LRs", "lr": "LRs"}[spec.needs]


def _describe(metric: Metric[Any]) -> str:
    from deciban.metrics.described import anchor_text, better, default_text, definition

    spec = metric.spec
    perfect, none = map(anchor_text, spec.anchors)
    lines = [
        f"{spec.name}: {spec.title}",
        "",
        definition(metric),
        "",
        f"unit            {spec.unit or 'none (a pure number)'}",
        f"range           {spec.range[0]:g} to {spec.range[1]:g}; better: {better(spec)}",
        f"perfect         {perfect}",
        f"no information  {none}",
        f"scores          {_scores(spec)}",
        f"exact fraction  {'yes' if spec.exact else 'no'}",
        f"use when        {spec.use_when}",
        f"avoid when      {spec.avoid_when}",
        f"reference       {spec.reference}",
    ]
    if spec.parts:
        lines.append(f"parts           {', '.join(f'{spec.name}.{part}' for part in spec.parts)}")
    for option in spec.options:
        allowed = f" one of {', '.join(option.choices)}" if option.choices else f" {KINDS[option.kind]}"
        lines.append(f"option          {option.name}:{allowed}; {default_text(option)}")
    return "\n".join(lines) + "\n"
