"""What calibrators have in common, and what their models have: to be fitted, and to be equal by content."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from deciban.values.arrays import same_content

if TYPE_CHECKING:
    from deciban.calibration.calibration import Calibration
    from deciban.counts.counts import Counts
    from deciban.trials.trials import Trials


class Fits:
    """What settings can do."""

    __slots__ = ()

    def fit(self, data: Trials | Counts) -> Calibration:
        """Fit these settings to development trials, of both classes.

        Parameters
        ----------
        data
            Trials, or their counts, from which the same comes out; sources are remembered from trials only.

        Returns
        -------
        Calibration
            Apply it to other trials, or save it.

        Raises
        ------
        SingleClassError
            When a class is empty.
        InputError
            When scores are infinite and the model has no use for such.
        UndefinedMetricError
            When no parameters are best (``separated``), or the scores do not vary (``zero_variance``).
        """
        # A calibration holds the settings it was made with, so that neither module can come first.
        from deciban.calibration.calibration import fitted

        return fitted(self, data)  # type: ignore[arg-type]


class EqualByContent:
    """Records with arrays among their fields: equal when all fields are, of one kind."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        mine: Any = self
        return all(same_content(getattr(mine, each.name), getattr(other, each.name)) for each in fields(mine))

    __hash__ = None  # type: ignore[assignment]
