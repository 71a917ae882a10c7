"""Labelled scores, one per trial, and the one validator through which all of them come in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, Literal

import numpy as np

from deciban.errors import ROW_BY_ROW, InputError, Places, Problems
from deciban.trials.checks import check_scores, check_weights, extra_columns, labels_or_problem
from deciban.trials.direction import reversed_scores
from deciban.values.arrays import (
    AnyArray,
    Bools,
    Floats,
    as_column,
    as_floats,
    locked,
    owned,
    read_only,
    same_content,
    same_index,
    same_length,
)
from deciban.values.coded import Coded
from deciban.values.option_checks import check_choice, check_flag
from deciban.values.scale import Scale, check_prior, check_scale

Missing = Literal["refuse", "drop", "reject"]
MISSING: Final = ("refuse", "drop", "reject")
HIGHER: Final = ("target", "nontarget")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trials:
    """Validated trials: a score and a class for each, and what else is known of it.

    Build them with :meth:`from_arrays`, :meth:`from_classes` or ``deciban.scan(…).trials()``; the constructor does
    not validate. Arrays are read-only, and copies of those that were given: changing yours later changes nothing here.
    Trials are equal when all of their content is.

    Attributes
    ----------
    score
        Scores in the unit given, float64, shape (n,); infinities are legal, NaN never occurs, −0.0 and 0.0 are equal.
    is_target
        Whether each trial is a target, shape (n,).
    scale, prior
        The unit of the scores, and the prior that probabilities were made under (None when not known).
    reversed
        Whether the scores were reversed (−x, 1/x or 1 − p), because high ones speak for nontargets or because the other
        class is evaluated; False when both hold, which cancel.
    sources
        No, one or two columns that say where each trial comes from (speakers, authors, items).
    conditions
        Further columns by name, for groups.
    ids
        Columns that name each trial.
    weight
        Weight of each trial, or None.
    dropped
        How many trials with a missing score were dropped.
    failed
        Whether each trial's score was missing and it counts as never accepted (score −inf), or None for no trial.
    assumed
        What was recognised rather than given, one sentence each.
    row
        Row of the input (from 0) that each trial comes from, or None when all rows are here in order.
    """

    score: Floats
    is_target: Bools
    scale: Scale = "score"
    prior: float | None = None
    reversed: bool = False
    sources: tuple[AnyArray, ...] = ()
    conditions: Mapping[str, AnyArray] = field(default_factory=dict)
    ids: tuple[AnyArray, ...] = ()
    weight: Floats | None = None
    dropped: int = 0
    failed: Bools | None = None
    assumed: tuple[str, ...] = ()
    row: AnyArray | None = None

    def __len__(self) -> int:
        return int(self.score.shape[0])

    def __repr__(self) -> str:
        n_target = int(np.count_nonzero(self.is_target))
        turned = ", reversed=True" if self.reversed else ""
        shown = f"n={len(self)}, n_target={n_target}, n_nontarget={len(self) - n_target}, scale={self.scale!r}{turned}"
        return f"Trials({shown})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trials):
            return NotImplemented
        return all(same_content(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Callable[..., Trials], tuple[dict[str, Any]]]:
        # Copies and pickles of arrays can be written to; trials made of them cannot.
        return _restored, ({f.name: getattr(self, f.name) for f in fields(self)},)

    @classmethod
    def from_arrays(
        cls,
        scores: object,
        labels: object,
        *,
        target: object = None,
        nontarget: object = None,
        ignore: object = (),
        scale: str = "score",
        prior: float | None = None,
        sources: object = (),
        conditions: Mapping[str, object] | None = None,
        ids: object = (),
        weight: object = None,
        missing: str = "refuse",
        higher: str = "target",
        swap: bool = False,
        name: str = "trials",
    ) -> Trials:
        """Validate scores and labels given side by side.

        Parameters
        ----------
        scores, labels
            One value per trial, shape (n,): lists, NumPy, pandas, Polars or PyArrow columns. Equal pandas indexes are
            required, since columns are paired by position.
        target, nontarget, ignore
            Label values (one or several) of the two classes and of trials to leave out. ``target`` may be omitted for
            {0, 1}, {false, true}, {−1, 1}, target/nontarget, bonafide/spoof, genuine/impostor, mated/nonmated.
        scale, prior
            Unit of the scores: score, probability, lr, ln_lr, log2_lr, log10_lr or deciban; the prior under which
            probabilities were made.
        sources, conditions, ids
            One or two source columns; named columns for groups; the column (or tuple of columns) that names a trial.
        weight
            Weight per trial, >= 0; 0 is absence, an integer is repetition.
        missing
            What to do with NaN, null or masked scores: ``"refuse"`` them, ``"drop"`` them, or ``"reject"``: count
            them as never accepted (scale ``score`` only).
        higher
            ``"nontarget"`` when high scores speak for the nontarget class (distances): scores are reversed, −x for raw
            scores and logarithms, 1/x for LRs, 1 − p for probabilities.
        swap
            Evaluate the other class: labels swapped and scores reversed; with ``higher="nontarget"`` the scores stay as
            they are. ``reversed`` of the trials says what was done.
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
        >>> trials = db.Trials.from_arrays([0.9, 0.4, 0.6, 0.1], [1, 0, 1, 0], scale="probability")
        >>> trials
        Trials(n=4, n_target=2, n_nontarget=2, scale='probability')
        """
        return validated(
            scores,
            labels,
            target=target,
            nontarget=nontarget,
            ignore=ignore,
            scale=scale,
            prior=prior,
            sources=sources,
            conditions=conditions,
            ids=ids,
            weight=weight,
            missing=missing,
            higher=higher,
            swap=swap,
            name=name,
        )

    @classmethod
    def from_classes(
        cls,
        target_scores: object,
        nontarget_scores: object,
        *,
        scale: str = "score",
        prior: float | None = None,
        missing: str = "refuse",
        higher: str = "target",
        name: str = "trials",
    ) -> Trials:
        """Validate scores given as one array per class; options as in :meth:`from_arrays`.

        Row numbers in errors count the target scores first, then the nontarget scores.

        Examples
        --------
        >>> import deciban as db
        >>> db.Trials.from_classes([2.5, 1.0], [-1.0, 0.5, -2.0], scale="ln_lr")
        Trials(n=5, n_target=2, n_nontarget=3, scale='ln_lr')
        """
        problems = Problems(name)
        targets = as_floats(target_scores, "target scores", problems)
        nontargets = as_floats(nontarget_scores, "nontarget scores", problems)
        problems.raise_if_any()
        is_target = np.arange(targets.size + nontargets.size) < targets.size
        both = locked(np.concatenate([targets, nontargets]))
        trials = cls.from_arrays(both, is_target, scale=scale, prior=prior, missing=missing, higher=higher, name=name)
        return replace(trials, assumed=())

    def select(self, keep: AnyArray) -> Trials:
        """Return the trials where ``keep`` (a mask or an index) says so."""
        return replace(
            self,
            score=self.score[keep],
            is_target=self.is_target[keep],
            sources=tuple(column[keep] for column in self.sources),
            conditions={key: column[keep] for key, column in self.conditions.items()},
            ids=tuple(column[keep] for column in self.ids),
            weight=None if self.weight is None else self.weight[keep],
            failed=None if self.failed is None else self.failed[keep],
            row=(np.arange(len(self)) if self.row is None else self.row)[keep],
        ).frozen()

    def frozen(self) -> Trials:
        """Return the same trials with every array read-only."""
        return replace(
            self,
            score=read_only(self.score),
            is_target=read_only(self.is_target),
            sources=tuple(read_only(column) for column in self.sources),
            conditions={key: read_only(column) for key, column in self.conditions.items()},
            ids=tuple(read_only(column) for column in self.ids),
            weight=None if self.weight is None else read_only(self.weight),
            failed=None if self.failed is None else read_only(self.failed),
            row=None if self.row is None else read_only(self.row),
        )

    @property
    def n_failed(self) -> tuple[int, int]:
        """How many targets and nontargets had a missing score and count as never accepted."""
        if self.failed is None:
            return 0, 0
        targets = int(np.count_nonzero(self.failed & self.is_target))
        return targets, int(np.count_nonzero(self.failed)) - targets

    def named(self, index: int) -> str:
        """Name one trial for a reader: by its ids when there are any, else by its row."""
        if self.ids:
            return "trial " + " ".join(str(column[index]) for column in self.ids)
        return f"row {self.row_number(index)}"

    def row_number(self, index: int) -> int:
        """The row of the input, from 1, that a trial comes from."""
        return index + 1 if self.row is None else int(self.row[index]) + 1


def validated(
    scores: object,
    labels: object,
    *,
    target: object,
    nontarget: object,
    ignore: object,
    scale: str,
    prior: float | None,
    sources: object,
    conditions: Mapping[str, object] | None,
    ids: object,
    weight: object,
    missing: str,
    higher: str,
    swap: bool,
    name: str,
    places: Places = ROW_BY_ROW,
) -> Trials:
    """Make trials of columns, as :meth:`Trials.from_arrays` says; ``places`` when rows stand for several trials."""
    check_choice("missing", missing, MISSING)
    check_choice("higher", higher, HIGHER)
    check_flag("swap", swap)
    given = {"scores": scores, "labels": labels} | ({} if weight is None else {"weight": weight})
    same_index(given)
    problems = Problems(name, places=places)
    score = owned(as_floats(scores, "scores", problems))
    weights, weights_read = None, len(problems.found)
    if weight is not None:
        weights = owned(as_floats(weight, "weight", problems))
    weights_read = len(problems.found) == weights_read
    extra = extra_columns(sources, conditions, ids)
    label_column = labels if isinstance(labels, Coded) else as_column(labels, "labels")
    same_length({"scores": score, "labels": label_column, **({} if weights is None else {"weight": weights}), **extra})
    if score.size == 0:
        raise InputError(f"{name}: no trials: expected at least one row of score and label")
    resolved = labels_or_problem(label_column, score, target, nontarget, ignore, problems)
    checked = check_scale(scale)
    check_scores(score, checked, missing, problems)
    if weights is not None and weights_read:
        check_weights(weights, problems)
    problems.raise_if_any()
    if resolved is None:
        raise InputError(f"{name}: labels could not be resolved")
    trials = Trials(
        score=score,
        is_target=owned(resolved.is_target),
        scale=checked,
        prior=check_prior(prior, scale=checked),
        sources=tuple(extra[key] for key in extra if key.startswith("sources")),
        conditions={key[10:]: column for key, column in extra.items() if key.startswith("condition ")},
        ids=tuple(extra[key] for key in extra if key.startswith("ids")),
        weight=weights,
        assumed=resolved.sentences(),
    )
    if resolved.used is not None and not resolved.used.all():
        trials = trials.select(resolved.used)
    trials = _settle_missing(trials, missing, places)
    if (higher == "nontarget") != swap:
        trials = replace(trials, score=reversed_scores(trials.score, trials.scale, trials.failed), reversed=True)
    if swap:
        other = None if trials.prior is None else 1.0 - trials.prior
        trials = replace(trials, is_target=~trials.is_target, prior=other)
    return trials.frozen()


def _settle_missing(trials: Trials, missing: str, places: Places) -> Trials:
    """Drop or reject the trials whose score is missing, and remember how many."""
    absent = np.isnan(trials.score)
    if not absent.any():
        return trials
    if missing == "drop":
        kept = trials.select(~absent)
        if len(kept) == 0:
            raise InputError("scores: all are missing, so dropping them leaves no trial")
        gone = np.flatnonzero(absent)
        return replace(kept, dropped=places.many(gone if trials.row is None else trials.row[gone]))
    return replace(trials, score=np.where(absent, -np.inf, trials.score), failed=absent)


def _restored(content: dict[str, Any]) -> Trials:
    """Trials from a copy or pickle of what they hold."""
    return Trials(**content).frozen()
