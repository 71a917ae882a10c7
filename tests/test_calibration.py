"""A calibration as a thing: what it keeps of the data, what it refuses, and its file."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, NeedsTrialsError, OptionError, UndefinedMetricError
from deciban.passes.simulate import calibrated_ln_lrs
from tests.calibrators import EVERY, PLAIN
from tests.calibrators import sample as data

INF = math.inf
names = [repr(calibrator)[:60] for calibrator in EVERY]
every_calibrator = pytest.mark.parametrize("calibrator", EVERY, ids=names)


def trials(seed=0, n=60, **more):
    generator = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    return db.Trials.from_arrays(
        generator.normal(2 * labels - 1, 1.5),
        labels,
        scale="ln_lr",
        **{
            "sources": generator.permutation(n) // 3 + 100 * seed,
            "conditions": {"channel": np.where(labels, "a", "b")},
            "ids": np.arange(n),
            "weight": None,
        }
        | more,
    )


@every_calibrator
def test_same_bytes_after_saving_and_loading(calibrator, tmp_path):
    calibration = calibrator.fit(data())
    calibration.save(tmp_path / "cal.json")
    loaded = db.load_calibration(tmp_path / "cal.json")
    assert loaded == calibration
    assert loaded.to_json() == (tmp_path / "cal.json").read_text(encoding="utf-8")
    assert loaded.calibrator == calibrator
    at = [-30.0, -1.234, 0.0, 0.1, 2.5, 40.0]
    assert loaded.transform(at).tobytes() == calibration.transform(at).tobytes()
    assert loaded.supported(at).tolist() == calibration.supported(at).tolist()
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "cal.json").read_bytes()


@every_calibrator
def test_trials_and_their_counts_give_the_same(calibrator):
    development, case = trials(), trials(seed=1)
    one, other = calibrator.fit(development), calibrator.fit(db.count(development))
    assert one.model.ln_lr(case.score).tolist() == other.model.ln_lr(case.score).tolist()
    assert db.count(one.apply(case)) == other.apply(db.count(case))
    assert one.transform(case.score).tolist() == one.apply(case).score.tolist()


@every_calibrator
def test_apply_keeps_everything_but_the_score(calibrator):
    case = trials(seed=1, weight=np.linspace(1, 2, 60))
    before = case.score.copy()
    got = calibrator.fit(trials()).apply(case)
    assert (got.scale, got.prior, got.reversed) == ("ln_lr", None, False)
    assert replace(got, score=case.score, assumed=()) == replace(case, assumed=())
    bounded = isinstance(calibrator, db.BoundedCalibrator)
    assert [said for said in got.assumed if "LRs kept within" in said] == list(got.assumed[-1:]) * bounded
    assert (case.score == before).all()
    assert not got.score.flags.writeable


def test_weights_are_numbers_of_trials():
    development, case = data(), [-2.0, 0.5, 3.0]
    twice = db.Counts(
        development.score, 2.0 * development.n_target, 2.0 * development.n_nontarget, "ln_lr", weighted=True
    )
    again = db.Counts(development.score, 2 * development.n_target, 2 * development.n_nontarget, "ln_lr")
    for calibrator in PLAIN:
        assert calibrator.fit(twice).transform(case) == pytest.approx(calibrator.fit(again).transform(case), rel=1e-9)


@every_calibrator
def test_missing_scores_are_refused_with_their_rows(calibrator):
    calibration = calibrator.fit(data())
    with pytest.raises(InputError, match=r"2 missing .* rows 2, 4"):
        calibration.transform([1.0, math.nan, 2.0, None])
    # The constructor of Trials does not validate.
    smuggled = replace(trials(seed=1), score=np.append(np.zeros(59), math.nan))
    with pytest.raises(InputError, match=r"1 missing .* row 60"):
        calibration.apply(smuggled)


@every_calibrator
def test_infinite_development_scores(calibrator):
    inner = calibrator.calibrator if isinstance(calibrator, db.BoundedCalibrator) else calibrator
    infinite = db.Trials.from_arrays([INF, 2, 1, 0.5, 0, -1, -INF], [1, 1, 0, 1, 0, 1, 0], scale="ln_lr")
    if not inner.finite_only:
        assert calibrator.fit(infinite).transform([INF, -INF]).size == 2
        return
    with pytest.raises(InputError, match=r"2 of the scores are infinite.* rows 1, 7"):
        calibrator.fit(infinite)
    with pytest.raises(InputError, match="2 of the scores are infinite"):
        calibrator.fit(db.count(infinite))


def test_certain_probabilities_are_infinite():
    counts = db.Counts.from_classes([1.0, 0.7, 0.2], [0.0, 0.3, 0.4], scale="probability")
    with pytest.raises(InputError, match="probabilities of 0 or 1"):
        db.LogisticCalibrator().fit(counts)


@pytest.mark.parametrize(
    "other",
    [
        {"scale": "log10_lr"},
        {"scale": "score"},
        {"higher": "nontarget"},
        {"scale": "probability", "prior": 0.5},
    ],
)
def test_scores_of_another_unit_are_refused(other):
    case = db.Trials.from_arrays([0.2, 0.9], [0, 1], **({"scale": "ln_lr"} | other))
    with pytest.raises(InputError, match="fitted to scores of scale ln_lr, found scale"):
        db.LogisticCalibrator().fit(data()).apply(case)
    with pytest.raises(InputError, match="fitted to scores of scale ln_lr, found scale"):
        db.LogisticCalibrator().fit(data()).apply(db.count(case))


def test_values_outside_the_scale_are_refused():
    counts = db.Counts.from_classes([0.9, 0.6, 0.3], [0.1, 0.5, 0.4], scale="probability")
    with pytest.raises(InputError, match=r"\[0, 1\]; found 1.5 at row 2"):
        db.LogisticCalibrator().fit(counts).transform([0.5, 1.5])


def test_reversed_scores():
    distances = db.Trials.from_arrays([1, 2, 3, 4], [1, 0, 1, 0], higher="nontarget")
    got = db.LogisticCalibrator().fit(distances).apply(distances, allow_leak=True)
    assert not got.reversed
    assert got.score[0] > got.score[3]


def test_a_map_that_falls_or_joins_scores_makes_sorted_counts():
    counts = data()
    against = db.Counts(-counts.score[::-1], counts.n_target[::-1], counts.n_nontarget[::-1])
    for calibrator in (db.LogisticCalibrator(), db.KDECalibrator(), db.GaussianCalibrator(equal_variance=False)):
        calibration = calibrator.fit(against)
        got = calibration.apply(against, allow_leak=True)
        assert got == db.Counts.from_classes(
            calibration.transform(np.repeat(against.score, against.n_target)),
            calibration.transform(np.repeat(against.score, against.n_nontarget)),
            scale="ln_lr",
        )


def test_leaks_stop_unless_allowed():
    development = trials()
    calibration = db.LogisticCalibrator().fit(development)
    assert calibration.training.n_sources == 20
    shared = trials(seed=1, sources=np.arange(60) + 19)
    with pytest.raises(InputError, match=r"LEAK: 1 of the sources .* allow_leak"):
        calibration.apply(shared)
    (said,) = calibration.apply(shared, allow_leak=True).assumed[-1:]
    assert said.startswith("LEAK: 1 of the sources")
    for same in (development, trials(sources=()), db.count(development)):
        with pytest.raises(InputError, match="LEAK"):
            calibration.apply(same)
    assert calibration.apply(trials(seed=1)).assumed == trials(seed=1).assumed


def test_the_trials_fitted_are_known_in_any_order_and_taken_for_no_others():
    scores, labels = np.arange(40.0), np.arange(40) % 3 == 0
    order = np.random.default_rng(1).permutation(40)
    calibration = db.GaussianCalibrator().fit(db.Trials.from_arrays(scores, labels))
    with pytest.raises(InputError, match="these very trials"):
        calibration.apply(db.Trials.from_arrays(scores[order], labels[order]))
    moved = np.where(scores == 20.0, 20.5, scores)
    others = db.Trials.from_arrays(moved, labels)
    assert calibration.apply(others).assumed == others.assumed


def test_sources_are_known_again_by_digests_of_their_names():
    calibration = db.LogisticCalibrator().fit(trials(sources=np.array([f"speaker {i % 7}" for i in range(60)])))
    assert "speaker" not in calibration.to_json()
    two = trials(seed=1, sources=(np.arange(60) + 500, np.array(["speaker 3"] * 60)))
    with pytest.raises(InputError, match="1 of the sources"):
        calibration.apply(two)


def test_rejected_scores_have_no_lr():
    failed = db.Trials.from_arrays([1, 2, None, 0], [1, 1, 0, 0], missing="reject")
    with pytest.raises(InputError, match="--missing drop"):
        db.LogisticCalibrator().fit(failed)
    bucketed = db.Counts([0.0, 1.0], [1, 2], [2, 1], resolution=0.5)
    with pytest.raises(UndefinedMetricError) as error:
        db.LogisticCalibrator().fit(bucketed)
    assert error.value.reason == "bucketed"


def test_bounds_are_those_of_the_calibrated_development_trials():
    counts = data()
    for by, rule in (("elub", db.elub), ("elub-one-sided", db.elub_one_sided), ("iv", db.iv_bounds)):
        plain = db.LogisticCalibrator().fit(counts)
        want = rule(plain.apply(counts, allow_leak=True))
        bounded = db.BoundedCalibrator(db.LogisticCalibrator(), by).fit(counts)
        assert (bounded.bounds.by, bounded.bounds.lower, bounded.bounds.upper) == (by, want.lower, want.upper)
        got = bounded.transform([-100.0, 0.0, 100.0])
        assert got.tolist() == [math.log(want.lower), plain.transform([0.0])[0], math.log(want.upper)]
        assert bounded.supported([-100.0, 0.5, 100.0]).tolist() == [False, True, False]
        assert (bounded.plain, plain.plain) == (db.LogisticCalibrator(), db.LogisticCalibrator())


def test_bounds_by_number_of_sources():
    bounded = db.BoundedCalibrator(db.LogisticCalibrator(), "sources")
    assert bounded.fit(trials()).bounds == db.LrBounds(by="sources", lower=0.05, upper=20.0)
    with pytest.raises(NeedsTrialsError, match="--bound sources=N"):
        bounded.fit(data())
    given = db.BoundedCalibrator(db.LogisticCalibrator(), "sources", n_sources=7)
    assert given.fit(data()).bounds.upper == 7.0


def test_infinite_lrs_become_the_bound():
    bounded = db.BoundedCalibrator(db.IsotonicCalibrator(), "fixed", lower=0.01, upper=100).fit(data())
    assert bounded.transform([-99.0, 99.0]) == pytest.approx([math.log(0.01), math.log(100)])


def simulated(generator, n, skewed):
    """Scores whose log LR is known."""
    if skewed:
        targets, nontargets = generator.gamma(6, 1, n), generator.gamma(2, 1, n)
        # Gamma densities of one scale: ln LR = 4 ln x + a constant.
        return np.log(targets), np.log(nontargets), lambda s: 4 * s + math.lgamma(2) - math.lgamma(6)
    targets, nontargets = calibrated_ln_lrs(n, n, sigma=2, generator=generator)
    return 3 + targets / 4, 3 + nontargets / 4, lambda s: 4 * (s - 3)


@pytest.mark.parametrize("skewed", [False, True])
@pytest.mark.parametrize(
    "calibrator",
    [db.LogisticCalibrator(), db.KDECalibrator(), db.IsotonicCalibrator(laplace=True), db.BigaussianCalibrator()],
)
def test_simulated_scores_get_their_true_cost_back(calibrator, skewed):
    generator = np.random.default_rng(7)
    targets, nontargets, truth = simulated(generator, 4000, skewed)
    calibration = calibrator.fit(db.Counts.from_classes(targets, nontargets))
    targets, nontargets, _ = simulated(generator, 4000, skewed)
    true = db.Counts.from_classes(truth(targets), truth(nontargets), scale="ln_lr")
    got = calibration.apply(db.Counts.from_classes(targets, nontargets))
    # The same trials: what is left is the error of the fit, small beside the sampling error of Cllr.
    interval = db.cllr_interval(true)
    assert interval.low < db.cllr(got) < interval.high
    if not skewed:
        assert interval.low < db.bigaussian_figures(2).cllr < interval.high


@pytest.mark.parametrize("calibrator", [db.LogisticCalibrator(), db.TemperatureCalibrator(), db.BetaCalibrator()])
def test_what_is_calibrated_is_left_alone(calibrator):
    generator = np.random.default_rng(8)
    slopes = []
    for _ in range(40):
        counts = db.Counts.from_classes(*calibrated_ln_lrs(300, 300, sigma=2, generator=generator), scale="ln_lr")
        slopes.append(calibrator.fit(counts).transform([-1.0, 1.0]))
    mean, error = np.mean(slopes, axis=0), np.std(slopes, axis=0) / math.sqrt(40)
    # Maximum likelihood is a little steep at 300 trials; within three standard errors and that bias.
    assert np.abs(mean - [-1, 1]).max() < 3 * error.max() + 0.03


def damaged(text, path):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        db.load_calibration(path)
    assert str(path) in str(error.value)
    return str(error.value)


def test_files_that_are_no_calibration(tmp_path):
    path = tmp_path / "cal.json"
    with pytest.raises(InputError, match="No such file"):
        db.load_calibration(path)
    good = db.LogisticCalibrator().fit(data()).to_json()
    plain = json.loads(good)
    assert "error at line" in damaged(good[:-20], path)
    assert "schema deciban.calibration/1, found 'deciban.threshold/1'" in damaged(
        db.choose_threshold(data(), "eer", interval="none").to_json(), path
    )
    assert "found None" in damaged("[1, 2]", path)
    newer = damaged(json.dumps(plain | {"schema": "deciban.calibration/2", "extra": 1}), path)
    assert "install a newer version" in newer
    assert "deciban.calibration/1" in newer
    assert "unknown field 'slant'" in damaged(good.replace('"slope"', '"slant"'), path)
    assert "kind: expected one of 'line'" in damaged(good.replace('"line"', '"curve"'), path)
    assert "kind: expected one of 'logistic'" in damaged(good.replace('"logistic"', '"svm"'), path)
    assert "slope" in damaged(json.dumps(plain | {"model": plain["model"] | {"slope": "inf"}}), path)
    assert "expected a number" in damaged(json.dumps(plain | {"model": plain["model"] | {"slope": None}}), path)
    assert "lower" in damaged(json.dumps(plain | {"bounds": {"by": "elub", "lower": 3, "upper": 2}}), path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        db.load_calibration(path)
    with pytest.raises(InputError, match="cannot be written"):
        db.LogisticCalibrator().fit(data()).save(tmp_path / "none" / "cal.json")


@pytest.mark.parametrize("calibrator", PLAIN, ids=repr)
def test_a_damaged_model_is_refused(calibrator, tmp_path):
    plain = json.loads(calibrator.fit(data()).to_json())
    for name, value in plain["model"].items():
        if isinstance(value, list):
            broken = plain | {"model": plain["model"] | {name: value[:-1]}}
            assert "expected" in damaged(json.dumps(broken), tmp_path / "cal.json")
            if name in ("low", "target", "nontarget", "score"):
                broken = plain | {"model": plain["model"] | {name: value[::-1]}}
                assert "expected" in damaged(json.dumps(broken), tmp_path / "cal.json")


def test_a_setting_out_of_range_in_a_file_names_the_file_and_the_field(tmp_path):
    path = tmp_path / "cal.json"
    plain = json.loads(db.LogisticCalibrator().fit(data()).to_json())
    said = damaged(json.dumps(plain | {"calibrator": plain["calibrator"] | {"prior": 2}}), path)
    assert "calibration.calibrator: prior: expected a probability strictly between 0 and 1, found 2" in said
    older = damaged(json.dumps(plain | {"schema": "deciban.calibration/0"}), path)
    assert "an older version" in older
    assert "install" not in older
    assert "JSON cannot hold NaN" in damaged(json.dumps(plain | {"versions": {"a": float("nan")}}), path)


@pytest.mark.parametrize("path", [None, 99, 1.5, b"cal.json"])
def test_what_is_no_path(path):
    calibration = db.LogisticCalibrator().fit(data())
    for ask in (calibration.save, db.load_calibration, db.load_fusion):
        with pytest.raises(OptionError, match="path: expected the path of a file, found"):
            ask(path)
