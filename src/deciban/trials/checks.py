"""What is looked at before trials are made of columns: labels, missing scores, values a scale or weight cannot have."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from deciban.errors import InputError, OptionError, Problems, listing
from deciban.trials.labels import Resolved, as_number, census, resolve_labels, several
from deciban.values.arrays import WEIGHT_RULE, AnyArray, Floats, as_column, owned, weight_fault
from deciban.values.coded import Column
from deciban.values.scale import Scale, domain_fault


def extra_columns(sources: object, conditions: object, ids: object) -> dict[str, AnyArray]:
    """Source, condition and id columns under one kind of key each, copied where the caller could change them."""
    columns: dict[str, AnyArray] = {}
    if isinstance(sources, list) and sources and all(np.ndim(column) for column in sources[:2]):
        raise OptionError(f"sources: expected one column or a tuple of two, found a list of {len(sources)} columns")
    source_columns = sources if isinstance(sources, tuple) else (sources,)
    if len(source_columns) > 2:
        raise OptionError(f"sources: expected one or two columns, found {len(source_columns)}")
    for number, column in enumerate(source_columns, 1):
        columns[f"sources {number}"] = owned(as_column(column, f"sources {number}"))
    if not isinstance(conditions, Mapping | None):
        raise OptionError(
            f"conditions: expected columns by name, as in {{'channel': column}}, found {type(conditions).__name__}; "
            "names alone are for scan"
        )
    for key, column in (conditions or {}).items():
        columns[f"condition {key}"] = owned(as_column(column, f"condition {key}"))
    for number, column in enumerate(ids if isinstance(ids, tuple) else (ids,), 1):
        columns[f"ids {number}"] = owned(as_column(column, f"ids {number}"))
    return columns


def labels_or_problem(
    labels: Column, score: Floats, target: object, nontarget: object, ignore: object, problems: Problems
) -> Resolved | None:
    """Resolve the labels; a fault joins the other problems, with a question when the columns look swapped."""
    try:
        return resolve_labels(labels, target=target, nontarget=nontarget, ignore=ignore, places=problems.places)
    except InputError as error:
        text = str(error)
        labels = np.asarray(labels)
        numeric = labels.dtype.kind in "fiu"
        wanted = [number for value in several(target) if (number := as_number(value)) is not None]
        if numeric and np.unique(labels).size > 2 >= np.unique(score).size:
            text += f"; the scores hold only {census(score, None, problems.places)}: are scores and labels swapped?"
        elif "no label equals" in text and np.isin(wanted, score).any():
            text += "; it occurs among the scores: is the label column right?"
        problems.add(text)
        return None


def check_scores(score: Floats, scale: Scale, missing: str, problems: Problems, *, fitted: bool = False) -> None:
    """Missing scores (unless an option settles them) and values the scale does not allow.

    ``fitted``: the scores are to be calibrated, so that their scale is settled, and a missing one has no LR.
    """
    absent = np.isnan(score)
    if missing == "refuse" and absent.any():
        where = np.flatnonzero(absent)
        reject = " or count them as never accepted with missing='reject' (--missing reject)"
        problems.add(
            f"scores: {problems.places.many(where)} missing (NaN or null){_at(where, problems)}; leave those trials "
            f"out with missing='drop' (--missing drop){'' if fitted else reject}"
        )
    if missing == "reject" and scale != "score" and absent.any():
        raise OptionError(
            f"missing='reject' (--missing reject) counts a missing score as never accepted, which scale {scale} cannot "
            "say (it would be an infinitely strong statement): use scale='score' (--scale score) for error rates, or "
            "missing='drop' (--missing drop)"
        )
    fault = domain_fault(score, scale)
    if fault is not None:
        outside, rule = fault
        where = np.flatnonzero(outside)
        shown = listing([f"{value:g}" for value in score[where[:5]]], problems.places.many(where))
        settled = f"the calibration was fitted to scores of scale {scale}: are these?"
        problems.add(
            f"scores: {rule}; found {shown} at {problems.places.rows(where)}; "
            f"{settled if fitted else f'is scale={scale!r} (--scale {scale}) right?'}"
        )


def _at(where: AnyArray, problems: Problems) -> str:
    """At which rows, where they have numbers."""
    return f" at {problems.places.rows(where)}" if problems.places.times is None else ""


def check_weights(weights: Floats, problems: Problems) -> None:
    """Weights that are no finite numbers >= 0, or too small or large for products of their sums."""
    bad = ~np.isfinite(weights) | (weights < 0)
    if bad.any():
        where = np.flatnonzero(bad)
        shown = listing([f"{value:g}" for value in weights[where[:5]]], where.size)
        problems.add(f"weight: expected finite numbers >= 0, found {shown} at {problems.places.rows(where)}")
    elif not weights.any():
        problems.add("weight: every weight is 0, so no trial counts")
    elif weight_fault(weights).any():
        where = np.flatnonzero(weight_fault(weights))
        shown = listing([f"{value:g}" for value in weights[where[:5]]], where.size)
        problems.add(f"weight: {WEIGHT_RULE}, found {shown} at {problems.places.rows(where)}")
