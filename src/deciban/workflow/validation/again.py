"""A validation made again from its record: the criteria file that it holds, and the files that it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deciban.errors import InputError
from deciban.records.validation import Validation
from deciban.tables.files.inputs import Moved
from deciban.uncertainty.bootstrap.repeat import Progress
from deciban.workflow.asked import read_threshold
from deciban.workflow.validation.criteria import parse_criteria
from deciban.workflow.validation.handed import Handed
from deciban.workflow.validation.making import make
from deciban.workflow.verifying.recompute import Where, table_again


def validate_again(record: Validation, where: Where, progress: Progress | None = None) -> Validation:
    """Decide the criteria of a record again, by what was given beside them.

    Raises :class:`InputError` when a part of it was data in memory: the rest alone would not be the validation.
    """
    given = record.given
    if given.in_memory:
        raise InputError(
            f"{' and '.join(given.in_memory)}: given as data in memory, which no record holds; a validation that names "
            "files can be checked"
        )
    places = {role: tuple(Moved(name, where[name]) for name in names) for role, names in given.read.items()}
    criteria = parse_criteria(record.config.text, record.config.name, level=given.options.get("level"), places=places)
    tables = {
        role: table_again(columns, given.read[role], where, f"record.given.tables.{role}")
        for role, columns in given.tables.items()
    }
    handed = Handed(
        data=tables.get("data") or list(given.paths) or None,
        declared=given.declared,
        baseline=tables.get("baseline"),
        options=_options(given.options),
    )
    return make(criteria, handed, progress)


def _options(written: Mapping[str, Any]) -> dict[str, Any]:
    """The options as they were given."""
    options = dict(written)
    if "thresholds" in options:
        options["thresholds"] = tuple(read_threshold(at) for at in options["thresholds"])
    return options
