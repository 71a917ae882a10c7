"""Intervals of an evaluation: the closed forms, the bootstrap, and the reason where there is none."""

import pytest

import deciban as db
from deciban.errors import OptionError

SCORES = [2.0, 1.0, -0.5, 3.0, 0.5, -1.0, -2.0, 0.0, 1.5, -3.0]
LABELS = [1, 1, 1, 1, 0, 0, 0, 0, 1, 0]
SPEAKERS = ["a", "a", "b", "b", "c", "c", "d", "d", "e", "e"]


def trials(**more):
    return db.Trials.from_arrays(SCORES, LABELS, scale="ln_lr", **more)


def test_closed_forms_are_the_functions():
    data = trials()
    counts = db.count(data)
    result = db.evaluate(data, level=0.9, auc_interval="newcombe", proportion="jeffreys")
    assert result["auc"].interval == db.auc_interval(counts, 0.9, "newcombe")
    assert result["cllr"].interval == db.cllr_interval(counts, 0.9)
    assert result["brier"].interval == db.brier_interval(counts, 0.9)
    # Accepted at LR = 1: targets 2, 1, 3 and 1.5 of five, nontargets 0.5 and 0 of five.
    row = result.thresholds[0]
    assert (row.tp, row.fp) == (4, 2)
    assert row.metrics["recall"].interval == db.proportion_interval(4, 5, 0.9, "jeffreys")
    assert row.metrics["precision"].interval == db.proportion_interval(4, 6, 0.9, "jeffreys")
    assert row.metrics["accuracy"].interval == db.proportion_interval(7, 10, 0.9, "jeffreys")


def test_no_interval_says_why():
    assert db.evaluate(trials(), interval="closed")["eer"].interval_reason == "not_computed"
    none = db.evaluate(trials(), interval="none")
    assert {figure.interval for figure in none.metrics.values()} == {None}
    for weighted in (
        db.evaluate(trials(weight=[0.5] * 10), interval="closed"),
        db.evaluate(db.count(trials(weight=[0.5] * 10)), replicates=10),
    ):
        assert weighted["auc"].interval_reason == "weighted"
        assert weighted.thresholds[0].metrics["recall"].interval_reason == "weighted"


def test_closed_forms_where_there_is_one_and_replicates_for_the_rest():
    result = db.evaluate(trials(), replicates=20)
    closed = db.evaluate(trials(), interval="closed")
    for key, figure in closed.metrics.items():
        if figure.interval is not None:
            assert result[key].interval == figure.interval
    assert (result["eer"].interval.method, result["eer"].interval.replicates) == ("halves-log", 20)
    assert result.thresholds[0].metrics["f1"].interval.replicates == 20
    weighted = db.evaluate(trials(weight=[0.5] * 10), replicates=20)
    assert weighted["auc"].interval.replicates == 20


def test_many_groups_get_closed_forms_alone():
    def of(number, **more):
        data = db.Trials.from_arrays(
            SCORES * number,
            LABELS * number,
            scale="ln_lr",
            conditions={"g": [f"g{i // 10}" for i in range(10 * number)]},
            **more,
        )
        return db.evaluate(data, by="g", replicates=5).groups[0].metrics["eer"]

    assert of(10).interval.replicates == 5
    assert of(11).interval is None
    assert of(11, sources=SPEAKERS * 11).interval.resampled == "sources"


def test_bootstrap_holds_every_figure_and_repeats():
    told = []
    first = db.evaluate(trials(), interval="bootstrap", replicates=50, seed=3, progress=lambda *n: told.append(n))
    assert (100, 100) in told  # replicates, and halves
    assert told[-1] == (50, 50)  # draws of the null band
    for key in ("auc", "eer", "cllr", "cllr_min"):
        interval = first[key].interval
        assert interval.low <= first[key].value <= interval.high or key == "cllr_min"
        assert interval.replicates == 50
        assert interval.method == "halves-log"
    assert first.thresholds[0].metrics["recall"].interval.replicates == 50
    assert db.evaluate(trials(), interval="bootstrap", replicates=50, seed=3) == first
    assert db.evaluate(trials(), interval="bootstrap", replicates=50, seed=4)["cllr"] != first["cllr"]


def test_known_sources_are_resampled():
    result = db.evaluate(trials(sources=SPEAKERS), replicates=50)
    assert "source" in result["auc"].interval.resampled
    assert result["eer"].interval.replicates == 50


def test_halves_of_pairs_hold_another_share_of_targets():
    """Figures that may depend on it are read by BCa there, also when halves are asked of every figure."""
    pairs = trials(sources=(SPEAKERS, SPEAKERS[::-1]))
    shown = db.evaluate(pairs, replicates=50)
    assert shown["average_precision"].interval.method.endswith(("bca", "(bca undefined)"))
    assert shown["eer"].interval.method == "halves-log"
    assert db.evaluate(trials(sources=SPEAKERS), replicates=50)["average_precision"].interval.method == "halves-log"
    asked = db.evaluate(pairs, replicates=50, bootstrap="halves")
    assert asked["eer"].interval.method == "halves"
    assert "bca" in asked.thresholds[0].metrics["accuracy"].interval.method


@pytest.mark.parametrize(
    ("option", "meant"), [("proportion", "wilson"), ("auc_interval", "delong"), ("bootstrap", "percentile")]
)
def test_unknown_way(option, meant):
    with pytest.raises(OptionError, match=f"{option}: '{meant}s' is unknown; did you mean '{meant}'"):
        db.evaluate(trials(), **{option: f"{meant}s"})


def test_on_the_command_line(deciban, tmp_path):
    path = tmp_path / "trials.csv"
    rows = (f"{s},{k},{x}" for s, k, x in zip(SCORES, LABELS, SPEAKERS, strict=True))
    path.write_text("\n".join(["ln_lr,label,speaker", *rows]) + "\n", encoding="utf-8")
    ended = deciban(
        "evaluate",
        path,
        "--auc-interval",
        "delong",
        "--proportion",
        "jeffreys",
        "--interval",
        "closed",
        "--format",
        "json",
    )
    shown = db.Evaluation.from_json(ended.out)
    assert shown["auc"].interval.method == "delong"
    assert shown.thresholds[0].metrics["recall"].interval.method == "jeffreys"
    drawn = deciban(
        *("evaluate", path, "--source", "speaker", "--bootstrap", "basic", "--replicates", 20, "--seed", 5),
        *("--format", "json"),
    )
    interval = db.Evaluation.from_json(drawn.out)["auc"].interval
    assert (interval.method, interval.replicates) == ("basic", 20)
