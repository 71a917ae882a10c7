"""What a metric is in words, for the command line, pages and the documentation alike."""

from __future__ import annotations

import inspect
from typing import Any

from deciban.metrics.spec import Metric, Option, Spec


def definition(metric: Metric[Any]) -> str:
    """What the function says it computes, before it speaks of its arguments."""
    return inspect.cleandoc(metric.__doc__ or "").split("\n\nParameters\n")[0]


def better(spec: Spec) -> str:
    """Which way a value is better."""
    if spec.direction != "target value":
        return spec.direction
    return "neither way" if spec.anchors[0] is None else f"near {spec.anchors[0]:g}"


def anchor_text(anchor: float | None) -> str:
    """The value of a perfect or an uninformative system."""
    return "depends on the data" if anchor is None else f"{anchor:g}"


def default_text(option: Option) -> str:
    """What an option is when it is not given."""
    return "required" if option.required else f"default {'none' if option.default is None else option.default}"
