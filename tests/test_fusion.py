"""Fusion of systems against an independent optimiser, and what joins, stops and keeps it."""

import json

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
    found = [*fusion.slopes.values(), fusion.offset]
    assert found == pytest.approx(best.x, abs=2e-6)
    assert cost(np.array(found)) <= best.fun + 1e-14


def test_trials_are_joined_by_id_whatever_their_order():
    given, cases = systems(), systems(seed=1)
    shuffled = {name: one.select(np.random.default_rng(ord(name)).permutation(300)) for name, one in given.items()}
    fusion = db.LogisticFusion().fit(given)
    assert db.LogisticFusion().fit(shuffled).slopes == pytest.approx(fusion.slopes, rel=1e-9)
    got = fusion.apply({"b": cases["b"].select(np.arange(300)[::-1]), "a": cases["a"], "c": cases["c"]})
    assert got.ids[0].tolist() == cases["b"].ids[0][::-1].tolist()
    want = sum(slope * cases[name].score for name, slope in fusion.slopes.items()) + fusion.offset
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
        ({"slopes": {"a": 1.0}}, "a finite slope for each system"),
        ({"offset": "inf"}, "a finite slope for each system"),
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
