"""The explorer in a browser: every number that it shows is the library's, at whatever threshold and prior."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import deciban as db
from deciban.errors import UndefinedMetricError
from deciban.report.explorer.fragment import RATES
from deciban.trials.direction import reversed_threshold, threshold_as_given
from deciban.values.scale import threshold_of_lr
from tests.browser.pages import Visit, write_bare, write_page

pytestmark = pytest.mark.xdist_group("browser")

WRITTEN = {"bare": lambda record, path: write_bare({"": record}, path), "report": write_page}
INFINITE = [math.inf, math.inf, -math.inf]


def record_of(counts: Any, **options: Any) -> db.Evaluation:
    return db.evaluate(counts, interval="none", **options)


def lr_counts(n: int = 400) -> db.Counts:
    generator = np.random.default_rng(5)
    return db.Counts.from_classes(
        [*generator.normal(1.0, 1.1, n), *INFINITE], [*generator.normal(-1.0, 1.2, 3 * n), *INFINITE], scale="log10_lr"
    )


def few_counts() -> db.Counts:
    return db.Counts.from_classes([3.0, 4.0, 4.0, 5.5], [1.0, 3.0, 2.5, 4.0, -1.0])


CASES = {
    "LRs, infinite ones too": lr_counts(),
    "few raw scores": few_counts(),
    "probabilities": db.Counts.from_classes([0.9, 0.6, 0.4, 1.0], [0.8, 0.4, 0.1, 0.0, 0.3], scale="probability"),
    "probabilities with their prior": db.Counts.from_classes(
        [0.9, 0.6, 0.4], [0.7, 0.4, 0.1, 0.2], scale="probability", prior=0.3
    ),
    "plain LRs": db.Counts.from_classes([9.0, 40.0, 0.5], [0.0, 0.25, 2.0], scale="lr"),
    "weighted": db.Counts.from_arrays([1.0, 2.0, 3.0, 2.0], [0, 1, 1, 0], target=1, weight=[0.5, 1.25, 2.0, 3.0]),
}


def check_table(visit: Visit, counts: db.Counts, threshold: float) -> None:
    """The page's counts and rates are those of the library at a threshold of the scores that were evaluated."""
    table = db.confusion(counts, threshold=threshold)
    assert visit.counts() == {name: getattr(table, name) for name in ("tp", "fp", "fn", "tn")}
    rates = visit.rates()
    assert tuple(rates) == RATES
    for name, cell in rates.items():
        try:
            expected = getattr(table, name)
        except UndefinedMetricError:
            assert cell == "–", name
        else:
            assert float(cell.replace("∞", "inf")) == pytest.approx(expected, rel=1e-5), name


@pytest.mark.parametrize(("case", "written"), [*((case, "bare") for case in CASES), ("few raw scores", "report")])
def test_the_slider_counts_exactly(case, written, visit, tmp_path):
    counts = CASES[case]
    record = record_of(counts)
    page = visit(WRITTEN[written](record, tmp_path / "page.html"))
    last = int(page.page.locator("#explorer-slider").get_attribute("max"))
    thresholds = []
    for place in sorted({0, 1, last // 3, last // 2, last - 1, last}):
        page.slide(place)
        thresholds.append(page.threshold)
        check_table(page, counts, page.threshold)
    assert thresholds == sorted(set(thresholds))
    assert thresholds[-1] == math.inf


def reversed_trials(scale: str, scores: list[float], **more: Any) -> db.Trials:
    return db.Trials.from_arrays(scores, [1, 1, 1, 0, 0, 0], target=1, scale=scale, higher="nontarget", **more)


@pytest.mark.parametrize(
    "trials",
    [
        reversed_trials("score", [0.25, 0.5, 1.5, 0.5, 2.0, 3.0]),
        reversed_trials("probability", [0.1, 0.3, 0.6, 0.3, 0.7, 0.9]),
        reversed_trials("lr", [0.0, 0.1, 3.0, 0.3, 7.0, 9.0]),
    ],
    ids=["score", "probability", "lr"],
)
def test_reversed_scores_are_accepted_from_below(trials, visit, tmp_path):
    counts = db.count(trials)
    page = visit(write_bare({"": record_of(trials)}, tmp_path / "page.html"))
    thresholds = []
    for place in range(int(page.page.locator("#explorer-slider").get_attribute("max")) + 1):
        page.slide(place)
        assert "score <= " in page.state
        thresholds.append(page.threshold)
        check_table(page, counts, reversed_threshold(page.threshold, counts.scale))
    assert thresholds == sorted(thresholds)
    evaluated = record_of(trials).curves.operating_points.threshold
    assert set(thresholds) <= {
        threshold_as_given(max(at, 0.0) if counts.scale == "lr" else at, counts.scale) for at in evaluated
    }
    page.enter("typed", "0.3")
    check_table(page, counts, reversed_threshold(0.3, counts.scale))


def test_sums_of_weights_are_shown_without_their_rounded_digit(visit, tmp_path):
    counts = db.Counts.from_arrays([3.0, 3.5, 1.0, 2.0], [1, 1, 0, 0], target=1, weight=[0.1, 0.2, 0.7, 0.1])
    page = visit(write_bare({"": record_of(counts)}, tmp_path / "page.html"))
    page.enter("typed", "1")
    assert page.counts() == {"tp": 0.3, "fp": 0.8, "fn": 0.0, "tn": 0.0}
    assert "0.3 of 0.3 targets and 0.8 of 0.8 nontargets" in page.state


def test_a_typed_threshold_is_answered_by_the_point_in_force(visit, tmp_path):
    counts = few_counts()
    page = visit(write_bare({"": record_of(counts)}, tmp_path / "page.html"))
    for typed, in_force in (
        ("3", 3.0),
        ("3.2", 4.0),
        ("-7", -1.0),
        ("6", math.inf),
        ("-inf", -math.inf),
        ("∞", math.inf),
    ):
        page.enter("typed", typed)
        assert page.threshold == in_force, typed
        check_table(page, counts, in_force)
        check_table(page, counts, float(typed.replace("∞", "inf")))
    page.enter("typed", "4")
    assert page.state == "Accept when score >= 4: 3 of 4 targets and 1 of 5 nontargets are accepted."
    page.enter("typed", "3.2")
    assert page.state.startswith("Typed 3.2; the next threshold is in force. Accept when score >= 4: ")
    page.enter("typed", "1,5 <b>")
    assert page.state.startswith("“1,5 <b>” is no threshold. Accept when score >= 4: ")


def test_buttons_go_to_the_thresholds_they_name(visit, tmp_path):
    counts = lr_counts(100)
    record = record_of(counts, thresholds=[0.5])
    page = visit(write_bare({"": record}, tmp_path / "page.html"))
    points = [(t, db.confusion(counts, threshold=t)) for t in record.curves.operating_points.threshold]
    check_table(page, counts, 0.5)
    page.press("EER")
    nearest = min(abs(at.p_miss - at.p_fa) for _, at in points)
    assert abs(float(page.rates()["p_miss"]) - float(page.rates()["p_fa"])) == pytest.approx(nearest, abs=1e-5)
    for rate in ("0.1", "0.01", "0.001", "0.0001"):
        page.press(f"false-alarm rate ≤ {rate}")
        low_enough = [t for t, at in points if at.p_fa <= float(rate)]
        assert page.state.startswith("No threshold has a rate that low. ") == (not low_enough)
        if low_enough:
            assert page.threshold == min(low_enough)
    page.press("0.5")
    check_table(page, counts, 0.5)
    page.press("Bayes threshold")
    check_table(page, counts, 0.0)


@pytest.mark.parametrize(("p", "miss", "alarm"), [(0.5, 1.0, 1.0), (0.01, 10.0, 1.0), (0.9, 1.0, 25.0)])
@pytest.mark.parametrize("case", ["LRs, infinite ones too", "probabilities with their prior", "plain LRs"])
def test_costs_and_posteriors_at_a_prior(case, p, miss, alarm, visit, tmp_path):
    counts = CASES[case]
    record = record_of(counts)
    page = visit(write_bare({"": record}, tmp_path / "page.html"))
    for name, value in (("p", p), ("miss", miss), ("alarm", alarm), ("lr", 20)):
        page.enter(name, str(value))

    def cost(threshold: float) -> float:
        at = db.confusion(counts, threshold=threshold)
        return p * miss * at.p_miss + (1 - p) * alarm * at.p_fa

    points = record.curves.operating_points.threshold
    lr = (1 - p) * alarm / (p * miss)
    bayes = threshold_of_lr(lr, counts.scale, counts.prior)
    in_force = min(t for t in points if t >= bayes)
    assert float(page.decision("here")) == pytest.approx(cost(page.threshold), rel=1e-5)
    assert float(page.decision("least").split()[0]) == pytest.approx(min(map(cost, points)), rel=1e-5)
    assert float(page.decision("bayes").split()[0]) == pytest.approx(bayes, rel=1e-5, abs=1e-12)
    assert float(page.decision("there").split()[0]) == pytest.approx(cost(in_force), rel=1e-5)
    assert float(page.decision("blind").split(",")[0]) == pytest.approx(min(p * miss, (1 - p) * alarm), rel=1e-5)
    assert float(page.decision("posterior")) == pytest.approx(20 * p / (20 * p + 1 - p), rel=1e-5)
    page.press("Bayes threshold")
    check_table(page, counts, in_force)
    page.press("minimum cost")
    assert cost(page.threshold) == pytest.approx(min(map(cost, points)), rel=1e-12)


def test_the_prior_slider_reads_the_cross_entropy(visit, tmp_path):
    generator = np.random.default_rng(2)
    counts = db.Counts.from_classes(generator.normal(1, 1, 50), generator.normal(-1, 1, 80), scale="ln_lr")
    curve = db.empirical_cross_entropy_curve(counts)
    page = visit(write_bare({"": record_of(counts, p_target=0.2)}, tmp_path / "page.html"))
    assert "prior probability 0.2 (log10 odds -0.60206)" in page.text("#explorer-question")
    for place in (0, 41, 60, 120):
        odds = float(curve.log10_odds[place])
        page.page.locator("#explorer-odds").fill(f"{odds:g}")
        assert float(page.decision("log10_odds")) == odds
        for name in ("system", "pav", "neutral"):
            assert float(page.decision(name)) == pytest.approx(float(getattr(curve, name)[place]), rel=1e-5)
        assert float(page.page.locator("#explorer-p").input_value()) == pytest.approx(curve.p_target[place], rel=1e-5)


def test_what_makes_no_sense_changes_nothing(visit, tmp_path):
    page = visit(write_bare({"": record_of(lr_counts(50))}, tmp_path / "page.html"))
    before = page.text("#explorer-question")
    for name, value in (("p", "0"), ("p", "1"), ("p", "1.5"), ("p", ""), ("miss", "-1"), ("alarm", "0"), ("lr", "")):
        page.enter(name, value)
        assert page.text("#explorer-question") == before
        assert page.page.locator(f"#explorer-{name}").input_value() == {"p": "0.5", "lr": "100"}.get(name, "1")


def test_raw_scores_have_no_bayes_threshold(visit, tmp_path):
    page = visit(write_bare({"": record_of(few_counts())}, tmp_path / "page.html")).page
    assert not page.get_by_text("Bayes threshold").first.is_visible()
    assert not page.locator("#explorer-cross_entropy").is_visible()
    assert page.get_by_role("button", name="minimum cost").is_visible()


@pytest.mark.parametrize("written", ["bare", "report"])
def test_several_systems_are_chosen_by_name(written, visit, tmp_path):
    generator = np.random.default_rng(8)
    systems = {
        "raw": db.Trials.from_classes(generator.normal(1, 1, 30), generator.normal(0, 1, 40)),
        "calibrated": db.Trials.from_classes(generator.normal(1, 1, 30), generator.normal(0, 1, 40), scale="ln_lr"),
    }
    result = db.compare(systems, interval="none")
    path = tmp_path / "page.html"
    page = visit(write_page(result, path) if written == "report" else write_bare(result.systems, path))
    for name in ("raw", "calibrated", "raw"):
        page.page.locator("#explorer-system").select_option(label=name)
        page.drawn()
        page.slide(20)
        check_table(page, db.count(systems[name]), page.threshold)
        assert page.page.locator("#explorer-cross_entropy").is_visible() == (name == "calibrated")


def test_a_hurried_change_of_systems_draws_the_last(visit, tmp_path):
    result = {
        name: record_of(db.Counts.from_classes([at, at + 1.0], [0.0, at])) for name, at in (("a", 1.0), ("b", 5.0))
    }
    page = visit(write_bare(result, tmp_path / "page.html"))
    page.page.evaluate(
        """() => { const select = document.getElementById("explorer-system");
        for (const value of ["1", "0", "1", "0", "1"]) {
          select.value = value;
          select.dispatchEvent(new Event("change")); } }"""
    )
    page.drawn()
    page.slide(0)
    before = mark_of(page, "histogram")
    page.slide(3)
    assert mark_of(page, "histogram") != before
    assert page.page.locator(".explorer svg").count() == 4


def mark_of(page: Visit, chart: str) -> str:
    """Where the mark of a chart is: the last thing drawn."""
    page.page.wait_for_timeout(100)
    drawn = page.page.locator(f"#explorer-{chart} svg .role-mark").last.locator("path, line").last
    return str(drawn.get_attribute("transform"))


def test_every_chart_follows_the_slider(visit, tmp_path):
    page = visit(write_bare({"": record_of(few_counts())}, tmp_path / "page.html"))
    last = int(page.page.locator("#explorer-slider").get_attribute("max"))
    places: dict[str, set[str]] = {chart: set() for chart in ("histogram", "roc", "det")}
    for place in range(last + 1):
        page.slide(place)
        for chart, seen in places.items():
            seen.add(mark_of(page, chart))
    # One place each, but for the ends: accepting all by the lowest score or by −∞ is one point of a curve.
    assert [len(seen) for seen in places.values()] == [last + 1, last, last]
    page.slide(last)
    # Nothing accepted: at the origin of the ROC; no precision, and so no mark.
    assert mark_of(page, "roc") == "translate(0,230)"
    assert page.page.locator("#explorer-pr svg .role-mark").last.locator("path").count() == 0
