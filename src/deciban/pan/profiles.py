"""What the evaluators of each year compute: figures under their official names, and what they make of non-answers.

Facts from the evaluators that the organisers published (pan-webis-de/pan-code) and the overviews of the tasks. The
figures are functions of counts, so that a bootstrap replicate, which is counts again, has them too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from deciban.counts.counts import Counts
from deciban.errors import OptionError, UndefinedMetricError, did_you_mean
from deciban.metrics.discrimination import auc
from deciban.pan import official
from deciban.pan.answers import Answers, answers, c_at_1_of, f05u_of
from deciban.pan.files import IS_HUMAN, LABEL, VALUE, Wording
from deciban.trials.trials import Trials

Value = float | UndefinedMetricError
"""A figure, or the error that says why it has no value."""


class Figure(NamedTuple):
    """A figure of counts, as exact as a double can be, and in the organisers' arithmetic where that may differ."""

    exact: Callable[[Counts, Answers], float]
    official: Callable[[Trials, Counts, Answers], float] | None = None


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


AUC: Final = Figure(lambda counts, _: auc(counts), lambda _, counts, __: official.auc(counts))
C_AT_1: Final = Figure(lambda _, found: c_at_1_of(found), lambda _, __, found: official.c_at_1(found))
BRIER: Final = Figure(_brier, lambda trials, _, __: official.brier(trials))
F05U: Final = Figure(lambda _, found: f05u_of(found))
F05U_PUBLISHED: Final = Figure(_f05u_published)
F1: Final = Figure(_f1)
F1_OF_ALL: Final = Figure(_f1_of_all)


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
    by_numpy
        Figures that the evaluator has as NumPy's numbers, which are rounded otherwise than Python's, as is any mean.
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
    by_numpy: frozenset[str] = frozenset()
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
                values[key] = figure.exact(counts, found)
            except UndefinedMetricError as error:
                values[key] = error
        values[self.summary] = self._summed_up(list(values.values()))
        return values

    def _summed_up(self, values: list[Value]) -> Value:
        known = [value for value in values if not isinstance(value, UndefinedMetricError)]
        if len(known) < len(values) and not self.undefined_is_zero:
            return next(value for value in values if isinstance(value, UndefinedMetricError))
        return math.prod(known) if self.product else sum(known) / len(values)

    def written(self, trials: Trials, counts: Counts, values: Mapping[str, Value]) -> dict[str, float | None]:
        """Return what the evaluator writes for problems in order of their ids: its arithmetic, then its rounding.

        ``values`` are those of :meth:`values`; where one has no value, neither has what is written.
        """
        known = {key: None if isinstance(value, UndefinedMetricError) else value for key, value in values.items()}
        if self.digits is None:
            return known
        found = answers(counts, 0.0)
        for key, figure in self.figures.items():
            if known[key] is not None and figure.official is not None:
                known[key] = figure.official(trials, counts, found)
        if known[self.summary] is not None:
            known[self.summary] = float(np.mean([known[key] or 0.0 for key in self.figures]))
        by_numpy = {*self.by_numpy, self.summary}
        return {
            key: None if value is None else official.rounded(value, self.digits, by_numpy=key in by_numpy)
            for key, value in known.items()
        }


def _of_2014(key: str, value: str) -> str:
    return f'measure{{\n  key  : "{key}"\n  value: "{value}"\n}}\n'


def _of_2022(key: str, value: str) -> str:
    return f'measure {{\n key: "{key}"\n value: "{value}"\n}}\n'


def _of_tira(key: str, value: str) -> str:
    return f'measure{{\n  key: "{key.replace("_", " ").title()}"\n  value: "{value}"\n}}\n'


_2014: Final = Profile(
    name="pan14",
    figures={"AUC": AUC, "C1": C_AT_1},
    summary="finalScore",
    product=True,
    digits=None,
    sorted_keys=False,
    prototext=_of_2014,
)
_2020: Final = Profile(
    name="pan20",
    figures={"auc": AUC, "c@1": C_AT_1, "f_05_u": F05U, "F1": F1},
    summary="overall",
    prototext=_of_2022,
)
_2021: Final = replace(_2020, name="pan21", figures={**_2020.figures, "brier": BRIER})
_2024: Final = Profile(
    name="pan24",
    wording=IS_HUMAN,
    figures={"roc-auc": AUC, "brier": BRIER, "c@1": C_AT_1, "f1": F1_OF_ALL, "f05u": F05U},
    summary="mean",
    by_numpy=frozenset({"c@1", "f05u"}),
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
        replace(_2020, name="pan20-published", figures={**_2020.figures, "f_05_u": F05U_PUBLISHED}),
        _2021,
        replace(_2021, name="pan22"),
        replace(_2021, name="pan23"),
        _2024,
        replace(
            _2024,
            name="pan25",
            wording=LABEL,
            undefined_is_zero=True,
            clips=False,
            confusion=True,
            by_numpy=frozenset(),
        ),
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
