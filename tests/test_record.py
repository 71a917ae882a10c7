"""The record: JSON there and back, rows, dataframes, HTML, and the text that tables are made of."""

import json
import math
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import deciban as db
from deciban.errors import InputError, OptionError
from deciban.records.evaluation import Evaluation
from deciban.records.figures import MetricValue
from deciban.records.writing import as_csv, as_markdown, as_plain, as_text
from deciban.values.record import from_json, to_json, to_plain

SCORES, LABELS = [0.9, 0.6, 0.4, 0.8, 0.4, 0.1], [1, 1, 1, 0, 0, 0]


def evaluated(**options):
    sides = options.pop("sides", ["l", "r", "l", "r", "l", "r"])
    trials = db.Trials.from_arrays(SCORES, LABELS, conditions={"side": sides}, scale=options.pop("scale", "score"))
    return db.evaluate(trials, thresholds=[0.6, math.inf], by="side", exact=True, **{"replicates": 20, **options})


RESULTS = {
    "score": evaluated,
    "probability": lambda: evaluated(scale="probability", metrics=["eer:all"]),
    "lr": lambda: evaluated(scale="ln_lr", costs=["preset=voxsrc"], p_target=0.2),
    "one-class group": lambda: evaluated(sides=["l", "l", "l", "r", "r", "r"]),
    "infinite": lambda: db.evaluate(
        db.Trials.from_classes([-math.inf, 1, 2], [0, 1, math.inf], scale="ln_lr"), interval="none"
    ),
    "weighted": lambda: db.evaluate(db.Trials.from_arrays([1, 2, 3], [0, 1, 0], weight=[0.5, 1.5, 1]), interval="none"),
}


@pytest.fixture(params=RESULTS)
def result(request):
    return RESULTS[request.param]()


def test_json_comes_back_as_the_same_record_and_bytes(result):
    text = result.to_json()
    back = Evaluation.from_json(text)
    assert back.to_json() == text
    assert back.metrics == result.metrics
    assert back.thresholds == result.thresholds
    assert back.groups == result.groups
    assert back.trials == result.trials
    assert str(back) == str(result)
    assert as_csv(back) == as_csv(result)


def test_json_is_standard_json(result):
    def refuse(text):
        raise AssertionError(text)

    plain = json.loads(result.to_json(), parse_constant=refuse)
    assert list(plain) == [
        "schema",
        "trials",
        "metrics",
        "thresholds",
        "groups",
        "differences",
        "equal_errors",
        "curves",
        "findings",
        "provenance",
    ]
    assert plain["schema"] == "deciban.evaluation/1"
    for figure in plain["metrics"].values():
        assert {"value", "unit", "reason", "interval", "interval_reason", "bracket"} <= set(figure)
        assert (figure["value"] is None) == (figure["reason"] is not None)
    for finding in plain["findings"]:
        assert list(finding) == ["code", "severity", "metric", "group", "message", "advice", "data"]


def test_json_has_a_line_for_a_figure():
    lines = evaluated().to_json().splitlines()
    assert sum('"auc":' in line and line.rstrip(",").endswith("}") for line in lines) == 4
    assert sum('"interval": {' in line for line in lines) > 30
    assert not any(line.lstrip().startswith('"low":') and "[" not in line for line in lines)
    assert len(lines) < 700


def test_names_of_the_json_record():
    plain = json.loads(evaluated(scale="ln_lr").to_json())
    assert set(plain["trials"]) == {
        *(
            "n",
            "n_target",
            "n_nontarget",
            "n_distinct",
            "scale",
            "prior",
            "reversed",
            "p_target",
            "p_target_origin",
            "weighted",
            "resolution",
        ),
        *("dropped", "failed", "counts_sha256"),
    }
    assert set(plain["thresholds"][0]) == {
        "threshold",
        "as_given",
        "accept",
        "origin",
        "post_hoc",
        "tp",
        "fp",
        "fn",
        "tn",
        "brackets",
        "metrics",
        "acquisition",
    }
    assert set(plain["groups"][0]) == {"by", "shared", "trials", "metrics", "thresholds", "curves", "findings"}
    assert set(plain["curves"]["operating_points"]) == {"threshold", "tp", "fp", "fn", "tn"}
    assert set(plain["provenance"]) == {"inputs", "columns", "options", "seed", "versions", "engine"}
    assert plain["curves"]["operating_points"]["threshold"][0] == "inf"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"deciban.evaluation/1"', '"deciban.evaluation/2"', "found 'deciban.evaluation/2'"),
        ('"schema": "deciban.evaluation/1",', "", "found None"),
        ('"n": 6', '"n": 6, "m": 7', "record.trials: unknown field 'm'"),
        ('"n": 6,', "", "record.trials: missing field n"),
        ('"n": 6', '"n": "6"', "record.trials.n: expected a number, found '6'"),
        ('"n": 6', '"n": NaN', "JSON cannot hold NaN"),
        ('"n": 6', '"n": Infinity', "JSON cannot hold Infinity"),
        ('"n": 6', '"n": 1e999', "a number that float64 holds"),
        ('"n": 6', '"n": 6, "n": 6', "field 'n' occurs twice"),
        ('"n": 6', '"n": true', "expected a number, found True"),
        ('"n_distinct": 5', '"n_distinct": 5.5', "record.trials.n_distinct: expected a whole number"),
        ('"scale": "score"', '"scale": 1', "record.trials.scale: expected str"),
        ('"severity": "warn"', '"severity": "bad"', "severity: expected one of 'note', 'warn'"),
        ('"weighted": false', '"weighted": 0', "record.trials.weighted: expected bool"),
        ('"value": 0.7222222222222222', '"value": "high"', "record.metrics.auc.value: expected a number"),
        ('"trials": {', '"trials": [{', "expected JSON, found an error at line"),
    ],
)
def test_other_json_is_refused(old, new, message):
    text = evaluated().to_json()
    assert old in text
    with pytest.raises(InputError) as caught:
        Evaluation.from_json(text.replace(old, new, 1))
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "3", "null", "{}", "[" * 100_000, '{"schema": ' + "9" * 5000 + "}"])
def test_what_is_no_record(text):
    with pytest.raises(InputError):
        Evaluation.from_json(text)


def test_schema_is_found_wherever_it_stands():
    plain = json.loads(evaluated().to_json())
    moved = json.dumps({**{key: plain[key] for key in plain if key != "schema"}, "schema": plain["schema"]})
    assert Evaluation.from_json(moved).to_json() == evaluated().to_json()


def test_nan_cannot_be_written():
    with pytest.raises(InputError, match="cannot hold NaN"):
        to_json(MetricValue(value=math.nan))
    assert to_plain([np.float64(1.5), np.int64(2), np.array([1, 2]), math.inf]) == [1.5, 2, [1, 2], "inf"]
    assert from_json(MetricValue, '{"value": "-inf"}').value == -math.inf


def test_rows():
    result = evaluated()
    rows = result.to_rows()
    assert all(tuple(row) == result.COLUMNS for row in rows)
    by_name = {(row["group"], row["threshold"], row["metric"]): row for row in rows}
    assert by_name["", None, "auc"]["value"] == 13 / 18
    assert by_name["", None, "auc"]["exact"] == "13/18"
    assert by_name["side=l", None, "targets"]["value"] == 2
    assert by_name["side=r", 0.6, "tp"]["value"] == 1
    known = {"group": "", "threshold": math.inf, "metric": "precision", "unit": "", "reason": "undefined_ratio"}
    assert by_name["", math.inf, "precision"] == dict.fromkeys(result.COLUMNS) | known
    assert len(by_name) == len(rows)


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames(result, backend):
    frame = result.to_frame(backend)
    kind = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table}[backend]
    assert isinstance(frame, kind)
    table = frame if backend == "pyarrow" else pa.table(frame) if backend == "polars" else pa.Table.from_pandas(frame)
    assert table.column_names[: len(result.COLUMNS)] == list(result.COLUMNS)
    for name in ("threshold", "value", "low", "high"):
        assert pa.types.is_float64(table.schema.field(name).type)
    for name in ("group", "metric", "unit"):
        assert "string" in str(table.schema.field(name).type)
    rows = result.to_rows()
    assert table.num_rows == len(rows)
    assert table["metric"].to_pylist() == [row["metric"] for row in rows]
    values = [None if v is None or math.isnan(v) else v for v in table["value"].to_pylist()]
    assert values == [row["value"] for row in rows]


def test_unknown_backend():
    with pytest.raises(OptionError, match="one of pandas, polars, pyarrow, found 'dask'"):
        evaluated().to_frame("dask")


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], set()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_is_escaped_and_well_formed():
    names = ["<script>alert(1)</script>", "a&b"] * 3
    html = evaluated(sides=names)._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    tags = Tags()
    tags.feed(html)
    assert tags.open == []
    assert tags.seen == {"table", "caption", "tr", "th", "td"}
    assert "style" not in html


def test_text_has_no_line_beyond_the_page_but_findings():
    sides = [f"speaker-{i}" for i in range(6)]
    text = as_text(evaluated(sides=sides))
    assert all(len(line) <= 100 for line in text.partition("\nFindings")[0].splitlines())
    assert all(text.count(side) >= 2 for side in sides)
    assert not any(line.endswith(" ") for line in text.splitlines())


def test_many_groups_go_down_the_page_and_few_across():
    trials = db.Trials.from_arrays(
        np.arange(240) % 17, np.arange(240) % 2, conditions={"many": np.arange(240) // 8, "few": np.arange(240) // 120}
    )
    text = as_text(db.evaluate(trials, by=["many", "few"], interval="none"))
    many, few = text.split("By many\n")[1].split("By few\n")
    assert many.splitlines()[1].startswith("group  targets  nontargets  ")
    assert many.splitlines()[2].split()[:3] == ["0", "4", "4"]
    assert few.splitlines()[1].split() == ["0", "1"]
    assert "auc" in {line.split()[0] for line in few.splitlines() if line}


def test_alike_findings_are_counted_and_advice_said_once():
    trials = db.Trials.from_arrays(np.arange(240) % 17, np.arange(240) % 2, conditions={"g": np.arange(240) // 8})
    text = as_text(db.evaluate(trials, by="g", thresholds=[8], interval="none"))
    assert "… and 25 more like these" in text
    assert text.count("-> join groups") == 1
    assert as_markdown(db.evaluate(trials, by="g", thresholds=[8], interval="none")).count("| SUBGROUP |") == 30


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("<script>alert(1)</script>", "\\<script>alert(1)\\</script>"),
        ("[x](http://a)", "\\[x\\](http://a)"),
        ("a &lt;b&gt; *c* _d_", "a \\&lt;b\\&gt; \\*c\\* \\_d\\_"),
        ("$x$ #", "\\$x\\$ \\#"),
        ("1\n## 2", "1\\\\n## 2"),
    ],
)
def test_names_of_the_data_are_no_markup_in_headings_and_cells(name, written):
    group = np.where(np.arange(80) < 40, name, "b")
    trials = db.Trials.from_arrays(np.arange(80) % 17, np.arange(80) % 2, conditions={name: group})
    text = as_markdown(db.evaluate(trials, by=name, thresholds=[8]))
    lines = text.splitlines()
    assert f"## By {written}" in lines
    at = written.removesuffix("\\#") + "#" if written.endswith("#") else written  # ends no line here
    assert f"## By {at} at threshold 8" in lines
    assert f"## Differences by {at} (\\* where the interval leaves 0 out)" in lines
    assert sum(f"| {written} |" in line for line in lines) == 2


def test_numbers_keep_their_digits():
    counts = db.Counts.from_classes(np.repeat([1.0, 2.0], [1_234_567, 1]), np.repeat([0.0, 3.0], [7_654_321, 1]))
    result = db.evaluate(counts, thresholds=[0.1 + 0.2, 0.3], interval="none")
    for text in (as_text(result), as_plain(result), as_markdown(result)):
        assert "1234568" in text
        assert "7654322" in text
        assert "1.23457e+06" not in text
    assert "0.30000000000000004" in as_text(result)
    plain = as_plain(result)
    assert "tp@0.30000000000000004 1234568\n" in plain
    assert "tp@0.3 1234568\n" in plain


def test_long_fractions_are_in_the_record_but_not_in_the_table():
    generator = np.random.default_rng(1)
    trials = db.Trials.from_classes(generator.normal(1, 1, 80), generator.normal(0, 1, 80))
    result = db.evaluate(trials, exact=True, interval="none")
    assert len(result["average_precision"].exact) > 24
    assert result["average_precision"].exact not in str(result)
    assert result["auc"].exact in str(result)


def test_getting_figures():
    result = evaluated(metrics=["eer_fvc", "p_miss_at:p_fa=0.5"])
    assert result["auc"].value == 13 / 18
    assert result["eer:method=rocch"] is result["eer"]
    assert result["p_miss_at:p_fa=0.50"].value == 1 / 3
    assert "auc" in result
    assert "cllr" not in result
    with pytest.raises(OptionError, match=r"name one of eer_fvc\.low, eer_fvc\.high, eer_fvc\.mean"):
        result["eer_fvc"]
    with pytest.raises(OptionError, match="is several figures"):
        result["eer:all"]
    with pytest.raises(OptionError, match="was not evaluated; pass it in metrics="):
        result["eer:method=nist"]
    with pytest.raises(OptionError, match="did you mean 'auc'"):
        result["aux"]
