"""Settings of a fusion, and how its slopes are fitted."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from deciban.calibration.line import LogisticCalibrator
from deciban.calibration.training import training_of
from deciban.counts.of_trials import count_trials
from deciban.errors import InputError, OptionError
from deciban.passes.logistic_columns import fit_plane
from deciban.values.option_checks import check_number
from deciban.values.scale import check_prior
from deciban.workflow.calibrating.bound_rules import bounded
from deciban.workflow.calibrating.joined import Systems, joined, numbers_of

if TYPE_CHECKING:
    from deciban.workflow.calibrating.fusion import Fusion


@dataclass(frozen=True, slots=True)
class LogisticFusion:
    """Fuse systems by logistic regression: ln LR = Σ a_i·s_i + b.

    Minimises the cost of :class:`LogisticCalibrator` over all slopes; the scores of each system are read as it reads
    them.

    Parameters
    ----------
    prior
        Prior π of the target that weighs the two classes; None (default) is ½.
    penalty
        λ >= 0 on the sum of squared slopes, each per standard deviation of its scores; 0 (default) is none.
    bound
        Give no LR beyond these: ``"elub"``, ``"elub-one-sided"``, ``"iv"``, ``"sources"``, ``"sources=N"`` or
        ``"LOWER,UPPER"``, as :class:`BoundedCalibrator` has them; None (default) is no bounds.

    Raises
    ------
    OptionError
        When the prior or the penalty is out of range, or there is no such bound.

    References
    ----------
    Brümmer et al. (2007), Fusion of heterogeneous speaker recognition systems, IEEE Trans. Audio Speech Lang. Proc. 15.

    Examples
    --------
    >>> import deciban as db
    >>> labels, ids = [1, 1, 1, 0, 0, 0], list("abcdef")
    >>> one = db.Trials.from_arrays([2, 1, 0, 1, -1, -2], labels, ids=ids)
    >>> other = db.Trials.from_arrays([0, 3, 1, -1, 1, 0], labels, ids=ids)
    >>> fusion = db.LogisticFusion(penalty=0.1).fit({"one": one, "other": other})
    >>> [name for name, slope in fusion.slopes.items() if slope > 0]
    ['one', 'other']
    """

    prior: float | None = None
    penalty: float = 0.0
    bound: str | None = None

    def __post_init__(self) -> None:
        penalty = check_number("penalty", self.penalty)
        if not 0.0 <= penalty < math.inf:
            raise OptionError(f"penalty: expected a finite number >= 0, found {self.penalty!r}")
        object.__setattr__(self, "prior", check_prior(self.prior))
        object.__setattr__(self, "penalty", penalty)
        if self.bound is not None:
            bounded(LogisticCalibrator(), self.bound)

    def fit(self, systems: Systems) -> Fusion:
        """Fit the slopes to the same trials of two systems or more.

        Parameters
        ----------
        systems
            Trials by the name of the system, joined by their ids; without ids by row, where the labels agree.

        Returns
        -------
        Fusion
            Apply it to other trials of the same systems, or save it.

        Raises
        ------
        InputError
            When a system lacks a trial, or a score is infinite.
        SingleClassError
            When a class is empty.
        UndefinedMetricError
            When some slopes part the classes (``separated``), systems repeat each other (``not_converged``), or the
            scores of one are all equal (``zero_variance``).
        NeedsTrialsError
            When the systems share no trials, or bounds are to be by sources and there are none.
        """
        # A fusion holds the settings it was made with, so that neither module can come first.
        from deciban.workflow.calibrating.fusion import Fusion

        shared = joined(systems)
        first = next(iter(shared.values()))
        counts = {name: count_trials(one) for name, one in shared.items()}
        for of_system in counts.values():
            of_system.require_both_classes("fusion")
        columns = np.column_stack([numbers_of(one) for one in shared.values()])
        infinite = np.flatnonzero(~np.isfinite(columns).all(axis=1))
        if infinite.size:
            raise InputError(f"fusion: infinite scores, of {first.named(int(infinite[0]))}: leave such trials out")
        weight = np.ones(len(first)) if first.weight is None else first.weight
        plane = fit_plane(
            columns,
            np.where(first.is_target, weight, 0.0),
            np.where(first.is_target, 0.0, weight),
            prior=0.5 if self.prior is None else self.prior,
            penalty=self.penalty,
        )
        fusion = Fusion(
            settings=self,
            slopes=dict(zip(shared, plane.slopes.tolist(), strict=True)),
            centres=dict(zip(shared, plane.centres.tolist(), strict=True)),
            offset=plane.offset,
            training={name: training_of(counts[name], one) for name, one in shared.items()},
        )
        if self.bound is None:
            return fusion
        rule, n_sources = bounded(LogisticCalibrator(), self.bound), fusion.training[next(iter(shared))].n_sources
        return replace(fusion, bounds=rule.bounds(count_trials(fusion.apply(systems, allow_leak=True)), n_sources))
