"""Findings about a calibration, and about scores that it is applied to."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from deciban.calibration.calibration import Calibration
from deciban.calibration.line import LineModel
from deciban.calibration.reading import LARGEST, read
from deciban.calibration.training import Training
from deciban.counts.counts import Counts
from deciban.errors import SHOWN, counted, rows
from deciban.records.display import number, percent
from deciban.records.finding import Finding
from deciban.tables.counting import as_trials
from deciban.trials.trials import Trials
from deciban.values.arrays import AnyArray, Bools, Floats
from deciban.values.log_domain import LN10, expit
from deciban.values.scale import LR_SCALES, PER_UNIT
from deciban.workflow.calibrating.fusion import Fusion
from deciban.workflow.findings.evidence import trials_text, wrong_unit

PLACES: Final = 1001
"""Places of the fitted range, and as many beyond each end, at which a map is looked at."""

FLAT: Final = 0.1
"""Natural-log LRs that differ by less than this from end to end say next to nothing."""

ROUNDING: Final = 1e-9
"""How far ln LR must fall before that is more than rounding."""


def calibration_findings(calibration: Calibration, data: Trials | Counts | None = None) -> list[Finding]:
    """Say what a reader must know of a calibration, and of data that it is to be applied to.

    Parameters
    ----------
    calibration
        The calibration.
    data
        Trials or counts in the unit that was fitted, or None.

    Returns
    -------
    list of Finding
        CAL-SEP: a threshold parts the development trials. CAL-SLOPE: LRs that hardly rise with the score, or fall.
        CAL-MONOTONE: LRs that rise here and fall there, within the fitted range or as far again beyond it. UNITS: a
        slope that looks like natural logarithms for those to base 10 or the other way (base 2 cannot be told from LRs
        that are somewhat too strong). CAL-EXTRAP: scores outside the fitted range, their share and
        the farthest one. CAL-GAP: scores that have no LR. Empty where nothing is to be said.

    Raises
    ------
    InputError
        When the data have another unit.

    References
    ----------
    Morrison et al. (2021), Consensus on validation of forensic voice comparison, Science & Justice 61.

    Examples
    --------
    >>> import deciban as db
    >>> calibration = db.IsotonicCalibrator().fit(db.Counts.from_classes([3, 4], [1, 2]))
    >>> [finding.code for finding in db.calibration_findings(calibration, db.Counts.from_classes([3, 5], [1]))]
    ['CAL-SEP', 'CAL-EXTRAP']
    """
    found = [*_separated(calibration.training), *_shape(calibration), *_units(calibration)]
    if data is not None:
        if not isinstance(data, Counts):
            data = as_trials(data, "calibration_findings")
        calibration.training.refuse_other_unit(data)
        weight = data.n_target + data.n_nontarget if isinstance(data, Counts) else data.weight
        found += extrapolation(calibration.training, data.score, weight)
        ln_lr = calibration.transform(data.score)
        if isinstance(data, Counts):
            found += undefined(ln_lr, data.score, None, weight)
        else:
            found += undefined(ln_lr, data.score, np.arange(len(data)) if data.row is None else data.row)
    return found


def _separated(training: Training) -> Iterator[Finding]:
    if training.separated:
        shown = f"{trials_text(training.n_target)} targets and {trials_text(training.n_nontarget)} nontargets"
        yield Finding(
            code="CAL-SEP",
            severity="warn",
            message=f"a threshold parts the {shown} that were fitted: how strong the LRs are is not known from them",
            advice="collect development trials as hard as cases are, and keep LRs within bounds (--bound elub)",
            data={"n_target": training.n_target, "n_nontarget": training.n_nontarget},
        )


def _shape(calibration: Calibration) -> Iterator[Finding]:
    """Whether the map rises, and where it falls."""
    x, inside = _places(calibration)
    ln_lr = calibration.model.ln_lr(x)
    with np.errstate(invalid="ignore", over="ignore"):
        total = float(ln_lr[inside][-1] - ln_lr[inside][0]) if ln_lr[inside][-1] != ln_lr[inside][0] else 0.0
        steps = np.diff(ln_lr if calibration.bounds is None else calibration.bounds.clip(ln_lr))
    turns = bool((steps < -ROUNDING).any() and (steps > ROUNDING).any())
    if turns:
        against = steps < -ROUNDING if total >= 0.0 else steps > ROUNDING
        where = np.flatnonzero(against)
        low, high = (_as_given(calibration, float(x[at])) for at in (where[0], where[-1] + 1))
        within = bool(inside[where].any())
        yield Finding(
            code="CAL-MONOTONE",
            severity="warn",
            message=f"LRs {'fall' if total >= 0.0 else 'rise'} while scores rise, between {number(low)} and "
            f"{number(high)}{'' if within else ', outside the fitted range'}: a higher score is weaker evidence there",
            advice="use a calibrator whose map never falls (logistic, Gaussian of equal variance), or bounds",
            data={"low": low, "high": high, "within": within},
        )
    elif total < FLAT:
        how = "fall while scores rise" if total < 0.0 else "hardly differ"
        yield Finding(
            code="CAL-SLOPE",
            severity="warn",
            message=f"LRs {how}: ln LR changes by {total:.3g} from the lowest to the highest score that was fitted",
            advice="are high scores for targets? If low ones are, say higher='nontarget' (--higher nontarget)",
            data={"change": total},
        )


def _places(calibration: Calibration) -> tuple[Floats, Bools]:
    """Numbers that the model reads, in order, and which of them lie in the fitted range."""
    training, model = calibration.training, calibration.model
    low, high = read(np.array([training.low, training.high]), training.scale, training.prior, model.reads)
    if model.reads == "score" or not np.isfinite([low, high]).all():
        return np.array([low, high]), np.ones(2, dtype=bool)
    share = np.linspace(-1.0, 2.0, 3 * PLACES)
    with np.errstate(over="ignore"):
        x = np.clip(low * (1.0 - share) + high * share, -LARGEST, LARGEST)
    return x, np.asarray((share >= 0.0) & (share <= 1.0))


def _as_given(calibration: Calibration, x: float) -> float:
    """The score that is read as x, to rounding."""
    scale, prior = calibration.training.scale, calibration.training.prior
    if scale in PER_UNIT:
        return x / PER_UNIT[scale]
    if scale == "lr":
        return math.exp(min(x, 700.0))
    if scale == "probability":
        shift = math.log(prior / (1.0 - prior)) if prior is not None and calibration.model.reads == "log" else 0.0
        return float(expit(np.array([x + shift]))[0])
    return x


def _units(calibration: Calibration) -> Iterator[Finding]:
    """A line that does to LRs what another base of logarithms would."""
    scale = calibration.training.scale
    if not isinstance(calibration.model, LineModel) or scale not in LR_SCALES:
        return
    factor = wrong_unit(calibration.model.slope)
    if factor is not None:
        read_as, are = ("natural-log", "log10") if factor > 1.0 else ("log10", "natural-log")
        yield Finding(
            code="UNITS",
            severity="warn",
            message=f"the scores look like {are} LRs read as {read_as} LRs: the slope through ln LR is "
            f"{calibration.model.slope:.4g}, within 10 % of {'ln 10' if factor > 1.0 else '1/ln 10'} = {factor:.4g}",
            advice=f"check the unit of the scores: scale= (--scale) was {scale}",
            data={"slope": calibration.model.slope, "factor": factor, "ln10": LN10},
        )


def extrapolation(training: Training, scores: Floats, weight: AnyArray | None) -> Iterator[Finding]:
    """Scores outside the range that was fitted: their LRs rest on the shape of the model alone."""
    low, high = training.low, training.high
    outside = (scores < low) | (scores > high)
    if not outside.any():
        return
    each = np.ones(scores.size) if weight is None else weight
    share = float(each[outside].sum() / each.sum())
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.maximum(low - scores[outside], scores[outside] - high)
    far = int(np.argmax(distance))
    farthest, distance_of = float(scores[outside][far]), float(distance[far])
    yield Finding(
        code="CAL-EXTRAP",
        severity="warn",
        message=f"{percent(float(f'{share:.3g}'))} of the scores lie outside the fitted range {number(low)} to "
        f"{number(high)}; the farthest is {number(farthest)}, {number(distance_of)} beyond it",
        advice="LRs there are the model's extrapolation: report them as not supported, or fit to wider data",
        data={"share": share, "farthest": farthest, "distance": distance_of, "low": low, "high": high},
    )


def undefined(ln_lr: Floats, scores: Floats, row: AnyArray | None, weight: AnyArray | None = None) -> Iterator[Finding]:
    """Scores that have no LR, by the rows (from 0) that they are in, where these are known; each once, or by weight."""
    where = np.flatnonzero(np.isnan(ln_lr))
    if not where.size:
        return
    n = where.size if weight is None else weight[where].sum().item()
    low, high = float(scores[where].min()), float(scores[where].max())
    found = [] if row is None else row[where].tolist()
    at, lie = f", {rows(found)}" if found else "", "lies" if n == 1 else "lie"
    yield Finding(
        code="CAL-GAP",
        severity="warn",
        message=f"{trials_text(n)} of the scores ({number(low)} to {number(high)}{at}) {lie} between a block of "
        "nontargets only and one of targets only: nothing says what their LR is, and they have none",
        advice="calibrate with another model (--model isotonic-laplace), or fit to more trials",
        data={"n": n, "low": low, "high": high, "rows": [index + 1 for index in found[:SHOWN]]},
    )


def torn(ln_lr: Floats, row: AnyArray) -> Iterator[Finding]:
    """Rows (from 0) whose systems are certain of opposite things, which have no fused LR."""
    where = np.flatnonzero(np.isnan(ln_lr))
    if where.size:
        found = row[where].tolist()
        yield Finding(
            code="CAL-TORN",
            severity="warn",
            message=f"{counted(where.size, 'row')} without an LR, since systems are certain of opposite things "
            f"({rows(found)})",
            advice="calibrate the systems with bounds first (--bound elub), so that none is certain",
            data={"n": int(where.size), "rows": [index + 1 for index in found[:SHOWN]]},
        )


def fusion_findings(fusion: Fusion) -> list[Finding]:
    """Say what a reader must know of a fusion: CAL-SEP for each system whose development trials a threshold parts."""
    return [
        replace(finding, group=f"system {name}")
        for name, training in fusion.training.items()
        for finding in _separated(training)
    ]
