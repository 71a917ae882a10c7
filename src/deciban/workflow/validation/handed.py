"""What a validation is given beside its criteria file, and what of that the record keeps."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deciban.calibration.calibration import Calibration
from deciban.counts.counts import Counts
from deciban.errors import InputError
from deciban.records.validation_given import Given, Role
from deciban.records.validation_rows import Development
from deciban.tables.files.inputs import Input, Moved
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.values.record import to_plain
from deciban.verbal.scales import SCALES
from deciban.workflow.asked import written_threshold
from deciban.workflow.validation.criteria import Criteria
from deciban.workflow.validation.declaration import in_folder, words
from deciban.workflow.validation.judged import Judged, Paths, paths_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """The arguments of ``validate`` but for the criteria; of the options those that were given."""

    data: Trials | Counts | Table | Paths | None = None
    declared: Mapping[str, Any] = field(default_factory=dict)
    baseline: Trials | Counts | Table | None = None
    development: Trials | Calibration | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def given_of(
    handed: Handed,
    criteria: Criteria,
    ours: Judged,
    baseline: Table | Trials | Counts | None,
    development: Development | None,
) -> Given:
    """Say what was given, what cannot be read again, and every file that was read."""
    tables: dict[Role, Table | Trials | Counts | None] = {"data": ours.data, "baseline": baseline}
    in_memory: list[str] = [role for role, one in tables.items() if one is not None and not _inputs(one)]
    if handed.development is not None:
        in_memory.append("development")
    # Tables that the caller scanned: of others the columns are declared in the criteria file, or beside it.
    scanned = {"data": handed.data, "baseline": handed.baseline if baseline is not None else None}
    read: dict[Role, tuple[Input, ...]] = {role: _inputs(one) for role, one in tables.items()}
    read |= dict(_settings_files(criteria))
    if development is not None and "file" in criteria.development and handed.development is None:
        read["development"] = development.inputs
    return Given(
        paths=tuple(paths_of(handed.data) or ()),
        declared=to_plain({key: value for key, value in handed.declared.items() if value not in (None, (), [])}),
        options=to_plain({key: _written(value) for key, value in handed.options.items()}),
        tables={role: to_plain(one.columns) for role, one in scanned.items() if isinstance(one, Table)},
        in_memory=tuple(in_memory),
        read={role: tuple(file.path for file in files) for role, files in read.items() if files},
        inputs=tuple({file.path: file for files in read.values() for file in files}.values()),
    )


def _inputs(data: Table | Trials | Counts | None) -> tuple[Input, ...]:
    return data.inputs if isinstance(data, Table) else ()


def _written(value: Any) -> Any:
    """Thresholds as the record of options holds them."""
    return [written_threshold(at) for at in value] if isinstance(value, tuple) else value


def _settings_files(criteria: Criteria) -> Iterator[tuple[Role, tuple[Input, ...]]]:
    """The calibration and the verbal scale, where the criteria file names a file of each."""
    declared = in_folder(criteria.development, criteria.folder)
    if "calibration" in declared:
        yield "calibration", (_settings_file("calibration", words(declared["calibration"])[0], criteria),)
    if criteria.verbal is not None and criteria.verbal.name not in SCALES:
        yield "verbal", (_settings_file("verbal", criteria.verbal.name, criteria),)


def _settings_file(role: Role, name: str, criteria: Criteria) -> Input:
    (file,) = criteria.places.get(role, (Moved(name, name),))
    try:
        content = Path(file.place).read_bytes()
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror}") from None
    return Input(name, hashlib.sha256(content).hexdigest(), len(content), 0)
