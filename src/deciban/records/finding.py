"""What a reader must know beside the numbers: findings as data, with advice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing found in the data or the question.

    Attributes
    ----------
    code
        What kind it is, e.g. ``DIRECTION``.
    severity
        ``note`` or ``warn``; ``--strict`` exits 1 on any ``warn``.
    metric, group
        What it concerns: an expression, a group; None for all.
    message
        One sentence with the numbers filled in.
    advice
        What to do.
    data
        The numbers in the message, by name.
    """

    code: str
    severity: Literal["note", "warn"]
    metric: str | None = None
    group: str | None = None
    message: str
    advice: str
    data: Mapping[str, Any] = field(default_factory=dict)
