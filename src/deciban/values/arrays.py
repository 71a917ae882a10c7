"""Columns of any kind (lists, NumPy, pandas, Polars, PyArrow, …) as plain NumPy arrays, refusing what is ambiguous."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MappingView, Set
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from deciban.errors import InputError, Problems, counted, listing
from deciban.values.objects import CAST, floats_of_objects, is_null, is_number_text

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
AnyArray = NDArray[Any]
MaybeFloats = np.ma.MaskedArray[Any, np.dtype[np.float64]]
"""Numbers of which some have no value: those are masked, null in JSON and in dataframes, and NaN underneath."""


class Shaped(Protocol):
    """Whatever has as many rows as its shape says first."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes, rows first."""
        ...


WEIGHTS: Final = (1e-60, 1e70)
"""Least and largest weight other than 0, alone or summed at a score: products of four then stay within doubles."""

WEIGHT_RULE: Final = "a weight other than 0 lies between 1e-60 and 1e70 (only ratios of weights matter: rescale them)"


def read_only(array: AnyArray) -> AnyArray:
    """Return a view of ``array`` that cannot be written to; the caller's own array is left as it is."""
    view = array.view()
    view.flags.writeable = False
    return view


def owned(array: AnyArray) -> AnyArray:
    """Return ``array`` itself where nobody can write to it, else a read-only copy: what is counted must not change.

    An array that cannot be written to may be a view of one that can (as pandas gives them), so its bases count too.
    """
    below: Any = array
    while isinstance(below, np.ndarray) and not below.flags.writeable:
        below = below.base
    if below is None and not isinstance(array, np.ma.MaskedArray):
        return array
    own: AnyArray = array.copy()
    own.flags.writeable = False
    return own


def locked(array: AnyArray) -> AnyArray:
    """Make a new array, which nobody else holds, read-only in place: :func:`owned` then takes it without a copy."""
    array.flags.writeable = False
    return array


def same_content(one: Any, other: Any) -> bool:
    """Whether two fields of a record hold the same: arrays, mappings and tuples of arrays by their values, NaN as one.

    Masked entries equal masked ones only, and missing objects (None, NaN) one another.
    """
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return _same_arrays(one, other)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(same_content(one[key], other[key]) for key in one)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same_content, one, other))
    return type(one) is type(other) and bool(one == other)


def _same_arrays(one: AnyArray, other: AnyArray) -> bool:
    kinds = {one.dtype.kind, other.dtype.kind}
    # Of what kind no values are, a file does not say; text may be in one block or an object each.
    if one.shape != other.shape or (one.size and len(kinds) > 1 and kinds != {"O", "U"}):
        return False
    masked = np.ma.getmaskarray(one)
    if not np.array_equal(masked, np.ma.getmaskarray(other)):
        return False
    mine, theirs = (np.asarray(array)[~masked] if masked.any() else np.asarray(array) for array in (one, other))
    if "O" in kinds:
        return all(a is b or (is_null(a) and is_null(b)) or a == b for a, b in zip(mine, theirs, strict=True))
    return np.array_equal(mine, theirs, equal_nan=one.dtype.kind in "fcmM")


def undefined_where(missing: AnyArray, values: AnyArray) -> MaybeFloats:
    """Mask the entries that have no value, in a read-only copy; NaN lies underneath, so that none can pass for one."""
    filled = np.where(missing, np.nan, values)
    mask = np.array(missing, dtype=bool)
    for part in (filled, mask):
        part.flags.writeable = False
    return np.ma.MaskedArray(filled, mask=mask)


def as_column(values: object, name: str) -> AnyArray:
    """One dimension of values, nothing converted; scalars, tables and ragged lists are refused."""
    kind = type(values).__name__
    if isinstance(values, (str, bytes)) or values is None:
        raise InputError(f"{name}: expected a one-dimensional array, found {kind}")
    if isinstance(values, (Iterator, Set, Mapping, MappingView)):
        # A set has no order and a generator is used up by reading it: neither can be paired with other columns.
        raise InputError(f"{name}: expected a list, an array or a column of a dataframe, found a {kind}; list it first")
    try:
        array = values if isinstance(values, np.ndarray) else np.asarray(values)
    except ValueError as error:
        raise InputError(f"{name}: expected one value per trial, found a ragged sequence ({error})") from None
    if array.ndim != 1:
        shape = f"a single value ({kind})" if array.ndim == 0 else f"shape {array.shape}"
        raise InputError(f"{name}: expected a one-dimensional array (one value per trial), found {shape}")
    if isinstance(values, list) and array.dtype.kind in "US" and not all(isinstance(v, (str, bytes)) for v in values):
        # NumPy would turn [1, "a"] or [0.5, None, "x"] into text; keep what the caller wrote.
        array = np.array(values, dtype=object)
    return array


def as_floats(values: object, name: str, problems: Problems) -> Floats:
    """Values as float64, missing ones (None, NA, masked) as NaN; what is not a number becomes a problem.

    Narrower floats and integers are widened. Integers beyond 2^53 that float64 cannot hold are a problem, since two
    different scores would become a tie; so are decimals and fractions of which two different ones do become one. The
    result may share its memory with ``values``.
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
        result = floats_of_objects(array, name, problems)
    else:
        problems.add(_no_numbers(array, name))
        return np.zeros(array.shape)
    if masked is not None and masked.any():
        result[masked] = np.nan
    return result


def _no_numbers(array: AnyArray, name: str) -> str:
    """What to say of a column whose type is not a number."""
    names = {"U": "text", "S": "bytes", "c": "complex numbers", "M": "dates", "m": "durations", "V": "records"}
    kind = array.dtype.kind
    # Dates and durations as text, for NumPy turns those of some units into bare integers.
    shown = map(str, array[:3]) if kind in "mM" else map(repr, array[:3].tolist())
    advice = "; make them numbers of one unit first (in pandas .dt.total_seconds())" if kind == "m" else ""
    if kind == "U" and all(map(is_number_text, array.tolist())):
        advice = f"; {CAST}"
    expected = "numbers" if kind in "US" else "real numbers"
    return f"{name}: expected {expected}, found {names.get(kind, str(array.dtype))} such as {listing(shown)}{advice}"


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
            f"{name}: {counted(problems.places.many(where), f'{original.dtype} value')} cannot be held exactly as "
            f"float64 ({_examples(original, where, problems)}): two different scores could become equal; rescale them "
            "first"
        )


def _examples(values: AnyArray, where: AnyArray, problems: Problems) -> str:
    """The rows where something was found; of rows without numbers the first values."""
    if problems.places.times is None:
        return problems.places.rows(where)
    return listing([str(value) for value in values[where[:5]]], where.size)


def nulls(column: AnyArray) -> Bools:
    """Where a column of any kind is null: None, NaN, not a time, masked."""
    plain = np.asarray(column)
    kind = plain.dtype.kind
    if kind == "O":
        gone = np.array([is_null(value) for value in plain], dtype=bool)
    elif kind in "fc":
        gone = np.isnan(plain)
    elif kind in "mM":
        gone = np.isnat(plain)
    else:
        gone = np.zeros(plain.shape, dtype=bool)
    found: Bools = gone | np.ma.getmaskarray(column)
    return found


def absent(column: AnyArray) -> Bools:
    """Where a column of any kind has no value: nulls and empty texts."""
    gone, plain = nulls(column), np.asarray(column)
    if plain.dtype.kind == "O":
        gone[~gone] = plain[~gone] == ""
    elif plain.dtype.kind in "US":
        gone |= np.char.str_len(plain) == 0
    return gone


def weight_fault(weights: AnyArray) -> Bools:
    """Which weights are too small or too large for products of their sums."""
    return np.asarray((weights > 0) & ((weights < WEIGHTS[0]) | (weights > WEIGHTS[1])))


def same_length(columns: Mapping[str, Shaped]) -> None:
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
