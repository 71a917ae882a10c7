"""What the evaluators of each year compute: figures under their official names, and what they make of non-answers.

Facts from the evaluators that the organisers published (pan-webis-de/pan-code) and the overviews of the tasks. The
figures are functions of counts, so that a bootstrap replicate, which is counts again, has them too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from deciban.counts.counts import Counts
from deciban.errors import OptionError, UndefinedMetricError, did_you_mean
from deciban.metrics.discrimination import auc
from deciban.pan.answers import Answers, answers, c_at_1_of, f05u_of
from deciban.pan.files import IS_HUMAN, LABEL, VALUE, Wording

Figure = Callable[[Counts, Answers], float]
Value = float | UndefinedMetricError
"""A figure, or the error that says why it has no value."""


def _auc(counts: Counts, _: Answers) -> float:
    return auc(counts)


def _c_at_1(_: Counts, found: Answers) -> float:
    return c_at_1_of(found)


def _f05u(_: Counts, found: Answers) -> float:
    return f05u_of(found)


def _f05u_published(_: Counts, found: Answers) -> float:
    """F0.5u that takes every non-answer for a yes."""
    tp, fp = found.tp + found.unanswered_target, found.fp + found.unanswered_nontarget
    return f05u_of(found._replace(tp=tp, fp=fp, unanswered_target=0, unanswered_nontarget=0))


def _f1(_: Counts, found: Answers) -> float:
    """F1 of the answered problems."""
    return _f1_of(found.tp, found.fp, found.fn)


def _f1_of_all(_: Counts, found: Answers) -> float:
    """F1 that takes every non-answer for a no."""
    return _f1_of(found.tp, found.fp, found.fn + found.unanswered_target)


def _f1_of(tp: int, fp: int, fn: int) -> float:
    if tp + fp + fn == 0:
        raise UndefinedMetricError("F1 is 0/0: no target and no positive answer among the problems")
    return 2 * tp / (2 * tp + fp + fn)


def _brier(counts: Counts, _: Answers) -> float:
    """1 − mean squared error, of values cut to [0, 1]."""
    p = np.clip(counts.score, 0.0, 1.0)
    loss = (counts.n_target * (1.0 - p) ** 2).sum() + (counts.n_nontarget * p**2).sum()
    return 1.0 - float(loss) / (counts.total_target + counts.total_nontarget)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The evaluator of one year.

    Attributes
    ----------
    name
        What it is asked for by.
    wording
        How truth and answers are written.
    figures
        Its figures by official name, in the order in which they are computed.
    summary
        Official name of what sums them up, and decides the ranking.
    product
        Whether that is their product rather than their mean.
    undefined_is_zero
        Whether a figure without a value counts as 0 in the summary, which otherwise has no value either.
    digits
        Decimals to which values are rounded after everything is computed; None: not at all.
    clips
        Whether answers are cut to [0, 1] before anything is computed.
    confusion
        Whether a confusion matrix at a threshold of 0.5 belongs to the result.
    sorted_keys
        Whether its JSON has the keys in alphabetical order.
    prototext
        How its prototext writes one figure.
    """

    name: str
    wording: Wording = VALUE
    figures: Mapping[str, Figure]
    summary: str
    product: bool = False
    undefined_is_zero: bool = False
    digits: int | None = 3
    clips: bool = False
    confusion: bool = False
    sorted_keys: bool = True
    prototext: Callable[[str, str], str]

    @property
    def keys(self) -> tuple[str, ...]:
        """Official names of the figures, the summary last."""
        return (*self.figures, self.summary)

    def values(self, counts: Counts) -> dict[str, Value]:
        """Compute every figure and the summary, unrounded."""
        found = answers(counts, 0.0)
        values: dict[str, Value] = {}
        for key, figure in self.figures.items():
            try:
                values[key] = figure(counts, found)
            except UndefinedMetricError as error:
                values[key] = error
        values[self.summary] = self._summed_up(list(values.values()))
        return values

    def _summed_up(self, values: list[Value]) -> Value:
        known = [value for value in values if not isinstance(value, UndefinedMetricError)]
        if len(known) < len(values) and not self.undefined_is_zero:
            return next(value for value in values if isinstance(value, UndefinedMetricError))
        return math.prod(known) if self.product else sum(known) / len(values)

    def rounded(self, value: float) -> float:
        """Round as the evaluator does; an exact half goes to the even neighbour."""
        return value if self.digits is None else round(value, self.digits)


def _of_2014(key: str, value: str) -> str:
    return f'measure{{\n  key  : "{key}"\n  value: "{value}"\n}}\n'


def _of_2022(key: str, value: str) -> str:
    return f'measure {{\n key: "{key}"\n value: "{value}"\n}}\n'


def _of_tira(key: str, value: str) -> str:
    return f'measure{{\n  key: "{key.replace("_", " ").title()}"\n  value: "{value}"\n}}\n'


_2014: Final = Profile(
    name="pan14",
    figures={"AUC": _auc, "C1": _c_at_1},
    summary="finalScore",
    product=True,
    digits=None,
    sorted_keys=False,
    prototext=_of_2014,
)
_2020: Final = Profile(
    name="pan20",
    figures={"auc": _auc, "c@1": _c_at_1, "f_05_u": _f05u, "F1": _f1},
    summary="overall",
    prototext=_of_2022,
)
_2021: Final = replace(_2020, name="pan21", figures={**_2020.figures, "brier": _brier})
_2024: Final = Profile(
    name="pan24",
    wording=IS_HUMAN,
    figures={"roc-auc": _auc, "brier": _brier, "c@1": _c_at_1, "f1": _f1_of_all, "f05u": _f05u},
    summary="mean",
    clips=True,
    sorted_keys=False,
    prototext=_of_tira,
)

PROFILES: Final[Mapping[str, Profile]] = {
    profile.name: profile
    for profile in (
        _2014,
        replace(_2014, name="pan15"),
        _2020,
        replace(_2020, name="pan20-published", figures={**_2020.figures, "f_05_u": _f05u_published}),
        _2021,
        replace(_2021, name="pan22"),
        replace(_2021, name="pan23"),
        _2024,
        replace(_2024, name="pan25", wording=LABEL, undefined_is_zero=True, clips=False, confusion=True),
    )
}


def find_profile(name: object) -> Profile:
    """Return the profile of that name, or raise :class:`OptionError` with the nearest ones."""
    if not isinstance(name, str) or name not in PROFILES:
        raise OptionError(f"profile: no profile {name!r}; {did_you_mean(name, PROFILES)}")
    return PROFILES[name]


def confusion_at_half(counts: Counts) -> tuple[tuple[int, int], tuple[int, int]]:
    """((tn, fp), (fn, tp)), positive from 0.5 on."""
    yes = counts.score >= 0.5
    fp, tp = int(counts.n_nontarget[yes].sum()), int(counts.n_target[yes].sum())
    return (int(counts.total_nontarget) - fp, fp), (int(counts.total_target) - tp, tp)
