"""What each calibrator fits, against optimisers, closed forms and sums written out."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq, minimize, minimize_scalar, root
from scipy.stats import norm

import deciban as db
from deciban.calibration.bigaussian import mixture_quantile
from deciban.errors import InputError, OptionError, ScaleError, SingleClassError, UndefinedMetricError
from tests.calibrators import sample as data
from tests.shared_data import shared
from tests.test_lr_bounds import vectors

INF = math.inf

AFFINE = [
    db.LogisticCalibrator(),
    db.LogisticCalibrator(penalty=0.1),
    db.GaussianCalibrator(),
    db.GaussianCalibrator(equal_variance=False),
    db.KDECalibrator(),
]


def softplus(x):
    return np.logaddexp(0, x)


def speakers():
    return db.count(db.scan(shared("data/ru2009.csv.gz"), score="score", label="target", scale="ln_lr"))


def cost_of(x, counts, prior, penalty=0.0):
    """The cost of a line through standardised scores, its slope and its curvature: written out anew."""
    theta = math.log(prior / (1 - prior))
    w1, w0 = prior * counts.n_target / counts.total_target, (1 - prior) * counts.n_nontarget / counts.total_nontarget
    mean = np.dot(w1 + w0, x)
    sd = math.sqrt(np.dot(w1 + w0, (x - mean) ** 2))
    z = np.column_stack([(x - mean) / sd, np.ones(x.size)])
    ridge = np.diag([penalty, 0.0])

    def loss(line):
        at = z @ line + theta
        return w1 @ softplus(-at) + w0 @ softplus(at) + line @ ridge @ line / 2

    def gradient(line):
        p = 1 / (1 + np.exp(-(z @ line + theta)))
        return z.T @ ((w1 + w0) * p - w1) + ridge @ line

    def hessian(line):
        p = 1 / (1 + np.exp(-(z @ line + theta)))
        return (z.T * ((w1 + w0) * p * (1 - p))) @ z + ridge

    near = minimize(loss, [0.1, 0.0], jac=gradient, hess=hessian, method="trust-exact")
    line = root(gradient, near.x, jac=hessian, tol=1e-14).x
    return line[0] / sd, line[1] - line[0] / sd * mean


@pytest.mark.parametrize("prior", [None, 0.01])
@pytest.mark.parametrize("penalty", [0, 0.05])
def test_logistic_is_the_optimum_of_real_data(prior, penalty):
    counts = speakers()
    model = db.LogisticCalibrator(prior, penalty).fit(counts).model
    slope, offset = cost_of(counts.score, counts, prior or 0.5, penalty)
    assert model.slope == pytest.approx(slope, rel=1e-9)
    assert model.intercept == pytest.approx(offset, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-12, 1e-3, -1.0, 1e6, 1e12])
@pytest.mark.parametrize("shift", [0.0, 7.0])
@pytest.mark.parametrize("calibrator", AFFINE)
def test_an_affine_map_of_the_scores_changes_nothing(calibrator, scale, shift):
    scores = data()
    mapped = db.Counts.from_classes(
        np.repeat(scores.score, scores.n_target) * scale + shift * scale,
        np.repeat(scores.score, scores.n_nontarget) * scale + shift * scale,
    )
    raw = db.Counts(scores.score, scores.n_target, scores.n_nontarget)
    at = np.linspace(-9, 9, 50)
    want = calibrator.fit(raw).transform(at)
    assert calibrator.fit(mapped).transform(at * scale + shift * scale) == pytest.approx(want, rel=1e-9, abs=1e-9)


def test_stored_vectors_of_prior_weighting():
    (vector,) = vectors("logreg_llr_calibration")
    given, expected = vector["input"], vector["expected"]
    counts = db.Counts.from_classes(given["target_scores"], given["nontarget_scores"])
    for prior in (None, 0.001, 0.99):
        model = db.LogisticCalibrator(prior).fit(counts).model
        assert (model.slope, model.intercept) == pytest.approx((expected["slope"], expected["offset"]), rel=1e-10)


def test_numbers_of_trials_do_not_shift_the_lrs():
    generator = np.random.default_rng(0)
    many, few = generator.normal(1, 1, 20_000), generator.normal(-1, 1, 200)
    counts = db.Counts.from_classes(many, few)
    doubled = db.Counts(counts.score, 7 * counts.n_target, counts.n_nontarget)
    for calibrator in (db.LogisticCalibrator(), db.BetaCalibrator(), db.IsotonicCalibrator(), db.KDECalibrator(0.3)):
        scale = "ln_lr" if isinstance(calibrator, db.BetaCalibrator) else "score"
        one, other = (db.Counts(c.score, c.n_target, c.n_nontarget, scale) for c in (counts, doubled))
        at = counts.score[[5, 100, 9000]]
        assert calibrator.fit(one).transform(at) == pytest.approx(calibrator.fit(other).transform(at), abs=1e-9)


def test_separated_data():
    separated = db.Counts.from_classes([2, 3], [0, 1], scale="ln_lr")
    for calibrator in (db.LogisticCalibrator(), db.BetaCalibrator(), db.BigaussianCalibrator()):
        with pytest.raises(UndefinedMetricError) as error:
            calibrator.fit(separated)
        assert error.value.reason == "separated"
    with pytest.raises(UndefinedMetricError, match="parts targets and nontargets"):
        db.LogisticCalibrator().fit(db.Counts.from_classes([0, 1], [2, 3]))
    with pytest.raises(UndefinedMetricError, match="0 parts"):
        db.TemperatureCalibrator().fit(db.Counts.from_classes([2, 3], [-1, 0]))
    with pytest.raises(UndefinedMetricError, match="0 parts"):
        db.TemperatureCalibrator().fit(db.Counts.from_classes([0, 1e-300], [0, 0], scale="ln_lr"))
    with pytest.raises(UndefinedMetricError, match="rescale") as error:
        db.LogisticCalibrator().fit(db.Counts.from_classes([0, 5e-324, 5e-324], [0, 0, 5e-324]))
    assert error.value.reason == "not_converged"
    penalised = db.LogisticCalibrator(penalty=0.01).fit(separated)
    assert penalised.training.separated
    slope, offset = cost_of(separated.score, separated, 0.5, 0.01)
    assert (penalised.model.slope, penalised.model.intercept) == pytest.approx((slope, offset), rel=1e-8)
    assert db.BigaussianCalibrator(auc_low=0.8).fit(separated).model.sigma_from == "auc.low"


@pytest.mark.parametrize("equal", [True, False])
def test_gaussian_is_the_ratio_of_two_densities(equal):
    counts = data()
    x1, x0 = np.repeat(counts.score, counts.n_target), np.repeat(counts.score, counts.n_nontarget)
    s1, s0 = x1.std(ddof=1), x0.std(ddof=1)
    if equal:
        s1 = s0 = math.sqrt((((x1 - x1.mean()) ** 2).sum() + ((x0 - x0.mean()) ** 2).sum()) / (x1.size + x0.size - 2))
    at = np.array([-30, -2.5, 0, 0.3, 4, 1e3])
    want = norm.logpdf(at, x1.mean(), s1) - norm.logpdf(at, x0.mean(), s0)
    assert db.GaussianCalibrator(equal).fit(counts).transform(at) == pytest.approx(want, rel=1e-10, abs=1e-10)


def test_gaussian_needs_a_spread():
    for targets, nontargets, reason in (
        ([1], [0], "too_few"),
        ([1, 2], [0], "too_few"),
        ([2, 2], [0, 1], "zero_variance"),
    ):
        with pytest.raises(UndefinedMetricError) as error:
            db.GaussianCalibrator(equal_variance=False).fit(db.Counts.from_classes(targets, nontargets))
        assert error.value.reason == reason
    with pytest.raises(UndefinedMetricError, match="all scores are equal"):
        db.GaussianCalibrator().fit(db.Counts.from_classes([1, 1], [1]))


@pytest.mark.parametrize("bandwidth", [None, 0.7])
def test_kernels_are_summed_in_the_log_domain(bandwidth):
    counts = data()
    x1, x0 = np.repeat(counts.score, counts.n_target), np.repeat(counts.score, counts.n_nontarget)
    h1, h0 = (bandwidth or x.std(ddof=1) * (4 / (3 * x.size)) ** 0.2 for x in (x1, x0))

    def density(at, x, h):
        return np.logaddexp.reduce(norm.logpdf(at[:, None], x, h), axis=1) - math.log(x.size)

    at = np.concatenate([counts.score, np.linspace(-60, 60, 301)])
    got = db.KDECalibrator(bandwidth).fit(counts).transform(at)
    assert got == pytest.approx(density(at, x1, h1) - density(at, x0, h0), rel=1e-10, abs=1e-10)


def test_kernels_of_many_scores_are_cut_where_they_add_nothing():
    generator = np.random.default_rng(3)
    targets, nontargets = generator.normal(300, 1, 3000), np.concatenate([generator.normal(-300, 1, 3000), [301]])
    calibration = db.KDECalibrator(0.2).fit(db.Counts.from_classes(targets, nontargets))
    at = np.array([-301.0, 0.0, 299.5, 301.0])

    def density(x):
        return np.logaddexp.reduce(norm.logpdf(at[:, None], x, 0.2), axis=1) - math.log(x.size)

    assert calibration.transform(at) == pytest.approx(density(targets) - density(nontargets), rel=1e-9)


def test_beta_is_the_constrained_optimum():
    generator = np.random.default_rng(5)
    for targets, nontargets in (
        (generator.beta(4, 2, 80), generator.beta(2, 3, 120)),
        (generator.beta(1, 1, 80), generator.beta(1, 4, 120)),
        (np.append(generator.beta(9, 9, 50), 0.99), np.append(generator.beta(0.6, 0.6, 70), 0.5)),
        (generator.beta(1, 4, 40), generator.beta(4, 1, 40)),
    ):
        counts = db.Counts.from_classes(targets, nontargets, scale="probability")

        def cost(line: Any, t: Any = targets, n: Any = nontargets) -> float:
            a, b, c = line
            of_t, of_n = (a * np.log(p) - b * np.log1p(-p) + c for p in (t, n))
            return float(softplus(-of_t).mean() / 2 + softplus(of_n).mean() / 2)

        model = db.BetaCalibrator().fit(counts).model
        found = minimize(cost, [1, 1, 0], bounds=[(0, None), (0, None), (None, None)], method="L-BFGS-B",
                         options={"ftol": 1e-15, "gtol": 1e-10})  # fmt: skip
        assert cost([model.a, model.b, model.c]) <= found.fun + 1e-12
        assert [model.a, model.b, model.c] == pytest.approx(found.x, abs=2e-4)


def test_beta_needs_probabilities():
    with pytest.raises(ScaleError, match="scale='probability'"):
        db.BetaCalibrator().fit(db.Counts.from_classes([0.5, 0.9], [0.1, 0.6]))
    lrs = db.Counts.from_classes([0.5, 2.0], [-1.0, 0.7], scale="ln_lr")
    as_probability = db.Counts.from_classes(
        1 / (1 + np.exp([-0.5, -2.0])), 1 / (1 + np.exp([1.0, -0.7])), scale="probability", prior=0.1
    )
    one, other = db.BetaCalibrator().fit(lrs).model, db.BetaCalibrator().fit(as_probability).model
    assert (one.a, one.b, one.c) == pytest.approx((other.a, other.b, other.c), abs=1e-8)


def test_temperature_is_the_optimum():
    counts = data()
    model = db.TemperatureCalibrator().fit(counts).model

    def cost(slope: Any) -> float:
        of_t = counts.n_target @ softplus(-slope * counts.score) / counts.total_target
        return float(of_t + counts.n_nontarget @ softplus(slope * counts.score) / counts.total_nontarget) / 2

    slope = minimize_scalar(cost, bounds=(0.01, 10), options={"xatol": 1e-9}).x
    assert model.intercept == 0.0
    assert model.slope == pytest.approx(slope, rel=1e-5)
    assert cost(model.slope) <= cost(slope) + 1e-15
    with pytest.raises(UndefinedMetricError, match="against the target") as error:
        db.TemperatureCalibrator().fit(db.Counts.from_classes([-2, 1], [2, -1], scale="ln_lr"))
    assert error.value.reason == "degenerate"


def test_ten_times_as_many_decibans():
    """The unit of LRs is read, so that it changes nothing."""
    scores = data()
    tens = db.Counts(scores.score / math.log(10) * 10, scores.n_target, scores.n_nontarget, "deciban")
    lrs = db.Counts(np.exp(scores.score), scores.n_target, scores.n_nontarget, "lr")
    for calibrator in (
        db.LogisticCalibrator(),
        db.TemperatureCalibrator(),
        db.GaussianCalibrator(),
        db.BetaCalibrator(),
    ):
        want = calibrator.fit(scores).transform([-1.0, 2.0])
        ten = calibrator.fit(tens).transform(np.array([-1.0, 2.0]) / math.log(10) * 10)
        assert ten == pytest.approx(want, rel=1e-9)
        assert calibrator.fit(lrs).transform(np.exp([-1.0, 2.0])) == pytest.approx(want, rel=1e-9)


def test_isotonic_gives_scores_of_the_trials_their_pooled_lrs():
    counts = data()
    for laplace, pooled in ((False, db.pav_map(counts)), (True, None)):
        got = db.IsotonicCalibrator(laplace).fit(counts).apply(counts, allow_leak=True)
        if pooled is not None:
            assert set(got.score) == set(pooled.ln_lr)
            assert db.cllr(got) == pytest.approx(db.cllr_min(counts), rel=1e-12)
        else:
            assert db.cllr(got) == pytest.approx(db.cllr_min(counts, laplace=True), rel=1e-12)


def test_isotonic_between_and_beyond_the_blocks():
    counts = db.Counts([0, 1, 2, 4, 6, 7], [0, 1, 1, 2, 1, 3], [3, 2, 2, 1, 0, 0])
    calibration = db.IsotonicCalibrator().fit(counts)
    low, high = math.log((2 / 8) / (4 / 8)), math.log((2 / 8) / (1 / 8))
    want = {-5.0: -INF, 0.0: -INF, 0.5: low, 1.0: low, 2.0: low, 3.0: (low + high) / 2, 4.0: high, 5.0: high,
            6.0: INF, 6.5: INF, 9.0: INF, INF: INF, -INF: -INF}  # fmt: skip
    assert calibration.transform(list(want)) == pytest.approx(list(want.values()), rel=1e-15)
    assert calibration.supported([-1, 0, 7, 8]).tolist() == [False, True, True, False]


def test_isotonic_says_where_it_knows_nothing():
    calibration = db.IsotonicCalibrator().fit(db.Counts.from_classes([1, 2], [-2, -1]))
    assert calibration.transform([-1, 1]).tolist() == [-INF, INF]
    assert np.isnan(calibration.transform([-1, 0, 1])).tolist() == [False, True, False]
    assert calibration.supported([-1, 0, 1]).tolist() == [True, False, True]
    trials = db.Trials.from_arrays([-1, 0, np.nan, 0.5, 3], [0, 0, 0, 1, 1], missing="drop")
    for cases, where in ((trials, "rows 2, 4 lie"), (db.Counts.from_classes([0], [-2]), "row 2 lie")):
        with pytest.raises(UndefinedMetricError, match=where) as error:
            calibration.apply(cases)
        assert error.value.reason == "separated"
    bounded = db.BoundedCalibrator(db.IsotonicCalibrator(), "fixed", lower=0.01, upper=100)
    bounded = bounded.fit(db.Counts.from_classes([1, 2], [-2, -1]))
    assert np.isnan(bounded.transform([-1, 0, 1])).tolist() == [False, True, False]


def test_isotonic_with_infinite_and_enormous_scores():
    inner = db.Counts([-INF, 0, 1, INF], [1, 1, 2, 3], [3, 2, 2, 1])
    calibration = db.IsotonicCalibrator().fit(inner)
    blocks = calibration.model.ln_lr_of_block
    assert calibration.transform([-INF, -1e300, 0, 5, INF]).tolist() == [
        blocks[0], blocks[1], blocks[1], blocks[-2], blocks[-1]
    ]  # fmt: skip
    huge = db.Counts([-1.7e308, 1.7e308], [1, 3], [3, 1])
    assert db.IsotonicCalibrator().fit(huge).transform([0.0]) == pytest.approx([0.0], abs=1e-12)


@pytest.mark.parametrize("unit", [1e-310, 1.0, 1e300, 5e307])
@pytest.mark.parametrize("end", [3.0, INF])
def test_isotonic_gives_many_scores_what_it_gives_a_few(unit, end):
    rng = np.random.default_rng(7)
    inner = rng.standard_cauchy(200).clip(-3, 3)
    fitted = np.append(inner * unit, [-end * unit, end * unit])
    is_target = np.append(inner + rng.standard_normal(200) > 0, [False, True])
    calibration = db.IsotonicCalibrator(laplace=True).fit(db.Counts.from_arrays(fitted, is_target))
    assert calibration.model.low.size > 5
    near = rng.choice(fitted, 60_000)
    scores = np.concatenate(
        [near, np.nextafter(near, INF), np.nextafter(near, -INF), rng.uniform(-3, 3, 60_000) * unit]
    )
    rng.shuffle(scores)
    few = [calibration.transform(part) for part in np.array_split(scores, 10)]
    assert np.array_equal(calibration.transform(scores), np.concatenate(few))


def test_isotonic_says_in_which_row_of_many_it_knows_nothing():
    calibration = db.IsotonicCalibrator().fit(db.Counts.from_classes([1, 2], [-2, -1]))
    scores = np.ones(100_000)
    scores[90_000] = 0.5
    assert np.flatnonzero(np.isnan(calibration.transform(scores))).tolist() == [90_000]
    trials = db.Trials.from_arrays(scores, np.arange(100_000) % 2)
    with pytest.raises(UndefinedMetricError, match="row 90001 lie"):
        calibration.apply(trials)


@pytest.mark.parametrize("sigma", [0.1, 1.0, 2.5, 8.0])
def test_quantiles_of_the_mixture(sigma):
    m = sigma**2 / 2
    shares = np.array([1e-12, 1e-6, 0.01, 0.2, 0.4999, 0.5])
    for share, x in zip(shares, mixture_quantile(shares, sigma), strict=True):

        def excess(at, share=share):
            return norm.cdf(at, m, sigma) / 2 + norm.cdf(at, -m, sigma) / 2 - share

        assert excess(x) == pytest.approx(0, abs=1e-12 * share + 1e-17)
        assert x == pytest.approx(brentq(excess, -40 * sigma - 2 * m, 1.0, xtol=1e-13), abs=1e-6)


def test_bigaussianised_ranks():
    counts = data()
    calibration = db.BigaussianCalibrator().fit(counts)
    sigma = math.sqrt(2) * norm.ppf(db.auc(counts))
    assert calibration.model.sigma == pytest.approx(sigma, rel=1e-12)
    x1, x0 = np.repeat(counts.score, counts.n_target), np.repeat(counts.score, counts.n_nontarget)
    for score in (counts.score[20], counts.score[20] + 0.01, 1.0):
        share = sum(((x < score).mean() + (x == score).mean() / 2) / 2 for x in (x1, x0))
        (got,) = calibration.transform([score])
        assert norm.cdf(got, sigma**2 / 2, sigma) / 2 + norm.cdf(got, -(sigma**2) / 2, sigma) / 2 == pytest.approx(
            share
        )
    low, high = calibration.transform([-1e9, 1e9])
    assert [low, high] == calibration.transform(counts.score[[0, -1]]).tolist()
    assert not db.BigaussianCalibrator().fit(db.Counts.from_classes([0, 1], [1, 2])).transform([0, 5]).any()


def test_wrong_settings_are_refused_at_once():
    for make in (
        lambda: db.LogisticCalibrator(prior=0),
        lambda: db.LogisticCalibrator(penalty=-1),
        lambda: db.LogisticCalibrator(penalty=INF),
        lambda: db.TemperatureCalibrator(prior="half"),
        lambda: db.BetaCalibrator(prior=1.0),
        lambda: db.GaussianCalibrator("no"),
        lambda: db.IsotonicCalibrator(laplace=1),
        lambda: db.KDECalibrator(bandwidth=0),
        lambda: db.BigaussianCalibrator(auc_low=1),
        lambda: db.BoundedCalibrator(db.BoundedCalibrator(db.LogisticCalibrator())),
        lambda: db.BoundedCalibrator(db.LogisticCalibrator(), "elub", n_sources=3),
        lambda: db.BoundedCalibrator(db.LogisticCalibrator(), "tight"),
        lambda: db.BoundedCalibrator(db.LogisticCalibrator(), "fixed", lower=0.5),
        lambda: db.BoundedCalibrator(db.LogisticCalibrator(), "fixed", lower=2, upper=3),
    ):
        with pytest.raises(OptionError):
            make()


def test_one_class_cannot_be_calibrated():
    with pytest.raises(SingleClassError, match="calibration needs both classes"):
        db.LogisticCalibrator().fit(db.Counts.from_classes([1, 2], []))
    with pytest.raises(InputError, match="expected Trials"):
        db.LogisticCalibrator().fit([1, 2, 3])


@pytest.mark.parametrize("unit", [5e-324, 15e-324, 1.0, 1e308])
def test_gaps_between_blocks_are_as_wide_as_they_are(unit):
    """Halves of the smallest doubles would be rounded, and distances of the largest overflow."""
    low, high = (-unit, unit) if unit == 1e308 else (0.0, 4 * unit)
    model = db.IsotonicCalibrator(laplace=True).fit(db.Counts([low, high], [1, 3], [3, 1])).model
    first, last = model.ln_lr_of_block[[0, -1]]
    places = np.array([low, low * 0.75 + high * 0.25, low / 2 + high / 2, low * 0.25 + high * 0.75, high])
    assert model.ln_lr(places) == pytest.approx(first + (last - first) * np.arange(5) / 4, abs=1e-15)
