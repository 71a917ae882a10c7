"""Several LRs of the same pair: Cllr-mean, the half-width of a log10 LR, and what is refused."""

import math

import numpy as np
import pytest
from scipy import stats

import deciban as db
from deciban.errors import InputError, NeedsTrialsError, OptionError, ScaleError, UndefinedMetricError
from tests.command_line import process

LRS = [2.0, 2.4, 1.0, 0.6, -1.0, -1.6, -2.0, -1.8]
SAME = [1, 1, 1, 1, 0, 0, 0, 0]
PAIRS = list("aabbccdd")
CSV = "pair,log10_lr,label\n" + "".join(f"{p},{x},{y}\n" for p, x, y in zip(PAIRS, LRS, SAME, strict=True))


def trials(lrs=LRS, same=SAME, ids=PAIRS, scale="log10_lr", **options):
    return db.Trials.from_arrays(lrs, same, target=1, nontarget=0, scale=scale, ids=ids, **options)


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "replicates.csv"
    path.write_text(CSV)
    return path


def test_published_example():
    found = db.evaluate_replicates(trials())
    assert found.cllr_mean.value == pytest.approx(0.07748011490253501, rel=1e-12)
    precision = found.scatter["all"].precision
    assert (precision.pooled_sd, precision.df) == (pytest.approx(0.3), 4)
    assert precision.half_width == pytest.approx(0.832933531559338, rel=1e-9)
    # By hand: targets deviate by 0.2 from their means, nontargets by 0.3 and 0.1.
    assert found.scatter["target"].precision.pooled_sd == pytest.approx(math.sqrt(0.16 / 2))
    assert found.scatter["nontarget"].precision.pooled_sd == pytest.approx(math.sqrt(0.20 / 2))
    assert found.cllr.value == db.cllr(db.count(trials()))
    means = db.Counts.from_classes([2.2, 0.8], [-1.3, -1.9], scale="log10_lr")
    want = db.cllr_interval(means)
    assert (found.cllr_mean.interval.low, found.cllr_mean.interval.high) == (
        pytest.approx(want.low),
        pytest.approx(want.high),
    )


def test_pairs_of_any_size_by_brute_force():
    generator = np.random.default_rng(4)
    pair = generator.integers(0, 40, 150)
    same = pair % 3 == 0
    lrs = np.where(same, 1.0, -1.0) + generator.normal(0.0, 0.5, 150)
    found = db.evaluate_replicates(trials(lrs, same.astype(int), pair), level=0.9)
    groups = [lrs[pair == name] for name in np.unique(pair)]
    df = sum(len(group) - 1 for group in groups)
    pooled = math.sqrt(sum(float(((group - group.mean()) ** 2).sum()) for group in groups) / df)
    everyone = found.scatter["all"]
    assert (everyone.n, everyone.pairs) == (150, len(groups))
    assert everyone.repeated == sum(len(group) > 1 for group in groups)
    assert everyone.precision.df == df
    assert everyone.precision.half_width == pytest.approx(stats.t.ppf(0.95, df) * pooled, rel=1e-9)
    same_pairs, other_pairs = found.scatter["target"].precision, found.scatter["nontarget"].precision
    squares = same_pairs.df * same_pairs.pooled_sd**2 + other_pairs.df * other_pairs.pooled_sd**2
    assert same_pairs.df + other_pairs.df == df
    assert math.sqrt(squares / df) == pytest.approx(pooled)


@pytest.mark.parametrize(
    ("scale", "convert"),
    [("lr", lambda x: 10.0**x), ("ln_lr", lambda x: x * math.log(10)), ("deciban", lambda x: 10 * x)],
)
def test_unit_of_the_lrs_does_not_matter(scale, convert):
    found = db.evaluate_replicates(trials([convert(x) for x in LRS], scale=scale))
    assert found.scatter["all"].precision.half_width == pytest.approx(0.832933531559338, rel=1e-9)
    assert found.cllr_mean.value == pytest.approx(0.07748011490253501, rel=1e-9)


def test_order_of_rows_and_several_id_columns_do_not_matter():
    order = [3, 7, 0, 5, 1, 2, 6, 4]
    first, second = list("xxyyxxyy"), [1, 1, 1, 1, 2, 2, 2, 2]
    shuffled = [[column[i] for i in order] for column in (LRS, SAME, first, second)]
    found = db.evaluate_replicates(trials(shuffled[0], shuffled[1], (shuffled[2], shuffled[3])))
    assert found.scatter["all"].precision.half_width == pytest.approx(0.832933531559338, rel=1e-9)


def test_pair_measured_once_counts_in_cllr_only():
    more = db.evaluate_replicates(trials([*LRS, -0.2], [*SAME, 0], [*PAIRS, "e"]))
    assert more.scatter["all"].precision == db.evaluate_replicates(trials()).scatter["all"].precision
    assert (more.scatter["nontarget"].pairs, more.scatter["nontarget"].repeated) == (3, 2)
    assert more.cllr_mean.value > db.evaluate_replicates(trials()).cllr_mean.value


def test_class_without_replicates_has_no_scatter_of_its_own():
    found = db.evaluate_replicates(trials(LRS[:6], SAME[:6], [*PAIRS[:4], "c", "d"]))
    assert (found.scatter["nontarget"].precision, found.scatter["nontarget"].reason) == (None, "too_few")
    assert found.scatter["all"].precision == found.scatter["target"].precision


def test_one_class_has_a_scatter_and_no_cllr():
    found = db.evaluate_replicates(trials(LRS[:4], SAME[:4], PAIRS[:4]))
    assert (found.cllr_mean.value, found.cllr_mean.reason) == (None, "single_class")
    assert found.scatter["all"].precision.df == 2
    assert (found.scatter["nontarget"].n, found.scatter["nontarget"].reason) == (0, "too_few")
    assert "- (single_class)" in str(found)


def test_infinite_lrs_have_a_mean_but_no_scatter():
    found = db.evaluate_replicates(trials([math.inf, *LRS[1:]]))
    assert (found.scatter["all"].precision, found.scatter["all"].reason) == (None, "infinite_end")
    assert found.scatter["nontarget"].precision is not None
    assert math.isfinite(found.cllr_mean.value)
    assert found.findings[0].code == "INF-LR"
    assert "1 LR of 0 or infinity" in found.findings[0].message
    wrong = db.evaluate_replicates(trials([-math.inf, *LRS[1:]]))
    assert (wrong.cllr_mean.value, wrong.cllr_mean.interval_reason) == (math.inf, "infinite_end")
    both = db.evaluate_replicates(trials([-math.inf, math.inf, *LRS[2:]]))
    assert (both.cllr_mean.value, both.cllr_mean.reason) == (None, "infinite_end")


def test_equal_replicates_tell_nothing():
    found = db.evaluate_replicates(trials([1.0, 1.0, 2.0, 2.0, -1.0, -1.0, -2.0, -2.0]))
    assert (found.scatter["all"].precision, found.scatter["all"].reason) == (None, "degenerate")


def test_missing_lrs_that_were_dropped_are_told():
    found = db.evaluate_replicates(trials([*LRS, math.nan], [*SAME, 1], [*PAIRS, "a"], missing="drop"))
    assert (found.dropped, found.scatter["all"].n) == (1, 8)
    assert found.findings[0].code == "MISSING"
    assert "1 measurement without an LR" in str(found)
    assert db.evaluate_replicates(trials()).dropped == 0


def test_interval_that_is_not_there_says_why():
    found = db.evaluate_replicates(trials([1.0, 2.0, -1.0, -2.0], [1, 1, 0, 0], list("aabb")))
    assert (found.cllr_mean.interval, found.cllr_mean.interval_reason) == (None, "too_few")
    assert "bits  - (too_few)" in str(found)


def test_what_is_refused():
    with pytest.raises(UndefinedMetricError, match="must name the pair") as caught:
        db.evaluate_replicates(trials(ids=list("abcdefgh")))
    assert caught.value.reason == "too_few"
    with pytest.raises(UndefinedMetricError) as caught:
        db.evaluate_replicates(trials(weight=[1, 1, 1, 1, 2, 1, 1, 1]))
    assert caught.value.reason == "weighted"
    with pytest.raises(InputError, match="LABEL-CONFLICT: trial b"):
        db.evaluate_replicates(trials(same=[1, 1, 1, 0, 0, 0, 0, 0]))
    with pytest.raises(InputError, match="1 missing id at row 2"):
        db.evaluate_replicates(trials(ids=["a", None, *PAIRS[2:]]))
    with pytest.raises(NeedsTrialsError, match="names the pair"):
        db.evaluate_replicates(trials(ids=()))
    with pytest.raises(NeedsTrialsError, match="counts have none"):
        db.evaluate_replicates(db.count(trials()))
    with pytest.raises(InputError, match="expected Trials or a Table"):
        db.evaluate_replicates(LRS)
    with pytest.raises(ScaleError, match="needs likelihood ratios"):
        db.evaluate_replicates(trials(scale="score"))
    with pytest.raises(OptionError, match="level"):
        db.evaluate_replicates(trials(), level=95)


def test_record_reads_back():
    for lrs in (LRS, [math.inf, *LRS[1:]]):
        found = db.evaluate_replicates(trials(lrs))
        assert db.Replicates.from_json(found.to_json()) == found
        assert "<table>" in found._repr_html_()
    with pytest.raises(InputError, match="schema deciban"):
        db.Replicates.from_json("{}")


def test_command_line(deciban, scores):
    ended = {
        form: deciban("replicates", scores, "--id", "pair", "--format", form) for form in ("table", "json", "plain")
    }
    assert {end.status for end in ended.values()} == {0}
    found = db.evaluate_replicates(db.scan(scores, ids="pair"))
    assert ended["table"].out == str(found)
    assert ended["json"].out == found.to_json()
    assert ended["plain"].plain["half_width.all"] == "0.832934"
    assert ended["plain"].plain["cllr_mean"] == "0.0774801"
    assert "assumed: scale log10_lr" in ended["table"].err
    row = "all        4       4               8    4   0.3       ±0.832934        x/÷ 6.81"
    assert row in ended["table"].out.splitlines()
    markdown = deciban("replicates", scores, "--id", "pair", "--format", "markdown").out
    assert "| all | 4 | 4 | 8 | 4 | 0.3 | ±0.832934 | x/÷ 6.81 |" in markdown


def test_errors_on_the_command_line(deciban, scores, tmp_path):
    assert "replicates need --id" in deciban("replicates", scores).err
    path = tmp_path / "conflict.csv"
    path.write_text(CSV.replace("d,-1.8,0", "d,-1.8,1"))
    ended = deciban("replicates", path, "--id", "pair")
    assert (ended.status, ended.out) == (2, "")
    assert "LABEL-CONFLICT: trial d (rows 7 and 8)" in ended.err
    assert "row 1 is" in ended.err
    assert deciban("replicates", scores, "--id", "pair", "--format", "csv").status == 2
    assert process("replicates").returncode == 2


def test_evaluate_points_here(scores):
    (finding,) = (f for f in db.evaluate(db.scan(scores, ids="pair")).findings if f.code == "DUP")
    assert "deciban replicates" in finding.advice
