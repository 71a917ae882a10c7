"""Fusion of systems against an independent optimiser, and what joins, stops and keeps it."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

import deciban as db
from deciban.errors import InputError, NeedsTrialsError, OptionError, SingleClassError, UndefinedMetricError

INF = np.inf


def systems(n=300, seed=0, **more):
    generator = np.random.default_rng(seed)
    labels = np.arange(n) % 3 == 0
    hidden = np.where(labels, 1.0, -1.0)
    scores = {name: hidden * pull + generator.normal(0, 1, n) for name, pull in (("a", 0.5), ("b", 0.8), ("c", 0.0))}
    names = np.array([f"{seed}-{i}" for i in range(n)])
    return {name: db.Trials.from_arrays(x, labels, ids=names, **more) for name, x in scores.items()}


@pytest.mark.parametrize(("prior", "penalty"), [(None, 0), (0.1, 0), (None, 0.2)])
def test_slopes_are_the_optimum(prior, penalty):
    given = systems()
    x, y = np.column_stack([one.score for one in given.values()]), given["a"].is_target
    pi = prior or 0.5
    theta = np.log(pi / (1 - pi))
    w = np.where(y, pi / y.sum(), (1 - pi) / (~y).sum())
    spread = np.sqrt(w @ (x - w @ x) ** 2)

    def cost(at):
        z = x @ at[:3] + at[3] + theta
        return w @ np.logaddexp(0, np.where(y, -z, z)) + penalty / 2 * ((at[:3] * spread) ** 2).sum()

    best = minimize(cost, np.zeros(4), method="BFGS", options={"gtol": 1e-9})
    fusion = db.LogisticFusion(prior, penalty).fit(given)
    found = [*fusion.slopes.values(), fusion.intercept]
    assert found == pytest.approx(best.x, abs=2e-6)
    assert cost(np.array(found)) <= best.fun + 1e-14


def test_trials_are_joined_by_id_whatever_their_order():
    given, cases = systems(), systems(seed=1)
    shuffled = {name: one.select(np.random.default_rng(ord(name)).permutation(300)) for name, one in given.items()}
    fusion = db.LogisticFusion().fit(given)
    assert db.LogisticFusion().fit(shuffled).slopes == pytest.approx(fusion.slopes, rel=1e-9)
    got = fusion.apply({"b": cases["b"].select(np.arange(300)[::-1]), "a": cases["a"], "c": cases["c"]})
    assert got.ids[0].tolist() == cases["b"].ids[0][::-1].tolist()
    want = sum(slope * cases[name].score for name, slope in fusion.slopes.items()) + fusion.intercept
    assert got.score == pytest.approx(want[::-1], rel=1e-12)
    assert got.scale == "ln_lr"
    assert (got.is_target == cases["b"].is_target[::-1]).all()
    assert db.auc(db.count(got)) > max(db.auc(db.count(one)) for one in cases.values())


def test_a_system_and_noise_is_the_calibrated_system():
    given = {"a": systems()["a"], "noise": systems(seed=5)["c"]}
    given["noise"] = db.Trials.from_arrays(given["noise"].score, given["a"].is_target, ids=given["a"].ids)
    alone = db.LogisticCalibrator().fit(given["a"]).model
    fusion = db.LogisticFusion().fit(given)
    assert fusion.slopes["a"] == pytest.approx(alone.slope, rel=0.05)
    assert abs(fusion.slopes["noise"]) < 0.3


def test_saved_and_loaded(tmp_path):
    fusion = db.LogisticFusion(0.2).fit(systems(scale="log10_lr"))
    fusion.save(tmp_path / "fusion.json")
    loaded = db.load_fusion(tmp_path / "fusion.json")
    assert loaded == fusion
    assert loaded.to_json() == (tmp_path / "fusion.json").read_text(encoding="utf-8")
    cases = systems(seed=1, scale="log10_lr")
    assert loaded.apply(cases).score.tobytes() == fusion.apply(cases).score.tobytes()
    plain = json.loads(fusion.to_json())
    for changed, said in (
        ({"schema": "deciban.fusion/2"}, "install a newer version"),
        ({"schema": "deciban.calibration/1"}, "expected a fusion"),
        ({"slopes": {"a": 1.0}}, "a finite slope and centre for each system"),
        ({"centres": {"a": 0.0, "b": 0.0, "c": "inf"}}, "a finite slope and centre for each system"),
        ({"offset": "inf"}, "a finite slope and centre for each system"),
    ):
        (tmp_path / "broken.json").write_text(json.dumps(plain | changed), encoding="utf-8")
        with pytest.raises(InputError, match=said):
            db.load_fusion(tmp_path / "broken.json")


def test_leaks_stop_unless_allowed():
    given = systems(sources=np.arange(300) // 3)
    fusion = db.LogisticFusion().fit(given)
    with pytest.raises(InputError, match="LEAK"):
        fusion.apply(given)
    with pytest.raises(InputError, match="100 of the sources"):
        fusion.apply(systems(seed=1, sources=np.arange(300) // 3))
    assert "LEAK" in fusion.apply(given, allow_leak=True).assumed[-1]
    assert len(fusion.apply(systems(seed=1, sources=np.arange(300) + 500))) == 300


def test_infinite_scores():
    given = systems(scale="ln_lr")
    fusion = db.LogisticFusion().fit({name: given[name] for name in "ab"})
    certain = {
        "a": db.Trials.from_arrays([INF, 0.0, -INF], [1, 0, 0], scale="ln_lr"),
        "b": db.Trials.from_arrays([1.0, 1e308, -INF], [1, 0, 0], scale="ln_lr"),
    }
    got = fusion.apply(certain).score
    assert got[[0, 2]].tolist() == [INF, -INF]
    assert np.isfinite(got[1])
    with pytest.raises(InputError, match="certain of opposite things at row"):
        fusion.apply({"a": certain["a"], "b": db.Trials.from_arrays([-INF, 0, 0], [1, 0, 0], scale="ln_lr")})
    with pytest.raises(InputError, match="infinite scores, of row"):
        db.LogisticFusion().fit(certain)


def exact(n=240, seed=6):
    """Scores of two systems in 64ths, which a shift leaves exact."""
    generator = np.random.default_rng(seed)
    labels = np.arange(n) % 3 == 0
    a, b = (np.round((generator.normal(0, 1, n) + labels) * 64) / 64 for _ in "ab")
    return a, b, labels


def fused(a, b, labels, penalty=0.0):
    given = {"a": db.Trials.from_arrays(a, labels), "b": db.Trials.from_arrays(b, labels)}
    fusion = db.LogisticFusion(penalty=penalty).fit(given)
    assert db.Fusion.from_json(fusion.to_json()) == fusion
    return fusion.apply(given, allow_leak=True).score


@pytest.mark.parametrize("penalty", [0.0, 0.1])
@pytest.mark.parametrize(
    ("scales", "shifts"),
    [((1, 1), (2.0**40, -1e12)), ((1, -1), (1e12, 1e12)), ((1e-12, 1e12), (0, 0)), ((1e-300, 1e300), (0, 0)),
     ((2.0**-1000, 2.0**1018), (0, 0))],
)  # fmt: skip
def test_an_affine_map_of_each_system_changes_nothing(penalty, scales, shifts):
    a, b, labels = exact()
    want = fused(a, b, labels, penalty)
    got = fused(a * scales[0] + shifts[0], b * scales[1] + shifts[1], labels, penalty)
    assert got == pytest.approx(want, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("far", [1e16, -1e16, 1e60])
def test_one_score_that_is_very_far_away_leaves_the_optimum_of_the_others(far):
    a, b, labels = exact()
    want = fused(np.append(a, 1e9), np.append(b, 0.0), np.append(labels, True))
    # Far out on the side of its class, it has next to no part in the cost but its weight.
    got = fused(np.append(a, abs(far)), np.append(b, 0.0), np.append(labels, far > 0))
    if far > 0:
        assert got[:-1] == pytest.approx(want[:-1], rel=1e-8, abs=1e-8)
    assert np.isfinite(got).all()


def test_scores_that_no_slope_of_a_double_fits_are_refused():
    a, b, labels = exact()
    for scores, said in ((a * 2.0**-1068, "too close together; rescale"), (np.append(a[1:], 1e300), "leave it out")):
        with pytest.raises(UndefinedMetricError, match=said) as error:
            fused(scores, b, labels)
        assert error.value.reason == "not_converged"


def test_finite_scores_are_not_certain_of_opposite_things():
    a, b, labels = exact()
    given = {"a": db.Trials.from_arrays(a, labels), "b": db.Trials.from_arrays(b, labels)}
    fusion = replace(
        db.LogisticFusion().fit(given), slopes={"a": 2.0, "b": 3.0}, centres={"a": 0.0, "b": 0.0}, offset=0.5
    )
    one = [1.5e308, 1.5e308, -1.7e308, 1.0]
    other = [-1e308, -0.9e308, -1.7e308, 2.0]
    got = fusion.apply({"a": db.Trials.from_arrays(one, [1, 1, 0, 0]), "b": db.Trials.from_arrays(other, [1, 1, 0, 0])})
    assert got.score == pytest.approx([0.5, 3e307, -np.finfo(float).max, 8.5], rel=1e-12)


def test_what_cannot_be_fused():
    given = systems()
    with pytest.raises(InputError, match="expected two or more"):
        db.LogisticFusion().fit({"a": given["a"]})
    with pytest.raises(InputError, match="not in every system"):
        db.LogisticFusion().fit({"a": given["a"], "b": given["b"].select(np.arange(200))})
    with pytest.raises(NeedsTrialsError, match="the same trials"):
        db.LogisticFusion().fit({"a": given["a"], "b": systems(seed=1)["b"]})
    with pytest.raises(UndefinedMetricError) as error:
        db.LogisticFusion().fit({"a": given["a"], "b": given["a"]})
    assert error.value.reason == "not_converged"
    flat = db.Trials.from_arrays(np.zeros(300), given["a"].is_target, ids=given["a"].ids)
    with pytest.raises(UndefinedMetricError) as error:
        db.LogisticFusion().fit({"a": given["a"], "b": flat})
    assert error.value.reason == "zero_variance"
    truth = db.Trials.from_arrays(given["a"].is_target * 1.0, given["a"].is_target, ids=given["a"].ids)
    with pytest.raises(UndefinedMetricError) as error:
        db.LogisticFusion().fit({"a": given["a"], "b": truth})
    assert error.value.reason == "separated"
    with pytest.raises(SingleClassError):
        db.LogisticFusion().fit({name: db.Trials.from_arrays([1, 2], [1, 1], target=1) for name in "ab"})
    fusion = db.LogisticFusion().fit(given)
    with pytest.raises(InputError, match="expected the systems a, b, c, found a"):
        fusion.apply({"a": given["a"]})
    with pytest.raises(InputError, match="fitted to scores of scale score"):
        fusion.apply(systems(seed=1, scale="ln_lr"))
    for wrong in ({"prior": 2}, {"penalty": -1}):
        with pytest.raises(OptionError):
            db.LogisticFusion(**wrong)


@pytest.mark.parametrize("ask", ["transform", "supported"])
def test_columns_of_scores_that_do_not_fit_together(ask):
    fusion = db.LogisticFusion().fit(systems())
    names = list(fusion.slopes)
    asked = getattr(fusion, ask)
    uneven = {name: np.zeros(3 if name == names[0] else 1) for name in names}
    with pytest.raises(InputError, match=rf"scores of '{names[0]}' 3, scores of '{names[1]}' 1"):
        asked(uneven)
    with pytest.raises(InputError, match="expected the systems"):
        asked({"other": [1.0]})
    with pytest.raises(InputError, match="by its name"):
        asked([[1.0], [2.0]])
    with pytest.raises(InputError, match="found list"):
        fusion.apply([1, 2])


def test_joining_by_row_beside_ids_is_said():
    given = systems()
    bare = {name: one if name == "a" else replace(one, ids=()) for name, one in given.items()}
    fusion = db.LogisticFusion().fit(given)
    for data, said in ((bare, True), (given, False)):
        assumed = fusion.apply(data, allow_leak=True).assumed
        assert any("joined by row" in one for one in assumed) == said


def test_ids_that_are_written_otherwise():
    given = systems()
    other = replace(given["b"], ids=(np.char.add(given["b"].ids[0], ".0"),))
    with pytest.raises(NeedsTrialsError, match="no id in common: are they written alike"):
        db.LogisticFusion().fit({"a": given["a"], "b": other})
