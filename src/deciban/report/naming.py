"""What figures are called on a page, which family each belongs to, and where its definition stands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from deciban.errors import OptionError
from deciban.metrics.catalogue import BY_NAME, METRICS
from deciban.metrics.expression import Expression, parse
from deciban.metrics.spec import Spec
from deciban.metrics.within import KEY

SHORT: Final = {
    "auc": "AUC",
    "eer": "Equal error rate",
    "cllr": "Cllr",
    "cllr_min": "Minimum Cllr",
    "cllr_cal": "Calibration loss",
    "devpav": "devPAV",
}
"""Names for where a title would be too long."""

RATES: Final = ("eer", "p_miss_at", "p_fa_at")
"""Rates that people say in per cent."""

HEADLINE: Final = {
    "lr": ("auc", "eer", "cllr", "cllr_cal", "act_dcf", "min_dcf"),
    "probability": ("auc", "brier", "log_loss", "calibration_error", "eer", "average_precision"),
    "score": ("auc", "eer", "average_precision", "min_dcf"),
}
"""Metrics that a page says first, by what the scores are."""

FAMILIES: Final = (
    ("Discrimination", "baseline_accuracy", "h_measure"),
    ("Decisions and costs", "min_dcf", "bayes_error_min"),
    ("Strength of evidence", "cllr", "iv_bounds"),
    ("Probabilities", "brier", "net_benefit_all"),
    ("At a threshold", "accuracy", "expected_cost"),
)
"""Families of figures: the catalogue from one metric to another."""

OTHER: Final = "Further figures"


def expression_of(key: str) -> Expression | None:
    """What an expression of the record means; None where no metric of the catalogue has it.

    Ratios at a threshold stand under their bare names, since the row of the record says which threshold it is.
    """
    if key in BY_NAME:
        return Expression(BY_NAME[key].spec)
    try:
        return None if key.startswith(KEY) else parse(key)[0]
    except OptionError:
        # A record of another version may have figures that this one does not know.
        return None


def title_of(key: str) -> str:
    """A figure in words; its options are said by the expression beside it."""
    found = expression_of(key)
    if found is None:
        return "AUC within conditions" if key.startswith(KEY) else key
    return found.spec.title if found.part is None else f"{found.spec.title}: {found.part.replace('_', ' ')}"


def short_title(key: str) -> str:
    """A figure in few words, with its options."""
    found = expression_of(key)
    if found is None or found.part is not None:
        return title_of(key)
    title = SHORT.get(found.spec.name, found.spec.title)
    return f"{title} ({key.partition(':')[2]})" if ":" in key else title


NAMES: Final = ("Cllr", "Cohen's", "Matthews", "Brier", "Youden's", "Spiegelhalter's")
"""First words of titles that keep their capital."""


def inner(title: str) -> str:
    """A title within a sentence: without its capital, unless that begins a name or stands for a letter."""
    first = title.partition(" ")[0]
    plain = title[1:2].islower() and first not in NAMES
    return title[:1].lower() + title[1:] if plain else title


def is_rate(key: str) -> bool:
    """Whether a figure is said in per cent."""
    return key.partition(":")[0] in RATES


def target_of(key: str) -> str:
    """Where on the page a figure is defined; empty where it is not."""
    found = expression_of(key)
    return "" if found is None else definition_id(found.spec)


def definition_id(spec: Spec) -> str:
    """The name of the place where a metric is defined."""
    return "definition-" + re.sub(r"[^a-z0-9]+", "-", spec.name)


def by_family(keys: Iterable[str]) -> dict[str, list[str]]:
    """Expressions by their family, families in the order of the catalogue."""
    found: dict[str, list[str]] = {name: [] for name, _, _ in FAMILIES}
    found[OTHER] = []
    for key in keys:
        found[family_of(key)].append(key)
    return {name: members for name, members in found.items() if members}


def family_of(key: str) -> str:
    """The family of a figure."""
    if key.startswith(KEY):
        return FAMILIES[0][0]
    expression = expression_of(key)
    order = [metric.spec.name for metric in METRICS]
    at = -1 if expression is None else order.index(expression.spec.name)
    for name, first, last in FAMILIES:
        if order.index(first) <= at <= order.index(last):
            return name
    return OTHER


def headline_keys(keys: Iterable[str], scale: str, carries_lr: bool) -> list[str]:
    """The expressions that a page says first, at most six."""
    kind = "probability" if scale == "probability" else "lr" if carries_lr else "score"
    known = list(keys)
    return [key for wanted in HEADLINE[kind] for key in known if key.partition(":")[0] == wanted][:6]
