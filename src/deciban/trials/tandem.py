"""Trials of three classes, a true claim, a false claim and a spoof, with the scores of one or two systems.

The verifier (ASV) tells targets from nontargets, the countermeasure (CM) tells bona fide speech from spoofs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from deciban.errors import InputError, OptionError, Problems
from deciban.trials.checks import check_scores, extra_columns
from deciban.trials.label_classes import resolve_classes
from deciban.trials.labels import several
from deciban.trials.trials import MISSING, Trials
from deciban.values.arrays import (
    AnyArray,
    Floats,
    as_column,
    as_floats,
    owned,
    read_only,
    same_content,
    same_index,
    same_length,
)
from deciban.values.option_checks import check_choice
from deciban.values.scale import check_prior, check_scale

Score = Literal["asv", "cm", "sasv"]
SCORES: Final[tuple[Score, ...]] = ("asv", "cm", "sasv")

CLASSES: Final = ("target", "nontarget", "spoof", "bonafide")
"""Classes in the order of their codes; ``bonafide`` is a target or a nontarget of which nothing is claimed."""

USUAL: Final[dict[str, tuple[object, ...]]] = {
    "target": ("target",),
    "nontarget": ("nontarget",),
    "spoof": ("spoof",),
    "bonafide": ("bonafide", "bona-fide"),
}
"""Label values that need no option."""

BONA_FIDE: Final = ("target", "nontarget", "bonafide")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TandemTrials:
    """Validated trials of three classes with the scores of a verifier, a countermeasure, or one system that is both.

    Build them with :meth:`from_arrays` or ``deciban.scan_tandem(…).trials()``; the constructor does not validate.
    Arrays are read-only copies.

    Attributes
    ----------
    code
        Class of each trial: 0 target, 1 nontarget, 2 spoof, 3 bona fide speech without a claim, shape (n,).
    scores
        Scores by name, each of shape (n,): those of the verifier (``asv``), of the countermeasure (``cm``), and of one
        system that does both (``sasv``). High scores speak for the target, or for bona fide speech.
    sources, conditions, ids, dropped, failed, assumed, row
        As in :class:`Trials`; ``failed`` is the number of missing scores that count as never accepted.
    labels
        The label values of each class that occur.
    """

    code: NDArray[np.int8]
    scores: Mapping[str, Floats]
    sources: tuple[AnyArray, ...] = ()
    conditions: Mapping[str, AnyArray] = field(default_factory=dict)
    ids: tuple[AnyArray, ...] = ()
    dropped: int = 0
    failed: int = 0
    assumed: tuple[str, ...] = ()
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    row: AnyArray | None = None

    def __len__(self) -> int:
        return int(self.code.shape[0])

    def __repr__(self) -> str:
        numbers = [f"{name}={n}" for name, n in self.numbers().items() if n]
        return f"TandemTrials({', '.join([*numbers, f'scores={list(self.scores)}'])})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TandemTrials):
            return NotImplemented
        return all(same_content(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Callable[..., TandemTrials], tuple[dict[str, Any]]]:
        return _restored, ({f.name: getattr(self, f.name) for f in fields(self)},)

    def numbers(self) -> dict[str, int]:
        """How many trials of each class there are."""
        return dict(zip(CLASSES, np.bincount(self.code, minlength=len(CLASSES)).tolist(), strict=True))

    @classmethod
    def from_arrays(
        cls,
        classes: object,
        *,
        asv: object = None,
        cm: object = None,
        sasv: object = None,
        target: object = None,
        nontarget: object = None,
        spoof: object = None,
        bonafide: object = None,
        ignore: object = (),
        sources: object = (),
        conditions: Mapping[str, object] | None = None,
        ids: object = (),
        missing: str = "refuse",
        name: str = "trials",
    ) -> TandemTrials:
        """Validate classes and scores given side by side.

        Parameters
        ----------
        classes
            One label per trial.
        asv, cm, sasv
            Scores of the verifier, the countermeasure, and of one system that does both; at least one of them.
        target, nontarget, spoof, bonafide, ignore
            Label values (one or several) of each class, where they are not those words, and of trials to leave out.
            ``bonafide`` is for countermeasure scores without a claim of identity only.
        sources, conditions, ids
            As in :meth:`Trials.from_arrays`.
        missing
            What to do with a missing score: ``"refuse"``, ``"drop"`` the trial, or ``"reject"`` it (score −inf).
        name
            What the data are called in error messages.

        Raises
        ------
        InputError
            With every problem found (values, rows, and the option that settles it).
        OptionError
            When an option itself is not legal.

        Examples
        --------
        >>> import deciban as db
        >>> db.TandemTrials.from_arrays(["target", "nontarget", "spoof"], asv=[2.0, -1.0, 1.5], cm=[3.0, 2.0, -2.0])
        TandemTrials(target=1, nontarget=1, spoof=1, scores=['asv', 'cm'])
        """
        check_choice("missing", missing, MISSING)
        named_scores: dict[str, object] = {"asv": asv, "cm": cm, "sasv": sasv}
        given = {key: column for key, column in named_scores.items() if column is not None}
        if not given:
            raise OptionError("expected scores: asv= (--asv-score), cm= (--cm-score) or sasv= (--score)")
        same_index({**given, "classes": classes})
        problems = Problems(name)
        scores = {key: _score(key, column, missing, problems) for key, column in given.items()}
        column, extra = as_column(classes, "classes"), extra_columns(sources, conditions, ids)
        same_length({**scores, "classes": column, **extra})
        if column.size == 0:
            raise InputError(f"{name}: no trials: expected at least one row of class and score")
        named = {"target": target, "nontarget": nontarget, "spoof": spoof, "bonafide": bonafide}
        values = {key: several(value) for key, value in named.items() if value is not None}
        try:
            resolved = resolve_classes(column, USUAL, values, several(ignore))
        except InputError as error:
            problems.add(str(error))
        problems.raise_if_any()
        trials = cls(
            code=owned(resolved.code),
            scores=scores,
            sources=tuple(extra[key] for key in extra if key.startswith("sources")),
            conditions={key[10:]: extra[key] for key in extra if key.startswith("condition ")},
            ids=tuple(extra[key] for key in extra if key.startswith("ids")),
            assumed=resolved.unseen,
            labels=resolved.values,
        )
        if (resolved.code < 0).any():
            trials = trials.select(resolved.code >= 0)
        trials._refuse_unclaimed(name)
        return trials._settled(missing).frozen()

    def _refuse_unclaimed(self, name: str) -> None:
        """Raise where a verifier has scores of trials that claim nobody."""
        unclaimed = int(np.count_nonzero(self.code == CLASSES.index("bonafide")))
        if unclaimed and set(self.scores) != {"cm"}:
            raise InputError(
                f"{name}: {unclaimed} trials are bona fide without a claim, and for a verifier's scores they must be "
                "target or nontarget; give the countermeasure's scores alone"
            )

    def _settled(self, missing: str) -> TandemTrials:
        """Drop or reject the trials of which a score is missing, and remember how many."""
        absent = {key: np.isnan(score) for key, score in self.scores.items()}
        gone = np.any(list(absent.values()), axis=0)
        if not gone.any():
            return self
        if missing == "drop":
            if gone.all():
                raise InputError("scores: every trial lacks one, so dropping them leaves no trial")
            return replace(self.select(~gone), dropped=int(np.count_nonzero(gone)))
        rejected = {key: np.where(absent[key], -np.inf, score) for key, score in self.scores.items()}
        return replace(self, scores=rejected, failed=sum(int(np.count_nonzero(each)) for each in absent.values()))

    def select(self, keep: AnyArray) -> TandemTrials:
        """Return the trials where ``keep`` (a mask or an index) says so."""
        return replace(
            self,
            code=self.code[keep],
            scores={name: score[keep] for name, score in self.scores.items()},
            sources=tuple(column[keep] for column in self.sources),
            conditions={key: column[keep] for key, column in self.conditions.items()},
            ids=tuple(column[keep] for column in self.ids),
            row=(np.arange(len(self)) if self.row is None else self.row)[keep],
        ).frozen()

    def row_indices(self, where: AnyArray) -> list[int]:
        """The rows of the input, from 0, that some trials come from."""
        found: list[int] = (where if self.row is None else self.row[where]).tolist()
        return found

    def frozen(self) -> TandemTrials:
        """Return the same trials with every array read-only."""
        return replace(
            self,
            code=read_only(self.code),
            scores={name: read_only(score) for name, score in self.scores.items()},
            sources=tuple(map(read_only, self.sources)),
            conditions={key: read_only(column) for key, column in self.conditions.items()},
            ids=tuple(map(read_only, self.ids)),
            row=None if self.row is None else read_only(self.row),
        )

    def two_classes(
        self,
        score: Score,
        target: Collection[str],
        nontarget: Collection[str],
        *,
        scale: str = "score",
        prior: float | None = None,
    ) -> Trials:
        """Return the trials of two of the classes, or of several taken together, with one of the scores.

        Raises :class:`InputError` when there is no such score, or it has values that the scale cannot have.
        """
        values = self.scores.get(score)
        if values is None:
            raise InputError(f"there are no {score} scores among {', '.join(self.scores)}")
        is_target, is_nontarget = (np.isin(self.code, [CLASSES.index(key) for key in of]) for of in (target, nontarget))
        chosen = self.select(is_target | is_nontarget)
        checked, problems = check_scale(scale), Problems(f"{score} scores")
        check_scores(chosen.scores[score], checked, "refuse", problems)
        problems.raise_if_any()
        return Trials(
            score=chosen.scores[score],
            is_target=is_target[is_target | is_nontarget],
            scale=checked,
            prior=check_prior(prior, scale=checked),
            sources=chosen.sources,
            conditions=chosen.conditions,
            ids=chosen.ids,
            dropped=self.dropped,
            assumed=self.assumed,
            row=chosen.row,
        ).frozen()


def _score(name: str, values: object, missing: str, problems: Problems) -> Floats:
    """One column of scores; what is wrong with it joins the other problems under its name."""
    own = Problems(name)
    score = owned(as_floats(values, "scores", own))
    check_scores(score, "score", missing, own)
    for problem in own.found:
        problems.add(f"{name} {problem}")
    return score


def _restored(content: dict[str, Any]) -> TandemTrials:
    """Trials from a copy or pickle of what they hold."""
    return TandemTrials(**content).frozen()
