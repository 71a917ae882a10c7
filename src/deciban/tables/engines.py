"""Engines that count tables: what each is called, what it raises, and what must be installed to ask it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from deciban.errors import DecibanError, InputError, MissingExtraError

_NAMED: Final = {"pyspark": "spark", "pyspark_connect": "spark"}
"""What Narwhals calls an engine, and what the record calls it."""

_RAISED: Final = {
    "duckdb": "Error",
    "polars.exceptions": "PolarsError",
    "pyarrow": "ArrowException",
    "psycopg": "Error",
    "ibis.common.exceptions": "IbisError",
    "pyspark.errors": "PySparkException",
    "py4j.protocol": "Py4JError",
    "narwhals.exceptions": "NarwhalsError",
}
"""What engines raise: modules, and the root of their errors in each."""

_LONGEST: Final = 300
"""Characters of an engine's message that are told."""

LARGE: Final = 5_000_000
"""Rows beyond which a table whose scores repeat is counted where it is; below, NumPy is faster."""


def engine_name(implementation: str, native: Any) -> str:
    """What the record calls the engine of a table that Narwhals calls so; Ibis speaks to several."""
    if implementation == "ibis":
        return str(native.get_backend().name)
    return _NAMED.get(implementation, implementation)


def scores_repeat(rows: int, looked_at: int, different: int) -> bool:
    """Whether so many rows have far fewer scores, from how many of some of them have the score of another.

    Of n values that are equally often any of many more d, about n²/2d repeat an earlier one.
    """
    repeated = looked_at - different
    return repeated > 0 and (4 * different < looked_at or looked_at**2 / (2 * repeated) < rows / 4)


def engine_errors() -> tuple[type[Exception], ...]:
    """The errors of every engine that is loaded; one that is not has raised nothing."""
    found = [getattr(sys.modules[module], name) for module, name in _RAISED.items() if module in sys.modules]
    # Connections raise OSError; a plan that an engine cannot run, values that cannot be grouped, the other two.
    return (*found, OSError, NotImplementedError, TypeError)


@contextmanager
def engine_faults(what: str) -> Iterator[None]:
    """Tell what an engine raises in one message, and a package that it lacks as the line that installs it."""
    try:
        yield
    except DecibanError:
        raise
    except ImportError as error:
        if error.name == "pyarrow":
            raise MissingExtraError('reading from this table needs PyArrow: pip install "deciban[arrow]"') from None
        raise
    except engine_errors() as error:
        raise InputError(f"{what}: {said(error)}") from None


def said(error: Exception) -> str:
    """The first line of an engine's message that says something, without any password."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = re.sub(r"://[^/@\s]*@", "://", lines[0] if lines else type(error).__name__)
    text = re.sub(r"(?i)\b(password|pwd)\s*=\s*\S+", r"\1=…", text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
