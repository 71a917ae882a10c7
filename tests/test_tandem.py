"""Three-class trials: what the validator refuses, what is counted, costs and rates; values of the ASVspoof 5 data."""

import math
import pickle

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, NeedsTrialsError, OptionError, SingleClassError, UndefinedMetricError
from deciban.metrics.tandem.costs import SPOOF_AWARE_PRESETS, TANDEM_PRESETS
from tests.shared_data import shared

CLASSES = ["target", "nontarget", "spoof"]
ASV = db.ThreeClassCounts.from_classes([3, 4, 5], [0, 1, 3], [1, 4])
CM = db.Counts.from_classes([3, 4, 5], [0, 1, 3])


def test_trials_keep_what_they_were_given():
    codes, scores = np.array(CLASSES), np.array([2.0, -0.0, math.inf])
    trials = db.TandemTrials.from_arrays(codes, asv=scores, conditions={"attack": ["-", "-", "A07"]}, sources=["a"] * 3)
    scores[0] = 9.0
    assert trials.scores["asv"].tolist() == [2.0, 0.0, math.inf]
    assert trials.numbers() == {"target": 1, "nontarget": 1, "spoof": 1, "bonafide": 0}
    assert not trials.scores["asv"].flags.writeable
    assert pickle.loads(pickle.dumps(trials)) == trials
    assert trials.select([2]).numbers()["spoof"] == 1
    assert trials != trials.select([2])


def test_every_problem_is_told_at_once():
    with pytest.raises(InputError) as raised:
        db.TandemTrials.from_arrays(
            ["target", "spoof", "fake", "fake"], asv=[1, math.nan, 2, 3], cm=["x", 1.0, 2.0, None], name="scores.csv"
        )
    message = str(raised.value)
    assert "asv scores: 1 missing (NaN or null) at row 2" in message
    assert "cm scores" in message
    assert "unknown label 'fake' (2)" in message
    assert "--spoof" in message


def test_values_of_classes():
    trials = db.TandemTrials.from_arrays(
        [1.0, 2.0, 0.0, 7.0], asv=[1, 2, 3, 4], target=1, nontarget=2, spoof=0, ignore=7
    )
    assert len(trials) == 3
    assert trials.labels["target"] == ("1",)
    assert trials.row.tolist() == [0, 1, 2]
    with pytest.raises(InputError, match="'target' stands both for"):
        db.TandemTrials.from_arrays(CLASSES, asv=[1, 2, 3], spoof=["spoof", "target"])
    with pytest.raises(InputError, match="2 missing label"):
        db.TandemTrials.from_arrays(["target", None, None], asv=[1, 2, 3])
    unseen = db.TandemTrials.from_arrays(CLASSES, asv=[1, 2, 3], ignore="other")
    assert unseen.assumed == ("no label equals 'other', which ignore names",)


def test_bona_fide_speech_without_a_claim_is_for_countermeasures():
    trials = db.TandemTrials.from_arrays(["bonafide", "spoof"], cm=[1, 0])
    assert db.count_tandem(trials).cm == db.Counts.from_classes([1], [0])
    with pytest.raises(InputError, match="bona fide without a claim"):
        db.TandemTrials.from_arrays(["bonafide", "spoof"], cm=[1, 0], asv=[1, 0])


def test_missing_scores():
    given = {"asv": [1.0, math.nan, 3.0, 4.0], "cm": [1.0, 2.0, math.nan, 0.0]}
    classes = [*CLASSES, "target"]
    dropped = db.TandemTrials.from_arrays(classes, **given, missing="drop")
    assert (len(dropped), dropped.dropped) == (2, 2)
    rejected = db.TandemTrials.from_arrays(classes, **given, missing="reject")
    assert (rejected.scores["asv"][1], rejected.failed) == (-math.inf, 2)
    with pytest.raises(InputError, match="every trial lacks one"):
        db.TandemTrials.from_arrays(["target"], asv=[math.nan], missing="drop")


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, OptionError, "expected scores"),
        ({"asv": [1, 2]}, InputError, "one length"),
        ({"asv": [1, 2, 3], "missing": "ignore"}, OptionError, "missing"),
    ],
)
def test_wrong_use(arguments, error, words):
    with pytest.raises(error, match=words):
        db.TandemTrials.from_arrays(CLASSES, **arguments)


def test_counts():
    assert ASV.against("nontarget") == db.Counts.from_classes([3, 4, 5], [0, 1, 3])
    assert ASV.against("both") == db.Counts.from_classes([3, 4, 5], [0, 1, 3, 1, 4])
    assert ASV.bona_fide() == db.Counts.from_classes([3, 4, 5, 0, 1, 3], [1, 4])
    with pytest.raises(InputError, match="increasing order"):
        db.ThreeClassCounts([1, 1], [1, 0], [0, 1], [0, 0])
    with pytest.raises(InputError, match="one length"):
        db.ThreeClassCounts([1, 2], [1], [0, 1], [0, 0])
    with pytest.raises(InputError, match="counts >= 0"):
        db.ThreeClassCounts([1], [-1], [0], [0])
    both = db.TandemTrials.from_arrays(CLASSES, asv=[1, 2, 3])
    with pytest.raises(InputError, match="two tables have asv scores"):
        db.count_tandem(both, both)
    with pytest.raises(InputError, match="expected TandemTrials, found Counts"):
        db.count_tandem(CM)


def test_what_a_figure_needs_is_said():
    with pytest.raises(NeedsTrialsError, match="--asv-score"):
        db.asv_rates(db.TandemCounts(cm=CM))
    with pytest.raises(NeedsTrialsError, match="--cm-score"):
        db.t_eer(db.TandemCounts(asv=ASV))
    with pytest.raises(NeedsTrialsError, match="--score"):
        db.min_a_dcf(db.TandemCounts(asv=ASV), cost="a-dcf")
    empty = db.ThreeClassCounts.from_classes([1, 2], [0], [])
    with pytest.raises(SingleClassError, match="there is no spoof"):
        db.asv_rates(db.TandemCounts(asv=empty))
    with pytest.raises(OptionError, match="did you mean 'asvspoof2021'"):
        db.min_t_dcf(db.TandemCounts(cm=CM), cost="asvspof2021", asv="asvspoof5")
    with pytest.raises(OptionError, match="asv: expected one of asvspoof5"):
        db.min_t_dcf(db.TandemCounts(cm=CM), cost="asvspoof2021", asv="asvspoof2021")


@pytest.mark.parametrize("figure", [db.asv_rates, db.min_t_dcf, db.act_t_dcf, db.t_dcf_curve, db.min_a_dcf, db.t_eer])
def test_something_else_than_tandem_counts(figure):
    trials = db.TandemTrials.from_arrays(CLASSES, asv=[1, 2, 3])
    with pytest.raises(InputError, match=r"expected TandemCounts, found TandemTrials: use deciban.count_tandem"):
        figure(trials)
    with pytest.raises(InputError, match="expected TandemCounts, found Counts: for arrays use"):
        figure(counts=CM)


def test_costs_are_checked():
    with pytest.raises(OptionError, match="sum of 1"):
        db.SpoofAwareCost(p_target=0.9, p_nontarget=0.05, p_spoof=0.06, c_miss=1, c_fa=1, c_fa_spoof=1)
    with pytest.raises(OptionError, match="c_fa: expected a finite cost above 0"):
        db.TandemCost(p_target=0.9, p_nontarget=0.05, p_spoof=0.05, c_miss=1, c_fa=-1, c_fa_spoof=1)
    with pytest.raises(OptionError, match="p_spoof: expected a share"):
        db.TandemCost(p_target=0.9, p_nontarget=0.1, p_spoof=0.0, c_miss=1, c_fa=1, c_fa_spoof=1)
    with pytest.raises(OptionError, match="p_fa: expected a rate"):
        db.AsvRates(p_miss=0.1, p_fa=1.1, p_fa_spoof=0.1)


@pytest.mark.parametrize("cost", TANDEM_PRESETS)
@pytest.mark.parametrize("rates", [(1.0, 0.0, 0.5), (0.1, 0.1, 0.0)], ids=["C1", "C2"])
def test_a_countermeasure_with_nothing_to_weigh_is_refused(cost, rates):
    asv = db.AsvRates(p_miss=rates[0], p_fa=rates[1], p_fa_spoof=rates[2])
    with pytest.raises(UndefinedMetricError, match=r"C1 = .* C2 = .* above 0"):
        db.min_t_dcf(db.TandemCounts(cm=CM), cost=cost, asv=asv)


@pytest.mark.parametrize("cost", TANDEM_PRESETS)
def test_perfect_and_uninformative_countermeasures(cost):
    perfect = db.TandemCounts(asv=ASV, cm=db.Counts.from_classes([2, 3], [0, 1]))
    curve = db.t_dcf_curve(perfect, cost=cost)
    assert db.min_t_dcf(perfect, cost=cost) == pytest.approx(curve.floor, abs=1e-15)
    assert (curve.floor == 0.0) == (cost == "asvspoof2019")
    alike = db.TandemCounts(asv=ASV, cm=db.Counts.from_classes([1, 1], [1, 1]))
    assert db.min_t_dcf(alike, cost=cost) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("cost", SPOOF_AWARE_PRESETS)
def test_perfect_and_uninformative_systems(cost):
    perfect = db.TandemCounts(sasv=db.ThreeClassCounts.from_classes([2, 3], [0, 1], [1, 0]))
    assert db.min_a_dcf(perfect, cost=cost) == 0.0
    alike = db.TandemCounts(sasv=db.ThreeClassCounts.from_classes([1], [1], [1]))
    assert db.min_a_dcf(alike, cost=cost) == 1.0
    assert db.t_eer(db.TandemCounts(asv=perfect.sasv, cm=db.Counts.from_classes([2], [1]))).value == 0.0


@pytest.fixture(scope="module")
def fusion_dev():
    return db.scan_tandem(shared("data/asvspoof5_fusion_dev.csv.gz"), target=1, nontarget=2, spoof=0)


def test_published_data_of_asvspoof_5(fusion_dev):
    trials = fusion_dev.trials()
    counts = db.count_tandem(trials)
    found = {
        "rocch": db.eer(counts.cm),
        "asvspoof": db.eer(counts.cm, method="asvspoof"),
        "interpolated": db.eer(counts.cm, method="interpolated"),
        "asv": db.eer(counts.asv.against("nontarget")),
        "t_dcf_2021": db.min_t_dcf(counts, cost="asvspoof2021"),
        "t_dcf_2019": db.min_t_dcf(counts, cost="asvspoof2019"),
        "t_dcf_fixed": db.min_t_dcf(counts, cost="asvspoof2021", asv="asvspoof5"),
    }
    for name in ("asv", "cm"):
        one = db.TandemTrials.from_arrays(trials.code, sasv=trials.scores[name], target=0, nontarget=1, spoof=2)
        found[f"a_dcf_{name}"] = db.min_a_dcf(db.count_tandem(one), cost="a-dcf")
    assert found == pytest.approx(
        {
            "rocch": 0.0057181233,
            "asvspoof": 0.0061973179,
            "interpolated": 0.0062051848,
            "asv": 0.0175013656,
            "t_dcf_2021": 0.1086502486,
            "t_dcf_2019": 0.02815024927,
            "t_dcf_fixed": 0.1024243298,
            "a_dcf_asv": 0.3795469929,
            "a_dcf_cm": 0.5299250982,
        },
        abs=6e-11,
    )
    rates = db.asv_rates(counts)
    assert rates.threshold == 0.442594051361084
    assert (rates.p_miss, rates.p_fa, rates.p_fa_spoof) == pytest.approx(
        (0.0181940701, 0.0185506241, 0.4179673484), abs=6e-11
    )
    t_eer = db.t_eer(counts)
    assert (t_eer.value, t_eer.p_miss, t_eer.p_fa_nontarget) == pytest.approx(
        (0.0198969883, 0.0198186800, 0.0197315122), abs=6e-11
    )


def test_published_data_as_likelihood_ratios(fusion_dev):
    result = db.evaluate_spoofing(fusion_dev, scale="ln_lr", interval="none")
    assert {key: result[key].value for key in ("auc", "cllr", "cllr_min")} == pytest.approx(
        {"auc": 0.9994233616, "cllr": 0.0281906183, "cllr_min": 0.0245369195}, abs=6e-11
    )
    assert result["act_dcf:preset=asvspoof5"].value == pytest.approx(0.0180241532, abs=6e-11)
    assert result["min_dcf:preset=asvspoof5"].value == pytest.approx(0.0163198116, abs=6e-11)


def test_a_million_trials_take_seconds():
    generator = np.random.default_rng(0)
    asv = db.ThreeClassCounts.from_classes(*(generator.normal(mean, 1, 100_000).round(4) for mean in (3, -2, 2)))
    cm = db.Counts.from_classes(generator.normal(2, 1, 200_000).round(4), generator.normal(-2, 1, 200_000).round(4))
    counts = db.TandemCounts(asv=asv, cm=cm)
    found = db.t_eer(counts)
    assert abs(found.p_miss - found.p_fa_spoof) < 1e-3
    assert 0.0 < db.min_t_dcf(counts, cost="asvspoof2021") < 1.0
