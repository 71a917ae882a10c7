"""Rows of a record as a dataframe of the reader's choice."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Literal

from deciban.errors import MissingExtraError
from deciban.values.option_checks import check_choice

Backend = Literal["pandas", "polars", "pyarrow"]
BACKENDS: Final = ("pandas", "polars", "pyarrow")


def frame_of(
    rows: Sequence[Mapping[str, Any]], columns: Sequence[str], numbers: Collection[str], backend: Backend
) -> Any:
    """Make a dataframe of rows; each column has one type, text or number, whatever the record holds."""
    check_choice("backend", backend, BACKENDS)
    try:
        __import__(backend)
    except ModuleNotFoundError:
        raise MissingExtraError(f"to_frame({backend!r}) needs {backend}: pip install {backend}") from None
    import narwhals as nw

    held = {
        name: [row[name] if name not in numbers or row[name] is None else float(row[name]) for row in rows]
        for name in columns
    }
    schema = {name: nw.Float64() if name in numbers else nw.String() for name in columns}
    return nw.from_dict(held, schema, backend=backend).to_native()
