"""Truth and answers of PAN tasks as files for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def write_lines(path: Path, lines: Iterable[str | Mapping[str, Any]]) -> Path:
    """JSON lines; what is text is written as it is."""
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def write_pan(
    folder: Path,
    y: Iterable[object],
    p: Iterable[object],
    *,
    truth: str = "same",
    answer: str = "value",
    name: str = "answers",
) -> tuple[Path, Path]:
    """Problems q1, q2, … with their truth and answers; an answer of None is left out."""
    truths = [{"id": f"q{i}", truth: value} for i, value in enumerate(y, 1)]
    answers = [{"id": f"q{i}", answer: value} for i, value in enumerate(p, 1) if value is not None]
    return write_lines(folder / "truth.jsonl", truths), write_lines(folder / f"{name}.jsonl", answers)
