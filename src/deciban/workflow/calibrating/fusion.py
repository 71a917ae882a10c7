"""Fusion: one likelihood ratio from the scores of several systems for the same trials, schema ``deciban.fusion/1``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from deciban.calibration.bounds import LrBounds
from deciban.calibration.calibration import floats_in_unit
from deciban.calibration.reading import read
from deciban.calibration.summed import summed_lines
from deciban.calibration.training import Training
from deciban.errors import InputError, rows
from deciban.tables.counting import as_trials
from deciban.tables.files.inputs import Input
from deciban.trials.trials import Trials
from deciban.values.arrays import Bools, Floats, locked, same_length
from deciban.values.kept import from_kept, kept_json, read_kept, write_kept
from deciban.version import versions
from deciban.workflow.calibrating.joined import PLACE, Systems, joined, numbers_of
from deciban.workflow.calibrating.logistic_fusion import LogisticFusion

SCHEMA: Final[Literal["deciban.fusion/1"]] = "deciban.fusion/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """A map from the scores of several systems to one log likelihood ratio.

    Attributes
    ----------
    settings
        What was fitted.
    slopes, centres, offset
        ln LR = Σ slope · (score − centre) + offset, by system. A centre is one of the scores fitted: where scores lie
        far from 0 and close together, their distances from it keep the digits that slope · score would lose.
    bounds
        The LRs beyond which none is given, or None.
    training
        The trials it was fitted to, of each system.
    inputs, columns
        The files they came from, and for each system the declaration of its columns, where there were any.
    versions
        Versions of what fitted it.
    """

    schema: Literal["deciban.fusion/1"] = SCHEMA
    settings: LogisticFusion
    slopes: Mapping[str, float]
    centres: Mapping[str, float]
    offset: float
    bounds: LrBounds | None = None
    training: Mapping[str, Training]
    inputs: tuple[Input, ...] = ()
    columns: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=versions)

    def __post_init__(self) -> None:
        numbers = (*self.slopes.values(), *self.centres.values(), self.offset)
        if not (list(self.slopes) == list(self.centres) == list(self.training) and all(map(math.isfinite, numbers))):
            raise InputError(
                "fusion: expected a finite slope and centre for each system of the training, and a finite offset"
            )

    @property
    def intercept(self) -> float:
        """The log LR where all scores are 0."""
        return self.offset - sum(slope * self.centres[name] for name, slope in self.slopes.items())

    def apply(self, systems: Systems, *, allow_leak: bool = False) -> Trials:
        """Return the trials of the first system, in their order, with fused natural-log LRs for scores.

        Parameters
        ----------
        systems
            Trials of every system that was fitted, joined as in ``fit``.
        allow_leak
            Whether they may share sources with the trials fitted, or be these very trials.

        Returns
        -------
        Trials
            On the scale ``ln_lr``; an infinite score has the limit.

        Raises
        ------
        InputError
            When systems differ from those fitted, in name, unit or direction; when a trial is missing; when two systems
            are certain of opposite things; when there is a leak.
        """
        self.refuse_others(systems)
        leaks = []
        for name, one in systems.items():
            trials = as_trials(one, "fusion")
            self.training[name].refuse_other_unit(trials)
            leaks += [leak] if (leak := self.training[name].leak(trials)) else []
        if leaks and not allow_leak:
            raise InputError(
                f"fusion: LEAK: {leaks[0]}, so that figures of them are optimistic; apply it to other trials, or say "
                "allow_leak=True (--allow-leak)"
            )
        shared = joined(systems)
        first = next(iter(shared.values()))
        conditions = dict(first.conditions)
        given = np.argsort(conditions.pop(PLACE))
        marks = [f"LEAK: {leaks[0]}: figures of these LRs are optimistic"] if leaks else []
        marks += [] if self.bounds is None else [self.bounds.said()]
        ln_lr = self._clipped({name: numbers_of(trials) for name, trials in shared.items()})
        torn = np.flatnonzero(np.isnan(ln_lr))
        if torn.size:
            raise InputError(
                f"fusion: systems are certain of opposite things at {rows(torn.tolist())} of the trials joined, which "
                "have no fused LR: calibrate the systems with bounds first"
            )
        fused = replace(
            first,
            score=locked(ln_lr),
            scale="ln_lr",
            prior=None,
            reversed=False,
            conditions=conditions,
            assumed=(*first.assumed, *marks),
        )
        return fused.select(given)

    def transform(self, scores: Mapping[str, object]) -> Floats:
        """Fused natural-log LRs of scores by system, in one order and in the units that were fitted, shape (n,).

        NaN where systems are certain of opposite things. Raises :class:`InputError` when systems differ from those
        fitted, when columns differ in length, and for missing scores and values outside a scale, with their rows.
        """
        return self._clipped(self._read(self._columns(scores)))

    def supported(self, scores: Mapping[str, object]) -> Bools:
        """Whether the scores of all systems lie in the ranges fitted, and their LR within the bounds."""
        columns = self._columns(scores)
        ln_lr = self._ln_lr(self._read(columns))
        inside = ~np.isnan(ln_lr) if self.bounds is None else self.bounds.within(ln_lr)
        for name, training in self.training.items():
            inside &= (columns[name] >= training.low) & (columns[name] <= training.high)
        return inside

    def refuse_others(self, given: object) -> None:
        """Raise :class:`InputError` unless what is given has the systems that were fitted, and no others."""
        names = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
        found = [name for name in names if isinstance(name, str)]
        if len(found) < len(names) or isinstance(given, str):
            raise InputError(
                f"fusion: expected something for each system by its name, {', '.join(self.slopes)}, found "
                f"{type(given).__name__}"
            )
        if set(found) != set(self.slopes):
            raise InputError(f"fusion: expected the systems {', '.join(self.slopes)}, found {', '.join(found)}")

    def _columns(self, scores: Mapping[str, object]) -> dict[str, Floats]:
        """The scores of each system, as many of one as of another."""
        self.refuse_others(scores)
        columns = {name: floats_in_unit(scores[name], training, name) for name, training in self.training.items()}
        same_length({f"scores of {name!r}": column for name, column in columns.items()})
        return columns

    def _read(self, columns: Mapping[str, Floats]) -> dict[str, Floats]:
        """What is read of the scores of each system."""
        return {
            name: read(columns[name], training.scale, training.prior, "log") for name, training in self.training.items()
        }

    def _ln_lr(self, columns: Mapping[str, Floats]) -> Floats:
        return summed_lines(columns, self.slopes, self.centres, self.offset)

    def _clipped(self, columns: Mapping[str, Floats]) -> Floats:
        ln_lr = self._ln_lr(columns)
        return ln_lr if self.bounds is None else self.bounds.clip(ln_lr)

    def to_json(self) -> str:
        """Write the fusion as JSON; the same one gives the same bytes."""
        return kept_json(self)

    @classmethod
    def from_json(cls, text: str) -> Fusion:
        """Read what :meth:`to_json` wrote; raises :class:`InputError` for anything else."""
        return from_kept(cls, text, SCHEMA, "fusion")

    def save(self, path: str | Path) -> None:
        """Write the fusion to a file, as JSON; raises :class:`InputError` when that cannot be done."""
        write_kept(path, self.to_json())


def load_fusion(path: str | Path) -> Fusion:
    """Read a fusion from a file that ``save`` wrote.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    Fusion
        Equal to the one that was saved.

    Raises
    ------
    InputError
        When the file cannot be read, is damaged, is of another kind, or was written by a newer version.

    Examples
    --------
    >>> import deciban as db, tempfile, pathlib
    >>> one, other = (db.Trials.from_arrays(scores, [1, 0, 1, 0]) for scores in ([3, 1, 0, 2], [1, 2, 4, 0]))
    >>> fusion = db.LogisticFusion(penalty=1).fit({"one": one, "other": other})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     fusion.save(pathlib.Path(folder, "fusion.json"))
    ...     db.load_fusion(pathlib.Path(folder, "fusion.json")) == fusion
    True
    """
    return read_kept(path, "fusion", Fusion.from_json)
