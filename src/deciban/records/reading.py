"""Any record that was saved as JSON, known by its schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from deciban.errors import InputError
from deciban.records.comparison import SCHEMA as COMPARISON
from deciban.records.comparison import Comparison
from deciban.records.evaluation import SCHEMA as EVALUATION
from deciban.records.evaluation import Evaluation
from deciban.records.validation import SCHEMA as VALIDATION
from deciban.records.validation import Validation
from deciban.values.record import load_json

Readable = Evaluation | Comparison | Validation

READERS: Final[Mapping[str, Callable[[str], Readable]]] = {
    EVALUATION: Evaluation.from_json,
    COMPARISON: Comparison.from_json,
    VALIDATION: Validation.from_json,
}
"""What reads a record of each schema that a page is made of."""


OTHERS: Final[Mapping[str, str]] = {
    "deciban.tandem/1": "deciban asvspoof",
    "deciban.pad/1": "deciban pad",
    "deciban.pan/1": "deciban pan",
}
"""Schemas of records that have tables and no page, and the commands that write them."""


def read_record(text: str) -> Readable:
    """Read a record that a page is made of; :class:`InputError` for anything else."""
    schema = schema_of(text)
    if schema is not None and schema in OTHERS:
        raise InputError(
            f"no page is made of a record of schema {schema}: {OTHERS[schema]} writes its tables with --format markdown"
        )
    if schema is None or schema not in READERS:
        raise InputError(f"expected a record of schema {', '.join(READERS)}, found {schema!r}")
    return READERS[schema](text)


def schema_of(text: str) -> str | None:
    """The schema that a record in JSON names, None where it names none."""
    plain = load_json(text)
    found = plain.get("schema") if isinstance(plain, dict) else None
    return found if isinstance(found, str) else None
