"""The record of a chosen threshold, schema ``deciban.threshold/1``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from deciban.records.provenance import Provenance
from deciban.uncertainty.interval import Interval
from deciban.values.record import from_plain, load_json, to_json
from deciban.values.scale import Scale

SCHEMA: Literal["deciban.threshold/1"] = "deciban.threshold/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenThreshold:
    """A threshold chosen on one set of trials, to be applied to another.

    Attributes
    ----------
    threshold
        Accept when score >= threshold, in the unit of the scores and the direction that ``reversed`` says.
    rule
        The rule that chose it, e.g. ``eer`` or ``p_fa=0.01``.
    reached
        Whether the quantity of the rule is reached exactly there; False for an EER between two thresholds.
    interval, interval_reason
        Where the rule would put the threshold on other trials of the same kind, or why that is not known.
    p_miss, p_fa
        Rates at the threshold on the trials it was chosen on.
    scale, prior
        Unit of the scores and prior of probabilities, which those it is applied to must have.
    reversed
        Whether the scores had been reversed, which those it is applied to must have been too.
    n_target, n_nontarget, counts_sha256
        The trials it was chosen on.
    provenance
        Where they come from.
    """

    schema: Literal["deciban.threshold/1"] = SCHEMA
    threshold: float
    rule: str
    reached: bool
    interval: Interval | None = None
    interval_reason: str | None = None
    p_miss: float
    p_fa: float
    scale: Scale
    prior: float | None
    reversed: bool = False
    n_target: int | float
    n_nontarget: int | float
    counts_sha256: str
    provenance: Provenance

    def to_json(self) -> str:
        """Write the record as JSON."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> ChosenThreshold:
        """Read a record that :meth:`to_json` wrote; raises :class:`InputError` for anything else."""
        return from_plain(cls, load_json(text, SCHEMA))
