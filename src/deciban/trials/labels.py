"""Which trials are targets: label values of any kind resolved once, nothing guessed when two readings are possible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches

import numpy as np

from deciban.errors import ROW_BY_ROW, SHOWN, InputError, Places, counted
from deciban.values.arrays import AnyArray, Bools, as_column, nulls
from deciban.values.coded import Coded
from deciban.values.objects import is_container
from deciban.values.spelled import spelled_float
from deciban.values.texts import bytes_text

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
    unseen
        A sentence for each value that was named and does not occur, though others of its option may.
    """

    is_target: Bools
    used: Bools | None
    target: str
    nontarget: str
    assumed: bool
    unseen: tuple[str, ...] = ()

    def sentences(self) -> tuple[str, ...]:
        """What a reader should know: which label was taken for which class unasked, and what does not occur."""
        taken = (f"label {self.target} taken as target, {self.nontarget} as nontarget",) if self.assumed else ()
        return taken + self.unseen


def several(value: object) -> tuple[object, ...]:
    """One value or several, as a tuple; None is none."""
    if value is None:
        return ()
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return tuple(value)
    return (value,)


def resolve_labels(
    labels: object,
    *,
    target: object = None,
    nontarget: object = None,
    ignore: object = (),
    name: str = "labels",
    places: Places = ROW_BY_ROW,
) -> Resolved:
    """Say for each label whether it is the target class.

    1, 1.0, "1" and true match one another in numeric and boolean columns; text matches exactly. Raises
    :class:`InputError` with every label value and its count when a value is neither, when no trial matches, or when
    the target is not given and not one of the recognised pairs.
    """
    if isinstance(labels, Coded) and places.times is None:
        try:
            return _of_values(labels, target, nontarget, ignore)
        except InputError:
            pass  # what is wrong is told by rows
    given = as_column(labels, name)
    absent = missing_labels(given, name)
    if absent.any():
        where = np.flatnonzero(absent)
        missing = counted(places.many(where), "missing label")
        at = f" ({places.rows(where)})" if places.times is None else ""
        present = Places(None if places.times is None else places.times[~absent])
        fault = _further_fault(given[~absent], target, nontarget, ignore, present)
        raise InputError(f"{name}: {missing}{at}; give each trial a label{fault}")
    column = plain_labels(given, name, places)
    nontargets, ignored = several(nontarget), several(ignore)
    if target is None:
        _refuse_contradiction(column, {"nontarget": nontargets, "ignore": ignored}, name)
        return _recognise(column, nontargets, ignored, name, places)
    targets = several(target)
    is_target = matching(column, targets)
    if not is_target.any():
        wanted = " or ".join(repr(value_text(value)) for value in targets)
        found = f"{census(column, None, places)}{_near(column, targets)}"
        raise InputError(f"{name}: no label equals the target {wanted}; found {found}")
    _refuse_contradiction(column, {"target": targets, "nontarget": nontargets, "ignore": ignored}, name)
    used = ~matching(column, ignored) if ignored else None
    if nontargets:
        is_nontarget = matching(column, nontargets)
    else:
        is_nontarget = ~is_target if used is None else ~is_target & used
        _refuse_several(column, is_nontarget, name, places)
        _refuse_variant(column[is_nontarget], targets, name)
    unknown = ~(is_target | is_nontarget)
    if used is not None:
        unknown &= used
    if unknown.any():
        raise InputError(f"{name}: unknown label {census(column, unknown, places)}; {ADVICE}")
    others = column[is_nontarget]
    unseen = _unseen(column, {"target": targets, "nontarget": nontargets, "ignore": ignored})
    shown = " or ".join(value_text(value) for value in nontargets) or (value_text(others[0]) if others.size else "")
    return Resolved(is_target, used, " or ".join(value_text(v) for v in targets), shown, False, unseen)


def _of_values(labels: Coded, target: object, nontarget: object, ignore: object) -> Resolved:
    """Resolve each value that occurs once, and give every row what its value is."""
    times = labels.present()
    found = resolve_labels(
        labels.values[times > 0], target=target, nontarget=nontarget, ignore=ignore, places=Places(times[times > 0])
    )
    place = np.cumsum(times > 0) - 1
    used = None if found.used is None else found.used[place][labels.codes]
    return replace(found, is_target=found.is_target[place][labels.codes], used=used)


def _further_fault(present: AnyArray, target: object, nontarget: object, ignore: object, places: Places) -> str:
    """What is wrong with the labels that are there, beside some that are missing."""
    if present.size == 0:
        return ""
    try:
        resolve_labels(present, target=target, nontarget=nontarget, ignore=ignore, name="besides", places=places)
    except InputError as error:
        return f"; {error}"
    return ""


def missing_labels(column: AnyArray, name: str) -> Bools:
    """Where there is no label."""
    if column.dtype.kind not in "biufOUS" and not isinstance(column, np.ma.MaskedArray):
        raise InputError(f"{name}: expected booleans, numbers or text, found {column.dtype}")
    return nulls(column)


def plain_labels(column: AnyArray, name: str, places: Places = ROW_BY_ROW) -> AnyArray:
    """The labels as booleans, numbers or text."""
    column = np.asarray(column)
    if column.dtype.kind == "O":
        if all(isinstance(value, (bool, int, float, np.bool_, np.number)) for value in column):
            return _small(column, name)
        several_each = [index for index, value in enumerate(column) if is_container(value)]
        if several_each:
            kind = type(column[several_each[0]]).__name__
            raise InputError(
                f"{name}: expected one label per trial, found several in one ({kind}) at {places.rows(several_each)}"
            )
    return np.array([value_text(value) for value in column]) if column.dtype.kind in "OS" else column


def _small(column: AnyArray, name: str) -> AnyArray:
    """Labels that are numbers, as doubles; whole numbers beyond their range are refused."""
    try:
        return column.astype(np.float64)
    except OverflowError:
        raise InputError(
            f"{name}: found a whole number beyond what float64 holds; name the classes otherwise"
        ) from None


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


def matching(column: AnyArray, values: tuple[object, ...]) -> Bools:
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


def _recognise(
    column: AnyArray, nontargets: tuple[object, ...], ignored: tuple[object, ...], name: str, places: Places
) -> Resolved:
    """Resolve without a given target: only the pairs that have one reading."""
    if column.dtype.kind == "b":
        return Resolved(column, None, "true", "false", True, _unseen(column, {"ignore": ignored}))
    used = ~matching(column, ignored) if ignored else None
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
            unseen = _unseen(column, {"nontarget": nontargets, "ignore": ignored})
            return Resolved(is_target, used, value_text(target), value_text(nontarget), True, unseen)
    raise InputError(f"{name}: which label is the target? found {census(column, None, places)}; {ADVICE}")


def _refuse_several(column: AnyArray, is_nontarget: Bools, name: str, places: Places) -> None:
    """Without ``nontarget=``, all labels that are not the target must be one value."""
    others = column[is_nontarget]
    if others.size and (others != others[0]).any():
        raise InputError(
            f"{name}: expected two labels, found {census(column, None, places)}; name the nontarget labels with "
            "nontarget= (--nontarget) and the rest with ignore= (--ignore)"
        )


def _refuse_contradiction(column: AnyArray, named: dict[str, tuple[object, ...]], name: str) -> None:
    """Raise when one label value was named for two classes, or for a class and to be ignored."""
    seen: dict[str, Bools] = {}
    for option, values in named.items():
        here = matching(column, values)
        for other, there in seen.items():
            both = here & there
            if both.any():
                raise InputError(
                    f"{name}: {value_text(column[both][0])!r} was named both in {other}= (--{other}) and in {option}= "
                    f"(--{option}): leave it in one of them"
                )
        seen[option] = here


def _unseen(column: AnyArray, named: dict[str, tuple[object, ...]]) -> tuple[str, ...]:
    """A sentence for each value that no label equals: a slip of the pen would otherwise pass for success."""
    return tuple(
        f"no label equals {value_text(value)!r}, which {option} names{_near(column, (value,))}"
        for option, values in named.items()
        for value in values
        if not matching(column, (value,)).any()
    )


def _alike(text: str) -> str:
    return text.strip().casefold()


def _near(column: AnyArray, wanted: tuple[object, ...]) -> str:
    """A closing question when labels are near what was asked for: first those that differ in case or blanks only."""
    found = [value_text(value) for value in np.unique(column)]
    asked = {_alike(value_text(value)) for value in wanted}
    near = [text for text in found if _alike(text) in asked]
    if not near and column.dtype.kind == "U":
        by_alike = {_alike(text): text for text in found}
        near = [by_alike[close] for word in sorted(asked) for close in get_close_matches(word, by_alike, n=3)]
    return f"; did you mean {' or '.join(map(repr, near[:3]))}?" if near else ""


def _refuse_variant(others: AnyArray, targets: tuple[object, ...], name: str) -> None:
    """Without ``nontarget=``, a label that is the target but for case or blanks is not taken for the other class."""
    text = value_text(others[0]) if others.size else ""
    alike = [value_text(value) for value in targets if _alike(value_text(value)) == _alike(text)]
    if others.size and alike:
        raise InputError(
            f"{name}: the other label {text!r} differs from the target {alike[0]!r} in case or blanks only; {ADVICE}"
        )


def value_text(value: object) -> str:
    """A label value as a person would write it: 1 rather than 1.0 or np.int64(1), bytes as their text."""
    if isinstance(value, bytes):
        return bytes_text(value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)) and float(value).is_integer() and abs(float(value)) < 1e16:
        return str(int(value))
    return str(value)


def census(column: AnyArray, where: Bools | None = None, places: Places = ROW_BY_ROW) -> str:
    """The label values and how many trials have each: ``'a' (12), 'b' (3)``, most frequent first."""
    values, inverse, counts = np.unique(
        column if where is None else column[where], return_inverse=True, return_counts=True
    )
    if places.times is not None:
        counts = np.zeros(values.size, dtype=np.int64)
        np.add.at(counts, inverse, places.times if where is None else places.times[where])
    order = np.argsort(-counts, kind="stable")
    shown = [f"{value_text(values[i])!r} ({counts[i]})" for i in order[:SHOWN]]
    more = f", … ({values.size} different labels)" if values.size > SHOWN else ""
    return ", ".join(shown) + more
