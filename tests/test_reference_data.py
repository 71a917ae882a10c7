"""Published and independently recomputed figures of public data, to the digits given."""

import csv
import gzip
import math
from fractions import Fraction
from typing import Any

import pytest

import deciban as db
from deciban.passes.pool import pool
from tests.shared_data import shared

Rows = list[dict[str, str]]


def read(name: str) -> Rows:
    path = shared(f"data/{name}")
    opener: Any = gzip.open if name.endswith(".gz") else open
    with opener(path, "rt", newline="") as file:
        return list(csv.DictReader(file))


def counts(rows: Rows, score: str, label: str, target: object, scale: str = "score", **more: Any) -> db.Counts:
    scores = [float(row[score]) for row in rows]
    return db.Counts.from_arrays(scores, [row[label] for row in rows], target=target, scale=scale, **more)


def agrees(value: float, printed: str | float) -> bool:
    """Equal in every digit that is printed (the last of them rounded)."""
    digits = str(printed)
    places = len(digits.partition(".")[2])
    return abs(value - float(digits)) <= 0.5000001 * 10.0**-places


PARTS = {
    0.5: {"accuracy": ".880000", "precision": ".714286", "recall": ".454545", "f1": ".555556"},
    0.3: {"accuracy": ".830000", "precision": ".491228", "recall": ".848485", "f1": ".622222"},
}


def test_parts():
    data = counts(read("parts_standin.csv"), "score", "defective", 1, "probability")
    assert (data.total, data.total_target) == (200, 33)
    assert db.baseline_accuracy(data) == 0.835
    assert db.pair_counts(data) == (4964, 3, 544)
    assert db.auc(data, exact=True) == Fraction(9931, 11022)
    tables = {threshold: db.confusion(data, threshold=threshold) for threshold in PARTS}
    assert tables[0.5] == db.Confusion(15, 6, 18, 161)
    assert tables[0.3] == db.Confusion(28, 29, 5, 138)
    assert db.precision(data, threshold=0.5, exact=True) == Fraction(5, 7)
    for threshold, figures in PARTS.items():
        for name, printed in figures.items():
            assert agrees(getattr(db, name)(data, threshold=threshold), printed), name


def test_cartridge_cases():
    data = counts(read("nfi_cartridges.csv"), "log10_lr", "same_source", "1", "log10_lr")
    assert (data.total_target, data.total_nontarget) == (188, 477)
    assert agrees(db.cllr(data), ".6487865136")
    assert agrees(db.cllr_min(data), ".4745724018")
    assert agrees(db.cllr_cal(data), ".1742141118")
    assert db.auc(data, exact=True) == Fraction(40709, 44838)
    assert db.eer(data, exact=True) == Fraction(131, 947)


@pytest.fixture(scope="module")
def evalita() -> db.Counts:
    return counts(read("ru2009.csv.gz"), "score", "target", "TRUE", "ln_lr")


def test_speakers_of_evalita_2009(evalita):
    assert (evalita.total_target, evalita.total_nontarget) == (15252, 9600)
    assert db.eer(evalita, exact=True) == Fraction(139369, 1800980)
    assert agrees(db.eer(evalita, method="interpolated"), ".0777083333")
    # Also printed as .9776373554, which no number of pairs gives; scikit-learn agrees with the fraction.
    assert db.auc(evalita, exact=True) == Fraction(286289759, 292838400)
    assert agrees(db.cllr(evalita), ".2898528545")
    assert agrees(db.cllr_min(evalita), ".2713229206")


EVALITA_COSTS = [
    ({"p_target": 0.01, "c_miss": 10, "c_fa": 1}, ".035877871754524004", ".034593062385260914", False),
    ({"p_target": 0.01, "c_miss": 10, "c_fa": 1}, ".35877871755", ".34593062385", True),
    ({"preset": "sre08"}, ".35877871755", ".34593062385", True),
    ({"p_target": 0.5, "c_miss": 10, "c_fa": 1}, ".23094942466561763", ".21843024685287174", False),
    ({"p_target": 0.5, "c_miss": 10, "c_fa": 1}, ".46189884933", ".43686049371", True),
]


@pytest.mark.parametrize(("cost", "actual", "least", "normalise"), EVALITA_COSTS)
def test_costs_of_evalita_2009(evalita, cost, actual, least, normalise):
    for metric, printed in ((db.act_dcf, actual), (db.min_dcf, least)):
        value = metric(evalita, normalise=normalise, **cost)
        assert abs(value - float(printed)) <= max(1e-14, 0.51 * 10.0 ** -(len(printed) - 1)), metric.__name__


def test_bayes_error_of_evalita_2009(evalita):
    """At prior log-odds −ln 9.9."""
    cost = {"p_target": 1 / 10.9, "c_miss": 1, "c_fa": 1, "normalise": False}
    assert db.act_dcf(evalita, **cost) == pytest.approx(0.03291547867387523, rel=1e-14)
    assert db.min_dcf(evalita, **cost) == pytest.approx(0.03173675448189074, rel=1e-14)


def test_heavy_ties():
    data = counts(read("bob_nonsep.csv"), "score", "label", "1", "ln_lr")
    assert (data.total_target, data.total_nontarget) == (50, 50)
    assert db.eer(data, exact=True) == Fraction(32, 275)
    assert agrees(db.eer(data, method="interpolated"), ".1166666667")
    fn, fp = pool(data).hull()
    assert (fp[::-1] / 50).tolist() == [1, 0.68, 0.28, 0.1, 0.06, 0, 0]
    assert (fn[::-1] / 50).tolist() == [0, 0, 0.08, 0.12, 0.22, 0.48, 1]
    assert agrees(db.cllr(data), "3.6183345757")
    assert agrees(db.cllr_min(data), ".4030620105")


def test_missing_scores_are_dropped():
    with shared("data/bob_dev1_with_nan.txt").open() as file:
        table = [line.split() for line in file]
    labels, scores = [int(row[0]) for row in table], [float(row[1]) for row in table]
    with pytest.raises(db.InputError, match=r"54 missing .*rows "):
        db.Trials.from_arrays(scores, labels, scale="ln_lr")
    trials = db.Trials.from_arrays(scores, labels, scale="ln_lr", missing="drop")
    data = db.count(trials)
    assert trials.dropped == 54
    assert (data.total_target, data.total_nontarget) == (451, 495)
    assert agrees(db.eer(data), ".0615788706")
    assert agrees(db.eer(data, method="interpolated"), ".0620842572")
    assert agrees(db.cllr(data), ".7354675473")
    assert agrees(db.cllr_min(data), ".3182850400")


def test_missing_scores_are_never_accepted():
    with shared("data/bob_dev1_with_nan.txt").open() as file:
        table = [line.split() for line in file]
    labels, scores = [int(row[0]) for row in table], [float(row[1]) for row in table]
    rejected = db.Trials.from_arrays(scores, labels, missing="reject")
    assert rejected.n_failed == (28, 26)
    found = db.confusion(db.count(rejected), threshold=-1e300)
    assert (found.p_miss, found.p_fa) == (28 / 479, 495 / 521)


@pytest.mark.parametrize(
    ("marker", "auc", "printed"),
    [
        ("s100b", Fraction(2159, 2952), ".7313685637"),
        ("wfns", Fraction(1621, 1968), ".8236788618"),
        ("ndka", Fraction(3613, 5904), ".6119579946"),
    ],
)
def test_haemorrhage(marker, auc, printed):
    data = counts(read("asah.csv"), marker, "outcome", "Poor")
    assert data.total == 113
    assert db.auc(data, exact=True) == auc
    assert agrees(db.auc(data), printed)


@pytest.mark.parametrize(
    ("forecast", "printed"),
    [("Logistic", ".2057461719"), ("EMOS", ".2320251794"), ("ENS", ".2661676743"), ("EPC", ".2342817554")],
)
def test_rain_in_niamey(forecast, printed):
    rows = read("niamey2016.csv")
    labels = [int(float(row["obs"])) for row in rows]
    data = db.Counts.from_arrays([float(row[forecast]) for row in rows], labels, scale="probability")
    assert data.total == 92
    assert agrees(db.brier(data), printed)
    share = data.total_target / data.total
    assert agrees(share * (1 - share), ".2442107750")


@pytest.fixture(scope="module")
def asvspoof() -> Rows:
    return read("asvspoof5_fusion_dev.csv.gz")


def test_countermeasure_of_asvspoof5(asvspoof):
    labels = [int(float(row["sasv_label"])) for row in asvspoof]
    scores = [float(row["cm_score"]) for row in asvspoof]
    data = db.Counts.from_arrays(scores, labels, target=(1, 2), nontarget=0, scale="ln_lr")
    assert (data.total_target, data.total_nontarget) == (1484 + 5768, 22296)
    assert agrees(db.eer(data), ".0057181233")
    assert agrees(db.eer(data, method="asvspoof"), ".0061973179")
    assert agrees(db.eer(data, method="interpolated"), ".0062051848")
    assert agrees(db.auc(data), ".9994233616")
    assert agrees(db.cllr(data), ".0281906183")
    assert agrees(db.cllr_min(data), ".0245369195")
    assert agrees(db.act_dcf(data, preset="asvspoof5"), ".0180241532")
    assert agrees(db.min_dcf(data, preset="asvspoof5"), ".0163198116")


def test_speaker_verification_of_asvspoof5(asvspoof):
    labels = [int(float(row["sasv_label"])) for row in asvspoof]
    scores = [float(row["asv_score"]) for row in asvspoof]
    data = db.Counts.from_arrays(scores, labels, target=1, nontarget=2, ignore=0)
    assert agrees(db.eer(data), ".0175013656")
    threshold = db.equal_error(data, method="asvspoof").threshold
    assert threshold == 0.442594051361084
    found = db.confusion(data, threshold=threshold)
    assert agrees(found.p_miss, ".0181940701")
    assert agrees(found.p_fa, ".0185506241")
    spoof = db.Counts.from_arrays(scores, labels, target=1, nontarget=0, ignore=2)
    assert agrees(db.p_fa(spoof, threshold=threshold), ".4179673484")


def test_agreement_means_every_printed_digit():
    assert agrees(0.12345, ".1235")
    assert agrees(math.pi, "3.14")
    assert not agrees(0.1236, ".1235")
