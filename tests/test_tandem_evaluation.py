"""Records of three-class trials: figures, groups, intervals that depend on nothing but the data, round trips."""

import json
import math

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, OptionError
from deciban.records.writing import as_csv, as_html, as_markdown, as_plain
from deciban.uncertainty.bootstrap.tandem import resampling_of

OFTEN = {"replicates": 60, "interval": "bootstrap"}


def simulated(seed=1, n=(40, 60, 90)):
    """A table with attacks, speakers, and scores of both systems."""
    generator = np.random.default_rng(seed)
    classes = np.repeat(["target", "nontarget", "spoof"], n)
    means = {"target": (3.0, 2.0), "nontarget": (-2.0, 2.0), "spoof": (2.0, -1.5)}
    asv, cm = (np.array([generator.normal(means[c][k], 1.0) for c in classes]).round(1) for k in (0, 1))
    attack = np.where(classes == "spoof", np.array(["A07", "A08", "A09"])[np.arange(classes.size) % 3], "-")
    return {
        "class": classes,
        "asv_score": asv,
        "cm_score": cm,
        "attack": attack,
        "speaker": np.arange(classes.size) % 12,
    }


@pytest.fixture
def table():
    return simulated()


def test_figures_are_those_of_the_functions(table):
    trials = db.scan_tandem(table).trials()
    counts, result = db.count_tandem(trials), db.evaluate_tandem(trials, cm_threshold=0.5, interval="none")
    assert result["min_t_dcf:cost=asvspoof2021"].value == db.min_t_dcf(counts, cost="asvspoof2021")
    assert result["act_t_dcf:cost=asvspoof2019"].value == db.act_t_dcf(counts, threshold=0.5, cost="asvspoof2019")
    assert result["t_eer"].value == db.t_eer(counts).value
    assert result["cm_eer"].value == db.eer(counts.cm)
    assert result["asv_eer:method=asvspoof"].value == db.eer(counts.asv.against("nontarget"), method="asvspoof")
    assert result.asv == db.asv_rates(counts)
    assert result.costs["asvspoof2021"]["c_fa_spoof"] == 10.0
    least = result.curves["asvspoof2021"].t_dcf.min()
    assert least == result["min_t_dcf:cost=asvspoof2021"].value
    with pytest.raises(OptionError, match="was not evaluated"):
        result["nothing"]


def test_one_system(table):
    trials = db.scan_tandem(table, sasv="asv_score", scores=["sasv"]).trials()
    counts, result = db.count_tandem(trials), db.evaluate_tandem(trials, sasv_threshold=1.0, interval="none")
    assert list(result.trials) == ["sasv"]
    assert result["min_a_dcf:cost=a-dcf"].value == db.min_a_dcf(counts, cost="a-dcf")
    assert result["act_a_dcf:cost=asvspoof5"].value == db.act_a_dcf(counts, threshold=1.0, cost="asvspoof5")
    for name, against in (("sasv_eer", "both"), ("sv_eer", "nontarget"), ("spf_eer", "spoof")):
        assert result[name].value == db.eer(counts.sasv.against(against))
    assert result.asv is None
    assert not result.curves


def test_groups_share_bona_fide_trials_and_the_verifier_s_threshold(table):
    trials = db.scan_tandem(table, conditions="attack").trials()
    result = db.evaluate_tandem(trials, by="attack", interval="none")
    assert [group.by for group in result.groups] == [{"attack": name} for name in ("A07", "A08", "A09")]
    assert {group.shared for group in result.groups} == {100}
    group = result.groups[1]
    assert (group.trials["asv"].target, group.trials["asv"].spoof) == (40, 30)
    mine = trials.select(np.isin(table["attack"], ["-", "A08"]))
    at = result.asv.threshold
    assert group.metrics["min_t_dcf:cost=asvspoof2021"].value == db.min_t_dcf(
        db.count_tandem(mine), cost="asvspoof2021", asv=at
    )
    assert "By attack (100 trials without a value belong to every group)" in str(result)
    with pytest.raises(InputError, match="no condition column 'codec'"):
        db.evaluate_tandem(trials, by="codec")


def test_two_tables_are_as_good_as_one(table):
    both = db.scan_tandem(table, conditions="attack").trials()
    asv = db.scan_tandem(table, scores=["asv"], conditions="attack").trials()
    cm = db.scan_tandem(table, scores=["cm"], conditions="attack").trials()
    one, two = (db.evaluate_tandem(*data, by="attack", interval="none") for data in ((both,), (asv, cm)))
    assert dict(one.metrics) == dict(two.metrics)
    assert [group.metrics for group in one.groups] == [group.metrics for group in two.groups]
    without = db.scan_tandem(table, scores=["asv"]).trials()
    third = db.evaluate_tandem(without, cm, by="attack", interval="none")
    assert third.groups[0].trials["asv"].spoof == 90
    assert third.groups[0].trials["cm"].spoof == 30


@pytest.mark.parametrize("cut", ["A07", "A09"])
def test_an_attack_that_one_table_lacks_has_no_figure_of_both(table, cut):
    """The verifier's table has no spoof of one attack: its group keeps what each system has, the others keep all."""
    has = table["attack"] != cut
    asv = {name: column[has] for name, column in table.items() if name != "cm_score"}
    cm = {name: column for name, column in table.items() if name != "asv_score"}
    tables = [db.scan_tandem(each, conditions="attack") for each in (asv, cm)]
    result = db.evaluate_tandem(*tables, by="attack", interval="none")
    whole = db.evaluate_tandem(db.scan_tandem(table, conditions="attack"), asv=result.asv.threshold, by="attack")
    for group, complete in zip(result.groups, whole.groups, strict=True):
        lacking = {name for name, figure in group.metrics.items() if figure.value is None}
        if group.by == {"attack": cut}:
            assert {group.metrics[name].reason for name in lacking} == {"single_class"}
            assert {"t_eer", "min_t_dcf:cost=asvspoof2019"} <= lacking
            assert (group.trials["asv"].spoof, group.trials["asv"].target, group.trials["cm"].spoof) == (0, 40, 30)
        else:
            assert not lacking
        for name in set(group.metrics) - lacking:
            assert group.metrics[name].value == complete.metrics[name].value
    found = [each for each in result.findings if each.code == "ONE-TABLE"]
    assert [each.data for each in found] == [{"groups": {f"attack={cut}": ["asv"]}}]
    assert not [each for each in whole.findings if each.code == "ONE-TABLE"]


def test_a_codec_that_one_table_lacks_crossed_with_attacks(table):
    codec = np.array(["x", "y"])[np.arange(190) % 2]
    asv = {name: column[codec == "x"] for name, column in {**table, "codec": codec}.items()}
    tables = [
        db.scan_tandem(held, scores=[score], conditions=("attack", "codec"))
        for score, held in (("asv", asv), ("cm", {**table, "codec": codec}))
    ]
    result = db.evaluate_tandem(*tables, by="attack,codec", interval="none")
    assert len(result.groups) == 6
    for group in result.groups:
        assert (group.metrics["t_eer"].value is None) == (group.by["codec"] == "y")
        assert group.metrics["cm_eer"].value is not None


def test_rates_of_a_verifier_that_is_not_there(table):
    cm = db.scan_tandem(table, scores=["cm"]).trials()
    result = db.evaluate_tandem(cm, asv="asvspoof5", interval="none")
    assert result.asv.p_fa_spoof == 0.4607082907604729
    assert result["min_t_dcf:cost=asvspoof2021"].value == db.min_t_dcf(
        db.count_tandem(cm), cost="asvspoof2021", asv="asvspoof5"
    )
    assert "min_t_dcf:cost=asvspoof2021" not in db.evaluate_tandem(cm, interval="none").metrics
    with pytest.raises(OptionError, match="needs its scores"):
        db.evaluate_tandem(cm, asv=1.0)


def test_a_figure_without_a_value_says_why():
    trials = db.TandemTrials.from_arrays(["target", "nontarget"], asv=[1, 0], cm=[1, 0])
    result = db.evaluate_tandem(trials, **OFTEN)
    assert result["cm_eer"].reason == "single_class"
    assert result["asv_eer"].value == 0.0
    trials = db.TandemTrials.from_arrays(["target", "nontarget", "spoof"], asv=[1, 0, -1], cm=[1, 0, 0])
    assert db.evaluate_tandem(trials, interval="none")["min_t_dcf:cost=asvspoof2021"].reason == "undefined_ratio"


@pytest.mark.parametrize("sources", [(), ("speaker",)])
def test_intervals_depend_on_data_and_seed_alone(table, sources):
    order = np.random.default_rng(3).permutation(len(table["class"]))
    shuffled = {name: column[order] for name, column in table.items()}
    first, again = (
        db.evaluate_tandem(db.scan_tandem(each, sources=sources), **OFTEN, seed=4) for each in (table, shuffled)
    )
    assert dict(first.metrics) == dict(again.metrics)
    interval = first["t_eer"].interval
    assert interval.resampled == ("sources" if sources else "trials")
    assert 0.0 <= interval.low <= first["t_eer"].value <= interval.high
    assert {"DEP-UNKNOWN"} & {finding.code for finding in first.findings} == (set() if sources else {"DEP-UNKNOWN"})


def test_replicates_keep_the_numbers_of_each_class(table):
    trials = db.scan_tandem(table).trials()
    generator = np.random.default_rng(0)
    drawn = resampling_of([trials]).draw(generator, half=False)
    assert (drawn.asv.total_target, drawn.asv.total_nontarget, drawn.asv.total_spoof) == (40, 60, 90)
    assert (drawn.cm.total_target, drawn.cm.total_nontarget) == (100, 90)
    half = resampling_of([trials]).draw(generator, half=True)
    assert (half.asv.total_target, half.asv.total_spoof) == (20, 45)


def test_a_speaker_is_drawn_in_both_tables_or_in_none():
    classes = ["target", "nontarget", "spoof"] * 4
    speaker = np.repeat(list("abcd"), 3)
    score = np.repeat([0.0, 1.0, 2.0, 3.0], 3)
    asv, cm = (db.TandemTrials.from_arrays(classes, **{name: score}, sources=speaker) for name in ("asv", "cm"))
    drawn = resampling_of([asv, cm]).draw(np.random.default_rng(2), half=False)
    of_asv = dict(zip(drawn.asv.score.tolist(), drawn.asv.n_spoof.tolist(), strict=True))
    of_cm = dict(zip(drawn.cm.score.tolist(), drawn.cm.n_nontarget.tolist(), strict=True))
    assert {score: n for score, n in of_asv.items() if n} == of_cm
    with pytest.raises(InputError, match="one table names other sources"):
        resampling_of([asv, db.TandemTrials.from_arrays(classes, cm=score)])


def test_every_form_of_the_record(table):
    result = db.evaluate_tandem(db.scan_tandem(table, conditions="attack"), by="attack", **OFTEN)
    again = db.TandemEvaluation.from_json(result.to_json())
    assert again.to_json() == result.to_json()
    assert json.loads(result.to_json())["schema"] == "deciban.tandem/1"
    assert as_csv(result).splitlines()[0] == "group,metric,value,unit,reason,low,high"
    assert "attack=A07/t_eer " in as_plain(result)
    assert "## Figures" in as_markdown(result)
    assert as_html(result) == result._repr_html_()
    frame = result.to_frame("pandas")
    assert set(frame["group"]) == {"", "attack=A07", "attack=A08", "attack=A09"}


def test_missing_scores_and_the_wrong_direction_are_told(table):
    turned = {**table, "cm_score": -table["cm_score"]}
    turned["asv_score"] = turned["asv_score"].copy()
    turned["asv_score"][0] = math.nan
    result = db.evaluate_tandem(db.scan_tandem(turned, missing="drop"), interval="none")
    assert {"DIRECTION", "MISSING", "POST-HOC"} <= {finding.code for finding in result.findings}


def test_missing_intervals_are_told_where_they_were_not_refused():
    large = db.TandemTrials.from_arrays(["target", "nontarget", "spoof"] * 3334, sasv=[2, 1, 0] * 3334)
    assert "NO-INTERVAL" in {finding.code for finding in db.evaluate_tandem(large).findings}
    codes = {finding.code for finding in db.evaluate_tandem(large, interval="none").findings}
    assert not {"NO-INTERVAL", "DEP-UNKNOWN"} & codes


def test_the_direction_is_that_of_the_auc():
    """With ties the EER of the organisers' rule is above 1/2 for systems that tell the classes apart: AUC 5/8."""
    classes = np.repeat(["target", "nontarget", "spoof"], 4)
    one_accepted = [1] + [0] * 11
    tied = db.TandemTrials.from_arrays(classes, asv=one_accepted, cm=one_accepted)
    result = db.evaluate_tandem(tied, interval="none")
    assert result["asv_eer:method=asvspoof"].value == 0.75
    assert "DIRECTION" not in {finding.code for finding in result.findings}
    turned = db.TandemTrials.from_arrays(classes, sasv=[0, 0, 0, 1] + [1] * 8)
    (found,) = (each for each in db.evaluate_tandem(turned, interval="none").findings if each.code == "DIRECTION")
    assert (found.metric, found.data) == ("sasv_eer", {"auc": 0.125})


def test_a_countermeasure_alone_is_an_ordinary_record(table, tmp_path):
    path = tmp_path / "scores.csv"
    rows = zip(*table.values(), strict=True)
    path.write_text("\n".join([",".join(table), *(",".join(map(str, row)) for row in rows)]) + "\n")
    scanned = db.scan_tandem(path, conditions="attack")
    result = db.evaluate_spoofing(scanned, scale="ln_lr", by="attack", interval="none")
    assert list(result.metrics)[:3] == ["eer", "eer:method=asvspoof", "auc"]
    assert (result.trials.n_target, result.trials.n_nontarget) == (100, 90)
    assert {group.shared for group in result.groups} == {100}
    assert db.verify(result).changes == ()
    against_spoofs = db.evaluate_spoofing(scanned, "asv", against="spoof", interval="none")
    assert (against_spoofs.trials.n_target, against_spoofs.trials.n_nontarget) == (40, 90)
    assert db.verify(against_spoofs).changes == ()


def test_what_a_table_lacks_is_said(table):
    with pytest.raises(InputError, match="which column is the score"):
        db.scan_tandem({"class": ["target"], "x": [1.0]})
    with pytest.raises(InputError, match="which is the class column"):
        db.scan_tandem({"asv_score": [1.0], "x": [1.0]})
    with pytest.raises(InputError, match="no column 'asv_scores'; did you mean 'asv_score'"):
        db.scan_tandem(table, asv="asv_scores")
    with pytest.raises(InputError, match="expected TandemTrials or a table"):
        db.evaluate_tandem(table)
