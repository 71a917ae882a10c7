"""Any record that was saved as JSON, known by its schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from deciban.errors import InputError
from deciban.record import load_json
from deciban.records.comparison import SCHEMA as COMPARISON
from deciban.records.comparison import Comparison
from deciban.records.evaluation import SCHEMA as EVALUATION
from deciban.records.evaluation import Evaluation
from deciban.records.validation import SCHEMA as VALIDATION
from deciban.records.validation import Validation

Readable = Evaluation | Comparison | Validation

READERS: Final[Mapping[str, Callable[[str], Readable]]] = {
    EVALUATION: Evaluation.from_json,
    COMPARISON: Comparison.from_json,
    VALIDATION: Validation.from_json,
}
"""What reads a record of each schema that a page is made of."""


def read_record(text: str) -> Readable:
    """Read a record of an evaluation, a comparison or a validation; :class:`InputError` for anything else."""
    plain = load_json(text)
    schema = plain.get("schema") if isinstance(plain, dict) else None
    if not isinstance(schema, str) or schema not in READERS:
        raise InputError(f"expected a record of schema {', '.join(READERS)}, found {schema!r}")
    return READERS[schema](text)
