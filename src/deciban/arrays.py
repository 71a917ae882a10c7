"""Columns of any kind (lists, NumPy, pandas, Polars, PyArrow, …) as plain NumPy arrays, refusing what is ambiguous."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deciban.errors import InputError, Problems, listing, rows

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
AnyArray = NDArray[Any]
MaybeFloats = np.ma.MaskedArray[Any, np.dtype[np.float64]]
"""Numbers of which some have no value: those are masked, null in JSON and in dataframes, and NaN underneath."""

WEIGHTS: Final = (1e-60, 1e70)
"""Least and largest weight other than 0, alone or summed at a score: products of four then stay within doubles."""

WEIGHT_RULE: Final = "a weight other than 0 lies between 1e-60 and 1e70 (only ratios of weights matter: rescale them)"


def read_only(array: AnyArray) -> AnyArray:
    """Return a view of ``array`` that cannot be written to; the caller's own array is left as it is."""
    view = array.view()
    view.flags.writeable = False
    return view


def undefined_where(missing: AnyArray, values: AnyArray) -> MaybeFloats:
    """Mask the entries that have no value, in a read-only copy; NaN lies underneath, so that none can pass for one."""
    filled = np.where(missing, np.nan, values)
    mask = np.array(missing, dtype=bool)
    for part in (filled, mask):
        part.flags.writeable = False
    return np.ma.MaskedArray(filled, mask=mask)


def as_column(values: object, name: str) -> AnyArray:
    """One dimension of values, nothing converted; scalars, tables and ragged lists are refused."""
    if isinstance(values, (str, bytes)) or values is None:
        raise InputError(f"{name}: expected a one-dimensional array, found {type(values).__name__}")
    try:
        array = values if isinstance(values, np.ndarray) else np.asarray(values)
    except ValueError as error:
        raise InputError(f"{name}: expected one value per trial, found a ragged sequence ({error})") from None
    if array.ndim != 1:
        shape = "a single value" if array.ndim == 0 else f"shape {array.shape}"
        raise InputError(f"{name}: expected a one-dimensional array (one value per trial), found {shape}")
    if isinstance(values, list) and array.dtype.kind in "US" and not all(isinstance(v, (str, bytes)) for v in values):
        # NumPy would turn [1, "a"] or [0.5, None, "x"] into text; keep what the caller wrote.
        array = np.array(values, dtype=object)
    return array


def as_floats(values: object, name: str, problems: Problems) -> Floats:
    """Values as float64, missing ones (None, NA, masked) as NaN; what is not a number becomes a problem.

    Narrower floats and integers are widened. Integers beyond 2^53 that float64 cannot hold are a problem, since two
    different scores would become a tie.
    """
    array = as_column(values, name)
    masked = np.ma.getmaskarray(array) if isinstance(array, np.ma.MaskedArray) else None
    array = np.asarray(array)
    kind = array.dtype.kind
    if kind in "fbiu":
        result: Floats = array.astype(np.float64, copy=masked is not None)
        if array.size and (array.dtype.itemsize > 8 or (kind in "iu" and array.dtype.itemsize == 8)):
            _refuse_unless_exact(array, result, name, problems)
    elif kind == "O":
        result = _floats_of_objects(array, name, problems)
    else:
        expected = "numbers" if kind in "US" else "real numbers"
        problems.add(
            f"{name}: expected {expected}, found {_kind_name(array)} such as {listing(map(repr, array[:3].tolist()))}"
        )
        return np.zeros(array.shape)
    if masked is not None and masked.any():
        result[masked] = np.nan
    return result


def _kind_name(array: AnyArray) -> str:
    names = {"U": "text", "S": "bytes", "c": "complex numbers", "M": "dates", "m": "durations", "V": "records"}
    return names.get(array.dtype.kind, str(array.dtype))


def _refuse_unless_exact(original: AnyArray, widened: Floats, name: str, problems: Problems) -> None:
    """Add a problem where float64 does not hold the value that was given."""
    if original.dtype.kind in "iu":
        limit = 2**53
        if -limit <= int(original.min()) and int(original.max()) <= limit:
            return
        # Compared as Python integers: a round trip through int64 can overflow at its edge.
        inexact = np.array([int(a) != int(b) for a, b in zip(original, widened, strict=True)], dtype=bool)
    else:
        inexact = (widened.astype(original.dtype) != original) & ~np.isnan(original)
    if inexact.any():
        where = np.flatnonzero(inexact)
        problems.add(
            f"{name}: {where.size} {original.dtype} values cannot be held exactly as float64 ({rows(where.tolist())}): "
            "two different scores could become equal; rescale them first"
        )


def is_null(value: object) -> bool:
    """Whether one object stands for a missing value: None, NaN, pandas' NA and NaT, a masked entry."""
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def absent(column: AnyArray) -> Bools:
    """Where a column of any kind has no value: null, NaN, not a time, masked, or an empty text."""
    plain = np.asarray(column)
    kind = plain.dtype.kind
    if kind == "O":
        gone = np.array([is_null(value) or value == "" for value in plain], dtype=bool)
    elif kind in "fc":
        gone = np.isnan(plain)
    elif kind in "mM":
        gone = np.isnat(plain)
    elif kind in "US":
        gone = np.char.str_len(plain) == 0
    else:
        gone = np.zeros(plain.shape, dtype=bool)
    found: Bools = gone | np.ma.getmaskarray(column)
    return found


def _floats_of_objects(array: AnyArray, name: str, problems: Problems) -> Floats:
    result = np.empty(array.shape, dtype=np.float64)
    bad: list[int] = []
    for index, value in enumerate(array):
        if is_null(value):
            result[index] = np.nan
        elif isinstance(value, (str, bytes, complex)) or not hasattr(value, "__float__"):
            bad.append(index)
            result[index] = 0.0
        else:
            result[index] = float(value)
            if isinstance(value, int) and int(result[index]) != value:
                bad.append(index)
    if bad:
        shown = listing([repr(array[index]) for index in bad[:5]], len(bad))
        problems.add(f"{name}: expected numbers, found {shown} at {rows(bad)}")
    return result


def weight_fault(weights: AnyArray) -> Bools:
    """Which weights are too small or too large for products of their sums."""
    return np.asarray((weights > 0) & ((weights < WEIGHTS[0]) | (weights > WEIGHTS[1])))


def same_length(columns: dict[str, AnyArray]) -> None:
    """Raise unless every column has as many values as the first."""
    sizes = {name: column.shape[0] for name, column in columns.items()}
    if len(set(sizes.values())) > 1:
        found = ", ".join(f"{name} {size}" for name, size in sizes.items())
        raise InputError(f"expected columns of one length, found {found}")


def same_index(columns: dict[str, object]) -> None:
    """Raise when two pandas columns are labelled differently: pairing them by position would be a guess."""
    first_name, first_index = "", None
    for name, column in columns.items():
        index = getattr(column, "index", None)
        if index is None or callable(index) or not hasattr(index, "equals"):
            continue
        if first_index is None:
            first_name, first_index = name, index
        elif not first_index.equals(index):
            raise InputError(
                f"the index of {name} differs from that of {first_name}: align them (name.reindex(...)) or pass "
                ".to_numpy() of each if they really are in the same order"
            )
