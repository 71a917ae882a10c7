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

READERS: Final[Mapping[str, Callable[[str], Evaluation | Comparison]]] = {
    EVALUATION: Evaluation.from_json,
    COMPARISON: Comparison.from_json,
}
"""What reads a record of each schema that a page is made of."""


def read_record(text: str) -> Evaluation | Comparison:
    """Read a record of an evaluation or of a comparison; :class:`InputError` for anything else."""
    plain = load_json(text)
    schema = plain.get("schema") if isinstance(plain, dict) else None
    if not isinstance(schema, str) or schema not in READERS:
        raise InputError(f"expected a record of schema {' or '.join(READERS)}, found {schema!r}")
    return READERS[schema](text)
