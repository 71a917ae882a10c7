"""``deciban plan``: what numbers of trials can show, how many are needed, and what is refused."""

import json
import math

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, OptionError
from deciban.passes.simulate import calibrated_ln_lrs
from deciban.uncertainty.planning.visible import expected_auc
from deciban.workflow.planning import trial_plan
from tests.command_line import process

AT_HAND = ("--targets", 500, "--nontargets", 20_000)


def codes(plan):
    return [finding.code for finding in plan.findings]


def test_at_hand_by_hand():
    found = db.plan(500, 20_000, draws=0).at_hand
    assert (found.n_target, found.n_nontarget) == (500, 20_000)
    assert (found.rates.p_miss.smallest, found.rates.p_fa.smallest) == (1 / 500, 1 / 20_000)
    assert (found.rates.p_miss.rule_of_30, found.rates.p_fa.rule_of_30) == (0.06, 0.0015)
    assert found.rates.p_fa.bound_without_errors == pytest.approx(1 - 0.05 ** (1 / 20_000), rel=1e-9)
    assert found.rates.p_fa.two_sided_bound == pytest.approx(1 - 0.025 ** (1 / 20_000), rel=1e-9)
    assert found.lr_bounds.lower == pytest.approx(20_001 / (20_000 * 501), rel=1e-15)
    assert found.lr_bounds.upper == pytest.approx(500 * 20_001 / 501, rel=1e-15)


def test_intervals_are_those_of_data_that_show_the_figures():
    found = db.plan(500, 2000, level=0.9, draws=0).at_hand
    ten_percent = found.rates.p_miss.intervals[3]
    want = db.proportion_interval(50, 500, 0.9)
    assert (ten_percent.value, ten_percent.low, ten_percent.high) == (0.1, want.low, want.high)
    # 9 of 10 pairs won: each target beats 1800 of the nontargets.
    counts = db.Counts.from_classes(np.full(500, 1799.5), np.arange(2000.0))
    (nine,) = (at for at in found.auc if at.value == 0.9)
    seen = db.auc_interval(counts, 0.9, method="newcombe")
    assert (nine.low, nine.high) == (pytest.approx(seen.low, rel=1e-9), pytest.approx(seen.high, rel=1e-9))
    drawn = calibrated_ln_lrs(500, 2000, sigma=2.0, generator=np.random.default_rng(2))
    seen = db.cllr_interval(db.Counts.from_classes(*drawn, scale="ln_lr"), 0.9)
    assert found.systems[1].cllr.width == pytest.approx(seen.high - seen.low, rel=0.15)


def test_band_of_cllr_cal_is_that_of_calibrated_systems():
    plan = db.plan(50, 50, draws=400, seed=1)
    system = plan.at_hand.systems[1]
    assert (system.sigma, system.cllr_cal.draws) == (2.0, 400)
    assert system.cllr_cal.median == pytest.approx(0.099, abs=0.006)
    assert system.cllr_cal.high == pytest.approx(0.140, abs=0.012)
    assert plan == db.plan(50, 50, draws=400, seed=1)
    assert plan.at_hand != db.plan(50, 50, draws=400, seed=2).at_hand
    generator = np.random.default_rng(11)
    below = 0
    for _ in range(200):
        drawn = calibrated_ln_lrs(50, 50, sigma=2.0, generator=generator)
        below += db.cllr_cal(db.Counts.from_classes(*drawn, scale="ln_lr")) <= system.cllr_cal.high
    assert 0.88 <= below / 200 <= 0.99


def test_progress_counts_all_simulations():
    told = []
    db.plan(5, 5, draws=3, progress=lambda *at: told.append(at))
    assert told[-1] == (12, 12)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_too_many_trials_are_not_simulated():
    plan = db.plan(trial_plan.MOST_SIMULATED, 1)
    assert all(system.cllr_cal is None for system in plan.at_hand.systems)
    assert "not simulated" in str(plan)
    assert dict(plan.named_values())["cllr_cal.high@sigma=1"] is None
    huge = db.plan(2**53, 2**53).at_hand
    assert huge.rates.p_fa.smallest == 2.0**-53
    assert huge.lr_bounds.upper == pytest.approx(2.0**53, rel=1e-9)


def test_one_trial_of_each_class():
    found = db.plan(1, 1, draws=20).at_hand
    assert found.rates.p_miss.smallest == 1.0
    assert found.rates.p_miss.bound_without_errors == pytest.approx(0.95)
    assert (found.lr_bounds.lower, found.lr_bounds.upper) == (1.0, 1.0)
    assert found.systems[0].cllr.low == 0.0
    plan = db.plan(1, 1, draws=20)
    assert codes(plan)[0] == "FEW-TRIALS"
    assert plan.findings[0].severity == "warn"
    assert "any p_miss and any p_fa" in str(plan)
    assert "known to ±30 % of itself (30 errors, 90 %)  no rate" in str(plan)


def test_trials_for_a_rate():
    width, thirty, three = db.plan(rate=0.01, width=0.005).needed
    assert (width.rule, width.n, width.n_target) == ("width", db.trials_for_rate(0.01, 0.005), None)
    assert width.interval.width <= 0.005
    assert (thirty.rule, thirty.n, thirty.interval) == ("rule_of_30", 3000, None)
    assert (three.rule, three.n, three.interval) == ("rule_of_3", 299, None)
    assert [item.rule for item in db.plan(rate=0.01).needed] == ["rule_of_30", "rule_of_3"]
    for end in (0.0, 1.0):
        assert [item.rule for item in db.plan(rate=end, width=0.1).needed] == ["width"]


def test_trials_for_an_auc_and_a_cllr():
    (auc,) = db.plan(auc=0.95, width=0.02, ratio=10).needed
    assert (auc.n_target, auc.n_nontarget, auc.n) == (543, 5430, 5973)
    assert auc.interval.width <= 0.02 < expected_auc(0.95, 542, 5420).width
    (cllr,) = db.plan(cllr=0.3, width=0.05).needed
    found = db.trials_for_cllr(0.3, 0.05)
    assert (cllr.n_target, cllr.n_nontarget) == (found.n_target, found.n_nontarget)
    assert cllr.interval.width == pytest.approx(found.width)
    assert db.plan(cllr=0.3, width=5.0).needed[0].interval.low == 0.0


def test_both_questions_at_once():
    plan = db.plan(30, 40, rate=0.1, draws=0)
    assert plan.at_hand is not None
    assert len(plan.needed) == 2
    assert codes(plan) == ["RES-FNR", "RES-FPR", "RES-30", "PAV-OPT", "LR-SUPPORT", "MODEL", "DEP-UNKNOWN"]
    assert codes(db.plan(rate=0.1)) == ["DEP-UNKNOWN"]
    assert codes(db.plan(cllr=0.1, width=0.1)) == ["MODEL", "DEP-UNKNOWN"]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((), {}, "nothing to plan"),
        ((5,), {}, "n_nontarget: expected a number of trials"),
        ((None, 5), {}, "n_target: expected a number of trials"),
        ((0, 5), {}, "n_target: expected at least one trial, found 0"),
        ((5, -1), {}, "n_nontarget: expected at least one trial, found -1"),
        ((5, 2.5), {}, "n_nontarget: expected at least one trial, found 2.5"),
        ((True, 5), {}, "n_target"),
        ((2**53 + 1, 5), {}, "at most 2\\^53"),
        ((5, 5), {"width": 0.1}, "width: expected a figure"),
        ((5, 5), {"ratio": 2}, "ratio: numbers of both classes"),
        ((5, 5), {"draws": -1}, "draws"),
        ((5, 5), {"level": 1.0}, "level"),
        ((5, 5), {"seed": "a"}, "seed"),
        ((), {"rate": 0.1, "auc": 0.9, "width": 0.1}, "one figure with its width, found rate and auc"),
        ((), {"rate": 0.0}, "width: expected the wanted width"),
        ((), {"rate": math.nan}, "rate: expected a number, found nan"),
        ((), {"rate": "small"}, "rate: expected a number"),
        ((), {"rate": -0.1, "width": 0.1}, "rate: expected a share between 0 and 1"),
        ((), {"rate": 0.1, "width": math.nan}, "width: expected a number, found nan"),
        ((), {"rate": 0.1, "width": 1.0}, "width: expected a number above 0 and below 1"),
        ((), {"rate": 0.1, "ratio": 2.0}, "ratio"),
        ((), {"auc": 0.9}, "width: expected the wanted width of the interval of auc"),
        ((), {"auc": 1.1, "width": 0.1}, "auc: expected a share"),
        ((), {"cllr": 0.0, "width": 0.1}, "cllr: expected bits"),
        ((), {"cllr": 0.3, "width": 1e-12}, "more than 2\\^53 trials"),
    ],
)
def test_what_is_refused(arguments, options, message):
    with pytest.raises(OptionError, match=message):
        db.plan(*arguments, **options)


def test_record_reads_back():
    plan = db.plan(50, 60, auc=0.9, width=0.1, draws=10, seed=3)
    assert db.TrialPlan.from_json(plan.to_json()) == plan
    assert plan.provenance.seed == 3
    assert plan.provenance.options["draws"] == 10
    with pytest.raises(InputError, match="schema deciban"):
        db.TrialPlan.from_json('{"schema": "deciban.evaluation/1"}')
    assert "<table>" in plan._repr_html_()


def test_command_line_formats_agree(deciban):
    ended = {form: deciban("plan", *AT_HAND, "--draws", 5, "--format", form) for form in ("table", "json", "plain")}
    assert {end.status for end in ended.values()} == {0}
    assert {end.err for end in ended.values()} == {""}
    plan = db.plan(500, 20_000, draws=5)
    assert ended["json"].out == plan.to_json()
    assert json.loads(ended["json"].out)["schema"] == "deciban.plan/1"
    assert ended["table"].out == str(plan)
    plain = ended["plain"].plain
    assert plain["p_fa.step"] == "5e-05"
    assert plain["elub.upper"] == "19961.1"
    assert set(plain) == {name for name, _ in plan.named_values()}
    markdown = deciban("plan", *AT_HAND, "--draws", 5, "--format", "markdown").out
    assert "## Small error rates" in markdown
    assert "| known to ±30 % of itself (30 errors, 90 %) | 0.06 and above | 0.0015 and above |" in markdown


def test_table_reads_well(deciban):
    out = deciban("plan", *AT_HAND, "--draws", 5).out
    for line in (
        "                                            p_miss (500 targets)  p_fa (20000 nontargets)",
        "smallest rate but 0: one error              0.002 = 1/500         0.00005 = 1/20000",
        "no error at all: one-sided 95 % bound       0.00597 = 2.99/500    0.00015 = 3/20000",
        "no error at all: two-sided 95 % bound       0.00735 = 3.68/500    0.000184 = 3.69/20000",
        "0.001  less than one error  [0.000647, 0.00154]",
        "largest LR   19961",
    ):
        assert line in out.splitlines()
    out = deciban("plan", "--rate", 0.01, "--width", 0.005, "--level", 0.99).out
    assert "that a rate is below 0.01 (one-sided 99 %)         459 of the class" in out
    # An end of 0.9999 is not shown as 1.
    assert "0.99999" in deciban("plan", "--auc", 0.9999, "--width", 0.001).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--targets", 0, "--nontargets", 5), "--targets: expected at least one trial, found 0"),
        (("--targets", 5), "--nontargets: expected a number of trials, as for the other class"),
        (("--targets", "many", "--nontargets", 5), "--targets: expected a whole number, found 'many'"),
        (("--width", 0.1), "--targets 500"),
        (("--rate", 2, "--width", 0.1), "--rate: expected a share between 0 and 1"),
        (("--cllr", 0.5, "--width", "inf"), "--width: expected a number above 0 and below inf, found inf"),
        (("--auc", 0.9, "--width", 0.1, "--ratio", 1e308), "--ratio: it would need more than 2^53 nontargets"),
        (("--rate", 0.1, "--format", "csv"), "--format: expected one of table, json, markdown, plain"),
    ],
)
def test_errors_name_options_as_typed(deciban, arguments, said):
    ended = deciban("plan", *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err
    assert ended.err.startswith("deciban: error: ")


def test_without_arguments_it_explains_itself():
    ended = process("plan")
    assert ended.returncode == 2
    assert b"--nontargets" in ended.stdout + ended.stderr
