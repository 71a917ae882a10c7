"""Findings on scorers of speakers and biometrics: EER, minimum and actual costs, Cllr, by the rows recorded."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, SingleClassError
from tests.faults.rows import Rows

FINDINGS, EER, MIN_DCF, COSTS = Rows("findings", 10), Rows("EER", 14), Rows("minimum cost", 8), Rows("costs", 4)
INF, NAN = math.inf, math.nan

SETS = {
    "A": ([0.9, 0.6, 0.4], [0.8, 0.4, 0.1]),
    "B": ([0.9, 0.5], [0.8, 0.7, 0.1]),
    "tied": ([0, 0, 0], [0, 0]),
    "mixed": ([1, 1, 2], [1, 1, 0]),
    "separable": ([3, 2], [1, 0]),
    "inverted": ([0, 1], [2, 3]),
    "infinite": ([INF, 1, -1], [0, -INF, -2]),
    "wrong side": ([-INF, 1, 2], [INF, -1, -2]),
    "huge": ([800, -1], [-800, 1]),
}


def counts(name: str, scale: str = "score") -> db.Counts:
    return db.Counts.from_classes(*SETS[name], scale=scale)


def values(text: str) -> list[Fraction]:
    return [Fraction(part) for part in text.split()]


RIGHT = {  #                     A   B    tied mixed separable inverted infinite wrong side
    "rocch": values("           1/3 2/7  1/2  1/3   0         1/2      1/6      1/3"),
    "interpolated": values("    1/3 1/2  1/2  1/3   0         1        1/3      1/3"),
    "nearest-first": values("   1/3 7/12 1/2  1/3   0         1        1/3      1/3"),
    "nearest-last": values("    1/3 5/12 1/2  1/3   0         1        1/3      1/3"),
    "nearest-max": values("     1/3 2/3  1    2/3   0         1        1/3      1/3"),
    "fvc": values("             1/3 5/12 1/2  1/3   0         1        1/3      1/3"),
    "asvspoof": values("        1/3 7/12 1    2/3   0         1        1/3      1/3"),
    "nist": values("            1/3 1/2  1    2/3   0         1        1/3      1/3"),
}
NAMES = list(SETS)[:8]


def check_eer(method: str) -> None:
    """The values of one definition, ties as blocks and infinities as scores."""
    for name, want in zip(NAMES, RIGHT[method], strict=True):
        assert db.eer(counts(name), method=method, exact=True) == want, name
    with pytest.raises(SingleClassError, match="2 targets and 0 nontargets"):
        db.eer(db.Counts.from_classes([1, 2], []), method=method)


TOOLS = {
    "01 PYLLR = llreval": "rocch",
    "02 sidekit, PyBOSARIS, hyperion": "rocch",
    "03 bob eer_rocch": "rocch",
    "04 bob threshold, mean of rates": "nearest-last",
    "05 DCA-PLDA": "rocch",
    "06 NIST, targets first": "nist",
    "07 NIST, nontargets first": "nist",
    "08 VoxSRC and SASV": "interpolated",
    "09 voxceleb_trainer": "nearest-max",
    "10 torchmetrics' rule": "nearest-first",
    "11 ASVspoof 2019-5": "asvspoof",
    "12 pyeer": "fvc",
    "13 speechbrain": "nearest-last",
    "14 Kaldi (its own rank rule is not offered)": "interpolated",
}
for tool, definition in TOOLS.items():
    EER.row(tool)(lambda definition=definition: check_eer(definition))  # type: ignore[misc]


@FINDINGS.row("01 one five-trial set, five EERs, none named")
def _() -> None:
    found = {db.eer(counts("B"), method=method, exact=True) for method in RIGHT}
    assert found == {Fraction(2, 7), Fraction(5, 12), Fraction(1, 2), Fraction(7, 12), Fraction(2, 3)}


@FINDINGS.row("02 a constant classifier has an EER of 0 % to 100 %")
def _() -> None:
    for method in ("rocch", "interpolated", "nearest-first", "nearest-last", "fvc"):
        assert db.eer(counts("tied"), method=method) == 0.5
    assert db.equal_error(counts("tied"), method="nearest-max").value == 1


@FINDINGS.row("03 minimum cost depends on the order of lines")
def _() -> None:
    random = np.random.default_rng(0)
    scores, labels = np.round(random.normal(size=2000), 1), random.integers(0, 2, 2000)
    scores = np.round(scores + labels, 1)
    orders = [np.arange(2000), np.argsort(labels), np.argsort(-labels), random.permutation(2000)]
    found = {db.min_dcf(db.Counts.from_arrays(scores[o], labels[o]), preset="voxsrc") for o in orders}
    assert len(found) == 1


@FINDINGS.row("04 a sign forgotten in Cllr; hull figures not implemented")
def _() -> None:
    good = db.Counts.from_classes([2.0, 3.0, 1.0], [-2.0, -1.0, -3.0], scale="ln_lr")
    better = db.Counts.from_classes([4.0, 6.0, 2.0], [-4.0, -2.0, -6.0], scale="ln_lr")
    assert db.cllr(better) < db.cllr(good) < 1
    assert db.eer(good) == db.cllr_min(good) == 0


FINDINGS.wait("tandem costs and their command", "05 a_dcf's command can only fail")


@FINDINGS.row("06 infinite scores")
def _() -> None:
    assert db.cllr(counts("wrong side", "ln_lr")) == INF
    assert math.isfinite(db.cllr(counts("infinite", "ln_lr")))
    assert db.auc(counts("infinite"), exact=True) == Fraction(8, 9)


@FINDINGS.row("07 NaN sorted as the best score")
def _() -> None:
    with pytest.raises(InputError, match="2 missing"):
        db.Counts.from_classes([1, NAN], [0, NAN, -1])
    assert db.count(db.Trials.from_classes([1, NAN], [0, NAN], missing="drop")).total == 2
    failed = db.Trials.from_classes([1, NAN], [0, NAN], missing="reject")
    assert failed.n_failed == (1, 1)
    assert db.confusion(db.count(failed), threshold=-1e308) == db.Confusion(1, 1, 1, 1)


@FINDINGS.row("08 inverted scores")
def _() -> None:
    assert db.auc(counts("inverted")) == 0
    assert db.eer(counts("inverted")) == 0.5
    assert db.eer(counts("inverted"), method="interpolated") == 1
    turned = db.Counts.from_classes(*SETS["inverted"], higher="nontarget")
    assert db.auc(turned) == 1


FINDINGS.wait("all of it together: intervals, formats, plots", "09 no one tool offers it all")
FINDINGS.wait("intervals by source", "10 clustered intervals")

COST = {"c_miss": 1, "c_fa": 1}
TRAPS = ("01 PYLLR, sidekit, PyBOSARIS, hyperion", "02 ASVspoof 5", "03 NIST without an accept-all point")
ORDERED = ("04 Kaldi, VoxSRC, targets first", "05 the same, nontargets first", "06 DCA-PLDA", "07 expected_cost")


def least(name: str, p_target: float = 0.5, **more: bool) -> float:
    return float(db.min_dcf(counts(name), p_target=p_target, **COST, **more))


@MIN_DCF.row(*TRAPS, *ORDERED)
def _() -> None:
    assert least("A") == pytest.approx(2 / 3)
    assert least("B") == pytest.approx(1 / 2)
    assert least("tied") == 1
    assert least("mixed") == pytest.approx(2 / 3)
    assert least("inverted") == 1
    assert least("wrong side", 0.01) == 1
    for order in set(itertools.permutations([(1, 1), (1, 1), (2, 1), (1, 0), (1, 0), (0, 0)])):
        scores, labels = zip(*order, strict=True)
        assert db.min_dcf(db.Counts.from_arrays(scores, labels), p_target=0.5, **COST) == least("mixed")
    with pytest.raises(SingleClassError):
        db.min_dcf(db.Counts.from_classes([1, 2], []), p_target=0.01, **COST)


@MIN_DCF.row("08 speechbrain (unnormalised)")
def _() -> None:
    found = [least(name, normalise=False) for name in ("A", "B", "tied", "mixed", "inverted")]
    assert found == pytest.approx([1 / 3, 1 / 4, 1 / 2, 1 / 3, 1 / 2])
    assert least("wrong side", 0.01, normalise=False) == pytest.approx(0.01)


@COSTS.row("01 actual cost: accept at the threshold; NaN")
def _() -> None:
    at = db.bayes_threshold(0.25)
    counts = db.Counts.from_classes([at, 0.0], [at, -1.0], scale="ln_lr")
    assert db.act_dcf(counts, p_target=0.25, **COST) == pytest.approx(0.5 + 3 * 0.5)
    assert db.act_dcf(db.Counts.from_classes([-INF, INF], [-INF], scale="ln_lr"), p_target=0.5, **COST) == 0.5


CLLR = [0.99069, 1.01987, 1, 0.97938, 0.78696, 2.22966, 0.58828, INF, 0.94732]
CLLR_MIN = [0.66667, 0.57472, 1, 0.66667, 0, 1, 0.33333, 0.91830, 0.5]


@COSTS.row("02 Cllr of the sets")
def _() -> None:
    for name, want in zip(SETS, CLLR, strict=True):
        assert db.cllr(counts(name, "ln_lr")) == pytest.approx(want, abs=6e-6), name
    assert db.cllr(db.Counts.from_classes([-800], [0], scale="ln_lr")) == pytest.approx(0.5 + 400 / math.log(2))


@COSTS.row("03 minimum Cllr of the sets")
def _() -> None:
    for name, want in zip(SETS, CLLR_MIN, strict=True):
        assert db.cllr_min(counts(name)) == pytest.approx(want, abs=6e-6), name


@COSTS.row("04 Laplace's rule is an option with a name")
def _() -> None:
    separated = db.Counts.from_classes([1, 2], [-1, -2])
    assert db.cllr_min(separated) == 0
    assert db.cllr_min(separated, laplace=True) == pytest.approx(0.4150374992788439, rel=1e-14)


TABLES = (FINDINGS, EER, MIN_DCF, COSTS)


@pytest.mark.parametrize(("table", "name"), [(table, name) for table in TABLES for name in table.tests], ids=str)
def test_row(table, name):
    table.tests[name]()


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_no_row_is_dropped(table):
    table.check_complete()


def test_presets_print_what_differs_between_campaigns():
    sets = {"sre08": (0.01, 10, 1), "voxsrc": (0.05, 1, 1), "asvspoof5": (0.95, 1, 10)}
    data = db.Counts.from_classes([3.0, 1.0, 5.0], [2.0, -3.0, 0.0], scale="ln_lr")
    for name, (p_target, c_miss, c_fa) in sets.items():
        for metric in (db.act_dcf, db.min_dcf):
            assert metric(data, preset=name) == metric(data, p_target=p_target, c_miss=c_miss, c_fa=c_fa)
    both = [db.act_dcf(data, p_target=p, **COST) for p in (0.01, 0.005)]
    assert db.act_dcf(data, preset="sre16") == sum(both) / 2
