"""Which trials are targets: label values of any kind resolved once, nothing guessed when two readings are possible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from deciban.arrays import AnyArray, Bools, as_column, is_null
from deciban.errors import SHOWN, InputError, rows
from deciban.spelled import spelled_float

RECOGNISED: tuple[tuple[object, object], ...] = (
    (1, 0),
    (1, -1),
    ("1", "0"),
    ("1", "-1"),
    ("true", "false"),
    ("True", "False"),
    ("TRUE", "FALSE"),
    ("target", "nontarget"),
    ("bonafide", "spoof"),
    ("genuine", "impostor"),
    ("mated", "nonmated"),
)
"""Label pairs (target, nontarget) that need no option, because they have one reading only."""

ADVICE = (
    "say which value is the target: target= (--target), and nontarget= (--nontarget) or ignore= (--ignore) for the "
    "others"
)


@dataclass(frozen=True, slots=True)
class Resolved:
    """Labels after resolution.

    Attributes
    ----------
    is_target
        Whether each trial is a target, shape (n,).
    used
        Whether each trial has a label that counts (False: its label was named in ``ignore``), or None for all.
    target, nontarget
        The label values taken for each class, as text.
    assumed
        Whether the target value was recognised rather than given.
    """

    is_target: Bools
    used: Bools | None
    target: str
    nontarget: str
    assumed: bool


def several(value: object) -> tuple[object, ...]:
    """One value or several, as a tuple; None is none."""
    if value is None:
        return ()
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return tuple(value)
    return (value,)


def resolve_labels(
    labels: object, *, target: object = None, nontarget: object = None, ignore: object = (), name: str = "labels"
) -> Resolved:
    """Say for each label whether it is the target class.

    1, 1.0, "1" and true match one another in numeric and boolean columns; text matches exactly. Raises
    :class:`InputError` with every label value and its count when a value is neither, when no trial matches, or when
    the target is not given and not one of the recognised pairs.
    """
    given = as_column(labels, name)
    absent = _absent(given, name)
    if absent.any():
        where = np.flatnonzero(absent)
        text = f"{name}: {where.size} missing labels ({rows(where.tolist())}); give each trial a label"
        raise InputError(text + _further_fault(given[~absent], target, nontarget, ignore))
    column = _plain(given)
    nontargets, ignored = several(nontarget), several(ignore)
    if target is None:
        return _recognise(column, nontargets, ignored, name)
    is_target = _matches(column, several(target))
    if not is_target.any():
        wanted = " or ".join(repr(value_text(value)) for value in several(target))
        raise InputError(f"{name}: no label equals the target {wanted}; found {census(column)}")
    used = ~_matches(column, ignored) if ignored else None
    if nontargets:
        is_nontarget = _matches(column, nontargets)
    else:
        is_nontarget = ~is_target if used is None else ~is_target & used
        _refuse_several(column, is_nontarget, name)
    both = is_target & is_nontarget
    if both.any():
        raise InputError(f"{name}: {value_text(column[both][0])!r} was named both target and nontarget")
    unknown = ~(is_target | is_nontarget)
    if used is not None:
        unknown &= used
    if unknown.any():
        raise InputError(f"{name}: unknown label {census(column, unknown)}; {ADVICE}")
    others = column[is_nontarget]
    shown = " or ".join(value_text(value) for value in nontargets) or (value_text(others[0]) if others.size else "")
    return Resolved(is_target, used, " or ".join(value_text(v) for v in several(target)), shown, assumed=False)


def _further_fault(present: AnyArray, target: object, nontarget: object, ignore: object) -> str:
    """What is wrong with the labels that are there, beside some that are missing."""
    if present.size == 0:
        return ""
    try:
        resolve_labels(present, target=target, nontarget=nontarget, ignore=ignore, name="besides")
    except InputError as error:
        return f"; {error}"
    return ""


def _absent(column: AnyArray, name: str) -> Bools:
    """Where there is no label."""
    if isinstance(column, np.ma.MaskedArray):
        return np.ma.getmaskarray(column)
    if column.dtype.kind == "f":
        return np.isnan(column)
    if column.dtype.kind == "O":
        return np.array([is_null(value) for value in column], dtype=bool)
    if column.dtype.kind in "biuUS":
        return np.zeros(column.shape, dtype=bool)
    raise InputError(f"{name}: expected booleans, numbers or text, found {column.dtype}")


def _plain(column: AnyArray) -> AnyArray:
    """The labels as booleans, numbers or text."""
    column = np.asarray(column)
    if column.dtype.kind == "O":
        if all(isinstance(value, (bool, int, float, np.bool_, np.number)) for value in column):
            return column.astype(np.float64)
        return np.array([value_text(value) for value in column])
    return column.astype(str) if column.dtype.kind == "S" else column


def as_number(value: object) -> float | None:
    """The number a label value stands for: 1, 1.0, "1", true; None for other text."""
    if isinstance(value, str):
        text = value.strip().lower()
        if text in ("true", "false"):
            return float(text == "true")
        try:
            return spelled_float(text)
        except ValueError:
            return None
    if isinstance(value, (bool, int, float, np.bool_, np.number)):
        return float(value)
    return None


def _matches(column: AnyArray, values: tuple[object, ...]) -> Bools:
    """Where the labels equal one of the values."""
    found = np.zeros(column.shape, dtype=bool)
    for value in values:
        if column.dtype.kind == "U":
            found |= column == value_text(value)
            continue
        number = as_number(value)
        if number is not None:
            found |= column == number
    return found


def _recognise(column: AnyArray, nontargets: tuple[object, ...], ignored: tuple[object, ...], name: str) -> Resolved:
    """Resolve without a given target: only the pairs that have one reading."""
    if column.dtype.kind == "b":
        return Resolved(column, None, "true", "false", assumed=True)
    used = ~_matches(column, ignored) if ignored else None
    for target, nontarget in RECOGNISED:
        if isinstance(target, str) != (column.dtype.kind == "U") or column.size == 0:
            continue
        if nontargets and nontargets != (nontarget,):
            continue
        is_target = column == target
        known = is_target | (column == nontarget)
        if used is not None:
            known |= ~used
        if known.all() and (used is None or used.any()):
            return Resolved(is_target, used, value_text(target), value_text(nontarget), assumed=True)
    raise InputError(f"{name}: which label is the target? found {census(column)}; {ADVICE}")


def _refuse_several(column: AnyArray, is_nontarget: Bools, name: str) -> None:
    """Without ``nontarget=``, all labels that are not the target must be one value."""
    others = column[is_nontarget]
    if others.size and (others != others[0]).any():
        raise InputError(
            f"{name}: expected two labels, found {census(column)}; name the nontarget labels with nontarget= "
            "(--nontarget) and the rest with ignore= (--ignore)"
        )


def value_text(value: object) -> str:
    """A label value as a person would write it: 1 rather than 1.0 or np.int64(1)."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)) and float(value).is_integer() and abs(float(value)) < 1e16:
        return str(int(value))
    return str(value)


def census(column: AnyArray, where: Bools | None = None) -> str:
    """The label values and how many trials have each: ``'a' (12), 'b' (3)``, most frequent first."""
    values, counts = np.unique(column if where is None else column[where], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    shown = [f"{value_text(values[i])!r} ({counts[i]})" for i in order[:SHOWN]]
    more = f", … ({values.size} different labels)" if values.size > SHOWN else ""
    return ", ".join(shown) + more
