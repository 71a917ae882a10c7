"""A fitted calibration, schema ``deciban.calibration/1``: apply it, save it, load it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, overload

import numpy as np

from deciban.calibration.bounds import BoundedCalibrator, LrBounds
from deciban.calibration.kinds import Model, PlainCalibrator
from deciban.calibration.reading import read, refuse_infinite
from deciban.calibration.settings import Calibrator, plain_of
from deciban.calibration.training import Training, training_of
from deciban.counts.counts import Counts
from deciban.counts.of_trials import count_trials, present
from deciban.errors import InputError, Problems, UndefinedMetricError, rows
from deciban.tables.counting import as_trials
from deciban.tables.files.inputs import Input
from deciban.trials.checks import check_scores
from deciban.trials.trials import Trials
from deciban.values.arrays import AnyArray, Bools, Floats, as_floats, locked
from deciban.values.kept import from_kept, kept_json, read_kept, write_kept
from deciban.version import versions

SCHEMA: Final[Literal["deciban.calibration/1"]] = "deciban.calibration/1"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration:
    """A map from scores to log likelihood ratios, and what it was fitted to.

    Attributes
    ----------
    calibrator
        The settings.
    model
        The fitted parameters.
    bounds
        The LRs beyond which none is given, or None.
    training
        The trials it was fitted to.
    inputs, columns
        The files they came from and the declaration of their columns, where there were any.
    versions
        Versions of what fitted it.
    """

    schema: Literal["deciban.calibration/1"] = SCHEMA
    calibrator: Calibrator
    model: Model
    bounds: LrBounds | None = None
    training: Training
    inputs: tuple[Input, ...] = ()
    columns: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=versions)

    @property
    def plain(self) -> PlainCalibrator:
        """The settings without those of bounds."""
        return plain_of(self.calibrator)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Calibration) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    @overload
    def apply(self, data: Trials, *, allow_leak: bool = False) -> Trials: ...
    @overload
    def apply(self, data: Counts, *, allow_leak: bool = False) -> Counts: ...

    def apply(self, data: Trials | Counts, *, allow_leak: bool = False) -> Trials | Counts:
        """Return the same trials, or counts, with natural-log likelihood ratios for scores.

        Parameters
        ----------
        data
            Trials or counts whose scores have the unit, prior and direction of those fitted; they are left as they are.
        allow_leak
            Whether they may share sources with the trials fitted, or be these very trials. Figures are optimistic then.

        Returns
        -------
        Trials or Counts
            What was given, on the scale ``ln_lr``: labels, sources, conditions, ids, weights and rows are kept. Trials
            say in ``assumed`` that their LRs have bounds, and that they leaked.

        Raises
        ------
        InputError
            When the unit differs, a score is missing (with the rows), or the data leak from the fit.
        UndefinedMetricError
            When a score has no LR (isotonic calibration between pure blocks; reason ``separated``).
        """
        if not isinstance(data, Counts):
            data = as_trials(data, "apply")
        self.training.refuse_other_unit(data)
        refuse_unusable(data)
        leak = self.training.leak(data)
        if leak and not allow_leak:
            raise InputError(
                f"calibration: LEAK: {leak}, so that figures of them are optimistic; apply it to other trials, "
                "cross-fit instead (cross_fit, deciban calibrate crossfit), or say allow_leak=True (--allow-leak)"
            )
        if isinstance(data, Counts):
            return _recounted(refuse_undefined(self._clipped(data.score)), data)
        marks = [f"LEAK: {leak}: figures of these LRs are optimistic"] if leak else []
        marks += [] if self.bounds is None else [self.bounds.said()]
        ln_lr = refuse_undefined(self._clipped(_checked(data.score, data, "trials")), data.row)
        changed = replace(
            data, score=locked(ln_lr), scale="ln_lr", prior=None, reversed=False, assumed=(*data.assumed, *marks)
        )
        return changed.frozen()

    def transform(self, scores: object) -> Floats:
        """Natural-log likelihood ratios of scores, shape (n,), in the unit that was fitted; nothing else is known.

        NaN where a score has no LR, which only isotonic maps have: between a block of nontargets only and one of
        targets only. Raises :class:`InputError` for missing scores and values outside the scale, with their rows.
        """
        return self._clipped(floats_in_unit(scores, self.training, "scores"))

    def supported(self, scores: object) -> Bools:
        """Whether each score lies in the fitted range and has an LR, which lies within the bounds."""
        values = floats_in_unit(scores, self.training, "scores")
        ln_lr = self._ln_lr(values)
        inside = (values >= self.training.low) & (values <= self.training.high) & ~np.isnan(ln_lr)
        return inside if self.bounds is None else inside & self.bounds.within(ln_lr)

    def to_json(self) -> str:
        """Write the calibration as JSON; the same calibration gives the same bytes."""
        return kept_json(self)

    @classmethod
    def from_json(cls, text: str) -> Calibration:
        """Read what :meth:`to_json` wrote; raises :class:`InputError` for anything else, also from a newer version."""
        return from_kept(cls, text, SCHEMA, "calibration")

    def save(self, path: str | Path) -> None:
        """Write the calibration to a file, as JSON; raises :class:`InputError` when that cannot be done."""
        write_kept(path, self.to_json())

    def _ln_lr(self, scores: Floats) -> Floats:
        return self.model.ln_lr(read(scores, self.training.scale, self.training.prior, self.model.reads))

    def _clipped(self, scores: Floats) -> Floats:
        ln_lr = self._ln_lr(scores)
        return ln_lr if self.bounds is None else self.bounds.clip(ln_lr)


def fitted(calibrator: Calibrator, data: Trials | Counts, *, n_sources: int | None = None) -> Calibration:
    """Fit settings to trials or counts: what every calibrator's ``fit`` does; counts may come from so many sources."""
    if isinstance(data, Counts):
        trials, counts = None, data
        refuse_unusable(counts)
    else:
        # Trials of weight 0 are absent: their sources and infinities too.
        trials = present(as_trials(data, "fit"))
        refuse_unusable(trials)
        counts = count_trials(trials)
    counts.require_both_classes("calibration")
    plain = plain_of(calibrator)
    refuse_infinite_for(plain, counts, trials)
    calibration = Calibration(calibrator=calibrator, model=plain.model(counts), training=training_of(counts, trials))
    if isinstance(calibrator, BoundedCalibrator):
        calibrated = calibration.apply(counts, allow_leak=True)
        calibration = replace(
            calibration, bounds=calibrator.bounds(calibrated, calibration.training.n_sources or n_sources)
        )
    return calibration


def load_calibration(path: str | Path) -> Calibration:
    """Read a calibration from a file that ``save`` or ``deciban calibrate fit`` wrote.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    Calibration
        Equal to the one that was saved: what it is applied to comes out the same, to the last bit.

    Raises
    ------
    InputError
        When the file cannot be read, is damaged, is of another kind, or was written by a newer version.

    Examples
    --------
    >>> import deciban as db, tempfile, pathlib
    >>> calibration = db.GaussianCalibrator().fit(db.Counts.from_classes([0, 1, 2], [-2, -1, 0]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     calibration.save(pathlib.Path(folder, "cal.json"))
    ...     db.load_calibration(pathlib.Path(folder, "cal.json")) == calibration
    True
    """
    return read_kept(path, "calibration", Calibration.from_json)


def refuse_unusable(data: Trials | Counts) -> None:
    """Raise for scores that stand for something else: buckets, and missing ones that count as rejected."""
    if isinstance(data, Counts) and data.resolution is not None:
        raise UndefinedMetricError("calibration needs the scores themselves, and these counts are bucketed", "bucketed")
    if isinstance(data, Trials) and data.failed is not None:
        raise InputError(
            "calibration: missing scores that count as never accepted have no LR; use missing='drop' (--missing drop)"
        )


def refuse_infinite_for(plain: PlainCalibrator, counts: Counts, trials: Trials | None) -> None:
    """Raise for infinite scores where a calibrator has no use for them, with their rows where the trials are known."""
    if plain.finite_only:
        refuse_infinite(counts, trials, plain.reads, f"the {plain.kind} calibrator")


def refuse_undefined(ln_lr: Floats, row: AnyArray | None = None) -> Floats:
    """The same log LRs; :class:`UndefinedMetricError` where one is undefined, with the rows (None: those here)."""
    undefined = np.flatnonzero(np.isnan(ln_lr))
    if undefined.size:
        found = undefined if row is None else row[undefined]
        raise UndefinedMetricError(
            f"scores at {rows(found.tolist())} lie between a block of nontargets only and one of targets only, where "
            "nothing says what their LR is; use laplace=True (--model isotonic-laplace), or another calibrator",
            "separated",
        )
    return ln_lr


def floats_in_unit(scores: object, unit: Training, what: str) -> Floats:
    """Scores of any kind as numbers of the unit that was fitted, none of them missing."""
    problems = Problems(what)
    values = as_floats(scores, what, problems)
    problems.raise_if_any()
    return _checked(values, unit, what)


def _checked(scores: Floats, unit: Trials | Training, what: str) -> Floats:
    """The scores, none of them missing or outside the scale; :class:`InputError` names the rows."""
    problems = Problems(what)
    check_scores(scores, unit.scale, "refuse", problems, fitted=True)
    problems.raise_if_any()
    return scores


def _recounted(ln_lr: Floats, counts: Counts) -> Counts:
    """Counts at other scores, in their order; scores that have become equal are one."""
    columns: tuple[AnyArray, ...] = (ln_lr, counts.n_target, counts.n_nontarget)
    if (ln_lr[1:] < ln_lr[:-1]).any():
        order = np.argsort(ln_lr, kind="stable")
        columns = tuple(column[order] for column in columns)
    score, n_target, n_nontarget = columns
    first = np.ones(score.size, dtype=bool)
    np.not_equal(score[1:], score[:-1], out=first[1:])
    if not first.all():
        starts = np.flatnonzero(first)
        score = score[starts]
        n_target, n_nontarget = np.add.reduceat(n_target, starts), np.add.reduceat(n_nontarget, starts)
    return Counts(score, n_target, n_nontarget, "ln_lr", weighted=counts.weighted)
