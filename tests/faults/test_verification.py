"""Rows on bitig and the PAN evaluator: tested beside deciban.pan; here only that none is left out."""

import numpy as np
import pytest

import deciban as db
from tests import test_pan

NAMED = {name for cases in (test_pan.VALUES, test_pan.NEAR, test_pan.REFUSED) for name, *_ in cases}

TESTED: dict[int, tuple[str, ...]] = {
    1: ("auc B=.9 .6 .4, S=.8 .4 .1",),
    2: ("auc all .5",),
    3: ("auc NaN target score", "auc NaN nontarget score"),
    4: ("auc with ±inf scores (right side)",),
    5: ("auc single class 1", "auc single class 0", "auc empty", "auc scalar"),
    6: ("auc labels bool", "auc labels list"),
    7: ("auc labels {-1,1}", "auc labels '1','0'"),
    8: ("auc labels {0,1,2}", "auc NaN label"),
    9: ("auc float32 .1 vs .1+1e-9", "auc float64 .1 vs .1+1e-9"),
    10: ("auc shapes (n,1)",),
    11: ("auc 100k × 100k",),
    12: ("c@1 all .5, y=1,1,0,0",),
    13: ("c@1 all .5, y all 1",),
    14: ("c@1 all .5, margin .1",),
    15: ("c@1 p=.9 .9 .1 .5, y=1 1 0 0, m=0",),
    16: ("c@1 same, y=1 1 0 1",),
    17: ("c@1 same, m=1e-9",),
    18: ("c@1 m=.05, both edges",),
    19: ("c@1 m=.1, both edges",),
    20: ("c@1 NaN", "c@1 1.1", "c@1 -.1", "c@1 empty", "test_margins_that_are_none"),
    21: ("test_margins_that_are_none",),
    22: ("c@1 labels {-1,1}",),
    23: ("c@1 labels '1','0'",),
    24: ("f05u all right",),
    25: ("f05u p=.9 .9 .1 .5, y=1 1 0 0",),
    26: ("f05u p=.6 .4 .9 .1, y=1 0 1 0",),
    27: ("f05u labels {-1,1}",),
    28: ("f05u strings",),
    29: ("f05u no targets, nothing accepted",),
    30: ("brier p=1.5,-.5",),
    31: ("brier NaN",),
    32: ("brier empty",),
    33: ("brier labels {-1,1}",),
    34: ("brier labels '1','0'",),
    35: ("brier single class",),
    36: ("ece p=1.0 exactly, y=1", "ece p=1.0 exactly, y=0"),
    37: ("ece p=.3,.31, 10 bins",),
    38: ("ece p=.6,.65", "ece p=.7,.75"),
    39: ("test_ece_of_float32_uses_the_doubles_they_equal",),
    40: ("ece empty",),
    41: ("ece labels {-1,1}",),
    42: ("test_bins_that_are_none",),
    43: ("ece p=1.0000001",),
    44: ("cllr all 0",),
    45: ("cllr ±1 right",),
    46: ("cllr ±20 right",),
    47: ("cllr ±400 right", "cllr ±400 wrong"),
    48: ("cllr ±inf right", "test_cllr_is_infinite_for_a_wrong_infinity"),
    49: ("cllr NaN",),
    50: ("cllr -1e308 wrong", "cllr one far wrong"),
    51: ("cllr labels 0,1,-1",),
    52: ("cllr single class", "cllr empty", "cllr shape", "cllr str"),
    53: ("cllr unequal class sizes",),
    54: ("test_tippett_with_ties_and_infinities",),
    55: ("tippett NaN",),
    56: ("tippett label 2",),
    66: ("compute_pan_report single class",),
}
"""Row numbers and the cases or tests that settle them."""

LATER = {
    57: "LRs from probabilities, as an act: scale='probability' with prior= is exact and clips nothing",
    58: "LRs from probabilities, as an act: scale='probability' with prior= is exact and clips nothing",
    59: "LRs from probabilities, as an act: scale='probability' with prior= is exact and clips nothing",
    60: "LRs from probabilities, as an act: scale='probability' with prior= is exact and clips nothing",
    65: "words and numbers for one LR",
}


def offset_of_classes_of_two_sizes():
    """150 against 50 trials of N(±1, 1): the LR at 0 is 1, whatever the share of targets."""
    generator = np.random.default_rng(0)
    targets, nontargets = generator.normal(1, 1, 15_000), generator.normal(-1, 1, 5_000)
    (got,) = db.LogisticCalibrator().fit(db.Counts.from_classes(targets, nontargets)).transform([0.0])
    assert abs(got) < 0.05


def isotonic_extremes():
    counts = db.Counts.from_classes([1, 2, 3, 4], [-2, -1, 0, 1.5])
    assert np.isfinite(db.IsotonicCalibrator(laplace=True).fit(counts).transform([-99, 99])).all()
    bounded = db.BoundedCalibrator(db.IsotonicCalibrator()).fit(counts)
    assert np.exp(bounded.transform([-99, 99])).tolist() == pytest.approx([bounded.bounds.lower, bounded.bounds.upper])


def reversed_polarity():
    against = db.Counts.from_classes([-1, 0, 2], [1, 3, 0.5])
    for calibrator in (db.LogisticCalibrator(), db.IsotonicCalibrator(laplace=True)):
        codes = [finding.code for finding in db.calibration_findings(calibrator.fit(against))]
        assert codes == ["CAL-SLOPE"]


def scores_times_a_million():
    targets, nontargets = np.array([1, 2, 3, 0.5]), np.array([-2, -1, 0, 1.5])
    one = db.LogisticCalibrator().fit(db.Counts.from_classes(targets, nontargets)).transform([0.7])
    other = db.LogisticCalibrator().fit(db.Counts.from_classes(1e6 * targets, 1e6 * nontargets)).transform([0.7e6])
    assert one == pytest.approx(other, rel=1e-12)


CALIBRATED = {
    61: offset_of_classes_of_two_sizes,
    62: isotonic_extremes,
    63: reversed_polarity,
    64: scores_times_a_million,
}
"""Rows about calibrators."""


@pytest.mark.parametrize("row", CALIBRATED)
def test_row_about_calibrators(row):
    CALIBRATED[row]()


@pytest.mark.parametrize("row", TESTED)
def test_row_has_its_cases(row):
    for case in TESTED[row]:
        assert case in NAMED or callable(getattr(test_pan, case, None)), case


def test_no_row_is_dropped():
    assert sorted([*TESTED, *CALIBRATED, *LATER]) == list(range(1, 67))
