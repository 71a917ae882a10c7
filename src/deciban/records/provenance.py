"""Where the numbers come from: inputs, columns, options, seed, versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from deciban.tables.files.inputs import Input


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Everything needed to make the same record again: same input, options, seed and versions give the same bytes.

    Attributes
    ----------
    inputs
        Files read, or tables of databases, which have no hash; empty for data in memory.
    columns
        The declaration of columns, and what was recognised rather than given.
    options
        Options of the evaluation.
    seed
        Seed of every random draw.
    versions
        Versions of deciban, Python and NumPy.
    engine
        What counted the trials: ``numpy``, or the engine that holds the table.
    """

    inputs: tuple[Input, ...] = ()
    columns: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int
    versions: Mapping[str, str]
    engine: str
