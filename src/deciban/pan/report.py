"""Every figure of the module for one set of answers."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from deciban.metrics import discrimination, reliability
from deciban.metrics.binned import calibration_error
from deciban.pan.answers import answers, c_at_1_of, check_margin, f05u_of
from deciban.pan.probabilities import check_bins
from deciban.pan.reading import count_arrays
from deciban.pan.scores import cllr
from deciban.values.arrays import same_index


@dataclass(frozen=True, slots=True, kw_only=True)
class PANReport:
    """The six figures of one set of answers, and how many trials of each class they rest on.

    Attributes
    ----------
    auc, c_at_1, f05u, brier, ece
        What the functions of these names return.
    cllr_bits
        What :func:`cllr` returns, in bits; None when no likelihood ratios were given.
    n_target, n_nontarget
        Trials with label 1 and with label 0.
    """

    auc: float
    c_at_1: float
    f05u: float
    brier: float
    ece: float
    cllr_bits: float | None
    n_target: int
    n_nontarget: int

    def to_dict(self) -> dict[str, float | int | None]:
        """Return the eight values by name, in the order above."""
        return asdict(self)


def compute_pan_report(
    probs: object,
    y: object,
    *,
    log_lrs: object = None,
    ece_bins: int = 10,
    c_at_1_margin: float = 0.0,
    f05u_margin: float = 0.0,
) -> PANReport:
    """All figures of this module for one set of answers.

    Parameters
    ----------
    probs, y
        As in :func:`c_at_1`; AUC ranks by the same probabilities.
    log_lrs
        Base-10 log likelihood ratios of the same trials, shape (n,), for Cllr; without them it is None.
    ece_bins
        ``n_bins`` of :func:`ece`.
    c_at_1_margin, f05u_margin
        ``unanswered_margin`` of :func:`c_at_1` and of :func:`f05u`.

    Returns
    -------
    PANReport
        Each figure in the unit and with the anchors of its function; a loss stays a loss.

    Raises
    ------
    SingleClassError
        When all labels are equal: AUC has no value then; the single functions still answer where they can.
    InputError, OptionError
        As the single functions.

    Notes
    -----
    Use it for a first look at a verifier's answers. It is not the score of any one PAN year: those differ in rounding,
    in their means and in how they treat non-answers. Probabilities are not turned into likelihood ratios, since that
    needs the prior they were made under.

    References
    ----------
    Kestemont et al., Overview of the cross-domain authorship verification task at PAN 2020, CLEF 2020.

    Examples
    --------
    >>> compute_pan_report([0.9, 0.9, 0.1, 0.5], [1, 1, 0, 0]).to_dict()["c_at_1"]
    0.9375
    """
    bins = check_bins(ece_bins, "ece_bins")
    margins = check_margin(c_at_1_margin, "c_at_1_margin"), check_margin(f05u_margin, "f05u_margin")
    same_index({"probs": probs, "y": y, "log_lrs": log_lrs})
    counts = count_arrays(probs, y, "probs", "probability")
    return PANReport(
        auc=discrimination.auc(counts),
        c_at_1=c_at_1_of(answers(counts, margins[0])),
        f05u=f05u_of(answers(counts, margins[1])),
        brier=reliability.brier(counts),
        ece=calibration_error(counts, n_bins=bins),
        cllr_bits=None if log_lrs is None else cllr(log_lrs, y),
        n_target=int(counts.total_target),
        n_nontarget=int(counts.total_nontarget),
    )
