"""Records of scores in buckets: brackets beside no value, in every format, and nothing that looks exact."""

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deciban as db
from deciban.errors import OptionError
from deciban.records.display import enclosing
from deciban.records.writing import as_csv, as_html, as_markdown, as_plain, as_text
from deciban.workflow.require import parse_requirement

RNG = np.random.default_rng(5)
LABELS = np.arange(2000) % 2
SCORES = RNG.normal(2.0 * LABELS - 1.0, 1.0)
TRIALS = db.Trials.from_arrays(
    SCORES, LABELS, target=1, scale="ln_lr", conditions={"sex": RNG.choice(["f", "m"], 2000)}
)
ASKED = {
    "thresholds": [0.0, 0.01],
    "metrics": ["eer:all", "p_miss_at:p_fa=0.01", "decidability"],
    "costs": ["preset=sre16"],
    "by": "sex",
}
EXACT = db.evaluate(TRIALS, **ASKED, interval="closed")
RECORD = db.evaluate(TRIALS, **ASKED, resolution=2.0**-5)


def figures(result):
    for table in (result, *result.groups):
        yield from table.metrics.items()
        for row in table.thresholds:
            yield from row.metrics.items()


def test_every_figure_is_a_value_or_lies_in_its_bracket_or_says_why_not():
    kinds = set()
    for (key, figure), (again, exact) in zip(figures(RECORD), figures(EXACT), strict=True):
        assert key == again
        if figure.value is not None:
            assert figure.value == exact.value
            kinds.add("value")
        elif figure.bracket is not None:
            assert figure.reason == "bucketed"
            assert figure.bracket.low <= exact.value <= figure.bracket.high
            kinds.add("bracket")
        else:
            assert figure.reason == "bucketed"
            kinds.add(key)
    assert {"value", "bracket", "decidability", "devpav"} <= kinds
    assert "auc" not in kinds


def test_a_threshold_inside_a_bucket_leaves_counts_open():
    at_edge, inside = RECORD.thresholds
    exact = EXACT.thresholds[1]
    assert at_edge.tp == EXACT.thresholds[0].tp
    assert not at_edge.brackets
    assert (inside.tp, inside.fp) == (None, None)
    for name, found in inside.brackets.items():
        assert found.low <= getattr(exact, name) <= found.high
        assert found.low < found.high


def test_intervals_of_shares_surround_those_of_the_scores():
    for row, exact in zip(RECORD.thresholds, EXACT.thresholds, strict=True):
        for name in ("p_miss", "p_fa", "recall", "specificity", "accuracy"):
            mine, theirs = row.metrics[name].interval, exact.metrics[name].interval
            assert mine.low <= theirs.low < theirs.high <= mine.high
    for key in ("rmed", "rmep", "rmep:k=10"):
        assert (
            RECORD[key].interval.low <= EXACT[key].interval.low < EXACT[key].interval.high <= RECORD[key].interval.high
        )
    assert RECORD["auc"].interval is None
    assert RECORD["auc"].interval_reason == "bucketed"
    assert not any(f.interval for _, f in figures(db.evaluate(TRIALS, resolution=0.5, interval="none")))


def test_the_record_survives_json():
    again = db.Evaluation.from_json(RECORD.to_json())
    assert again == RECORD
    assert again.trials.resolution == 2.0**-5
    assert EXACT.trials.resolution is None


def test_curves_are_the_points_at_edges():
    points = RECORD.curves.operating_points
    counts = db.count(TRIALS)
    for threshold, tp, fp in list(zip(points.threshold, points.tp, points.fp, strict=True))[1:]:
        table = db.confusion(counts, threshold=threshold)
        assert (table.tp, table.fp) == (tp, fp)
    assert RECORD.curves.tippett is not None
    assert RECORD.curves.pav is RECORD.curves.score_histogram is None


@pytest.mark.parametrize("write", [as_text, as_markdown, as_html, as_plain, as_csv])
def test_brackets_are_in_every_format(write):
    low = RECORD["auc"].bracket.low
    text = write(RECORD)
    assert f"{low:.4f}"[:5] in text
    assert (" … " in text) == (write in (as_text, as_markdown, as_html))
    if write is as_csv:
        line = next(line for line in text.splitlines() if line.startswith(",,auc,"))
        assert line.endswith(f",{low!r},{RECORD['auc'].bracket.high!r}")
    if write is as_plain:
        assert f"auc.bracket_low {low!r}\n" in text


def test_findings_say_how_wide_and_nothing_about_single_scores():
    codes = {finding.code: finding for finding in RECORD.findings}
    assert codes["BUCKETS"].severity == "warn"
    assert codes["BUCKETS"].data["auc_width"] > 1e-6
    assert not {"TIES", "LR-SUPPORT", "MISLEAD", "UNITS", "INF-LR"} & set(codes)
    fine = db.evaluate(TRIALS, resolution="auto")
    assert {f.code: f.severity for f in fine.findings}["BUCKETS"] == "note"
    turned = db.evaluate(db.Trials.from_arrays(-SCORES, LABELS, target=1), resolution=0.25)
    assert "DIRECTION" in {f.code for f in turned.findings}


def test_requirements_hold_for_all_that_is_possible():
    found = RECORD["auc"].bracket
    middle = (found.low + found.high) / 2
    assert parse_requirement(f"auc >= {found.low}").check(RECORD) is None
    assert parse_requirement(f"auc <= {found.high}").check(RECORD) is None
    for text in (f"auc >= {middle}", f"auc <= {middle}", f"auc > {found.low}", f"auc == {middle}"):
        assert "between" in parse_requirement(text).check(RECORD)
    assert "no value (bucketed)" in parse_requirement("devpav <= 1").check(RECORD)


def test_reversed_scores_take_thresholds_as_given():
    distances = db.Trials.from_arrays(-SCORES, LABELS, target=1, nontarget=0, higher="nontarget")
    for threshold in (0.25, 0.26, -1.0):
        mine = db.evaluate(distances, thresholds=threshold, resolution=0.25).thresholds[0]
        exact = db.evaluate(distances, thresholds=threshold, interval="none").thresholds[0]
        assert mine.accept == exact.accept == f"score <= {threshold:g}"
        for name in ("tp", "fp", "fn", "tn"):
            cell = mine.cell(name)
            low, high = (cell.value,) * 2 if cell.bracket is None else (cell.bracket.low, cell.bracket.high)
            assert low <= getattr(exact, name) <= high
        assert (mine.cells is None) == (threshold == 0.26)


def test_weights_that_are_no_repetitions_have_no_bracket():
    data = db.Trials.from_arrays(SCORES, LABELS, target=1, weight=RNG.uniform(0.5, 1.5, 2000))
    result = db.evaluate(data, thresholds=[0.0, 0.01], resolution=0.25)
    assert result["auc"].reason == "weighted"
    assert result.thresholds[0].metrics["recall"].value is not None
    assert result.thresholds[1].metrics["recall"].reason == "weighted"
    assert "weighted" in {f.code: f.message for f in result.findings}["BUCKETS"]
    assert "Figures" in str(result)


def test_groups_and_single_classes():
    groups = {
        "both": db.Counts([0.0, 1.0], [1, 2], [2, 1], resolution=1.0),
        "one": db.Counts([1.0], [1], [0], resolution=1.0),
    }
    result = db.evaluate(groups, thresholds=0.5)
    both, one = result.groups
    assert both.metrics["auc"].bracket is not None
    assert one.metrics["auc"].reason == "single_class"
    assert one.thresholds[0].metrics["p_fa"].reason == "undefined_ratio"
    assert result["auc_within:by=group"].bracket == both.metrics["auc"].bracket


def test_counts_are_not_bucketed_again():
    with pytest.raises(OptionError, match="resolution: expected trials"):
        db.evaluate(db.count(TRIALS), resolution=0.5)


@given(st.floats(-1e9, 1e9), st.floats(0, 1e3))
def test_what_is_shown_holds_the_bracket(low, width):
    high = low + width
    shown_low, shown_high = map(Decimal, enclosing(low, high).split(" … "))
    assert shown_low <= Decimal(low)
    assert shown_high >= Decimal(high)
    assert math.isfinite(shown_low)


def test_pages_show_brackets(tmp_path):
    pytest.importorskip("matplotlib")
    db.write_report(RECORD, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    found = enclosing(RECORD["auc"].bracket.low, RECORD["auc"].bracket.high)
    assert found in page
    assert "buckets of scores" in page
    assert "lies beyond the bounds" not in page
