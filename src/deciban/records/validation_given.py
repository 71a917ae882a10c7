"""What a validation was made from beside its criteria file: with both it can be made again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from deciban.tables.files.inputs import Input

Role = Literal["data", "baseline", "development", "calibration", "verbal"]
"""What a file is read for; a calibration is what the method was developed as."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What was given beside the criteria file, and every file that was read.

    Attributes
    ----------
    paths
        Paths of the data as they were given; empty where the criteria file names them, or they were no files.
    declared
        What was declared of their columns beside the criteria file.
    options
        Thresholds, interval, level, replicates and seed that were given beside it; those that were not are left out.
    tables
        How the columns of a table from ``scan`` were declared, where ``data`` or ``baseline`` was one.
    in_memory
        What of ``data``, ``baseline`` and ``development`` was given as data in memory and cannot be read again.
    read
        Names of the files that were read, by what for.
    inputs
        The same files with their hashes.
    """

    paths: tuple[str, ...] = ()
    declared: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    in_memory: tuple[str, ...] = ()
    read: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()
