"""Labels of more than two classes: which value is which, every value known or refused with its count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deciban.errors import InputError, counted, rows
from deciban.trials.labels import census, matching, missing_labels, plain_labels, value_text
from deciban.values.arrays import AnyArray, as_column

Values = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """Labels after resolution.

    Attributes
    ----------
    code
        The place of each trial's class among those named, −1 where its label is to be ignored, shape (n,).
    values
        The label values of each class that occur, as text.
    unseen
        A sentence for each value that was given and does not occur.
    """

    code: NDArray[np.int8]
    values: Mapping[str, tuple[str, ...]]
    unseen: tuple[str, ...]


def resolve_classes(
    labels: object,
    usual: Mapping[str, Values],
    given: Mapping[str, Values],
    ignore: Values = (),
    name: str = "classes",
) -> Resolved:
    """Say for each label which class it is.

    Parameters
    ----------
    labels
        One value for each trial.
    usual, given
        The values of each class: by default, and those to be taken instead.
    ignore
        Values of trials to leave out.
    name
        What the column is called in messages.

    Raises
    ------
    InputError
        When a label is missing or of no class, or a value stands for two classes.
    """
    column = as_column(labels, name)
    absent = missing_labels(column, name)
    if absent.any():
        where = np.flatnonzero(absent).tolist()
        raise InputError(f"{name}: {counted(len(where), 'missing label')} ({rows(where)}); give each trial a label")
    column = plain_labels(column, name)
    wanted = {key: given.get(key) or usual[key] for key in usual} | {"ignore": ignore}
    masks = {key: matching(column, values) for key, values in wanted.items()}
    _refuse_two(column, masks, name)
    code = np.full(column.size, -1, dtype=np.int8)
    for place, key in enumerate(usual):
        code[masks[key]] = place
    unknown = (code < 0) & ~masks["ignore"]
    if unknown.any():
        raise InputError(f"{name}: unknown label {census(column, unknown)}; {_advice(wanted)}")
    return Resolved(
        code,
        {key: tuple(value_text(value) for value in np.unique(column[masks[key]])) for key in usual},
        tuple(
            f"no label equals {value_text(value)!r}, which {key} names"
            for key, values in {**given, "ignore": ignore}.items()
            for value in values
            if not matching(column, (value,)).any()
        ),
    )


def _refuse_two(column: AnyArray, masks: Mapping[str, AnyArray], name: str) -> None:
    """Raise when one value was named for two classes, or for a class and to be ignored."""
    keys = list(masks)
    for place, key in enumerate(keys):
        for other in keys[:place]:
            both = masks[key] & masks[other]
            if both.any():
                raise InputError(
                    f"{name}: {value_text(column[both][0])!r} stands both for {other}= (--{other}) and for {key}= "
                    f"(--{key}): leave it in one of them"
                )


def _advice(wanted: Mapping[str, Values]) -> str:
    """What is taken for what, and how to say otherwise."""
    taken = ", ".join(f"{key} {' or '.join(map(repr, map(value_text, of)))}" for key, of in wanted.items() if of)
    options = ", ".join(f"{key}= (--{key})" for key in wanted if key != "ignore")
    return f"taken are {taken}; name the values with {options}, and others with ignore= (--ignore)"
