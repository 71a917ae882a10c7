"""The explorer as text: self-contained, the same bytes each time, safe with any name; tests/browser opens it."""

from __future__ import annotations

import json
import math
import re
import threading
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

import deciban as db
from deciban.errors import MissingExtraError, OptionError
from deciban.records.curves import Curves
from deciban.report.explorer import explorer_fragment, fragment, libraries
from deciban.report.explorer.charts import CHARTS, charts
from deciban.report.explorer.payload import payload
from deciban.values.record import to_plain
from deciban.vocabulary import VOCABULARIES


def record_of(counts, **options):
    return db.evaluate(counts, interval="none", **options)


def lr_record(n=60, **options):
    generator = np.random.default_rng(1)
    counts = db.Counts.from_classes(generator.normal(1, 1, n), generator.normal(-1, 1, 2 * n), scale="ln_lr")
    return record_of(counts, **options)


def held(html):
    """The data that the script reads."""
    return json.loads(re.search(r'id="explorer-data">(.*?)</script>', html, re.DOTALL).group(1))


def test_it_needs_operating_points():
    without = replace(lr_record(), curves=Curves())
    assert explorer_fragment({"": without}) is None
    assert len(held(explorer_fragment({"a": without, "b": lr_record()}).html)["systems"]) == 1
    with pytest.raises(OptionError, match="vocabulary"):
        explorer_fragment({"": lr_record()}, "martian")


def test_nothing_in_it_is_inline_or_fetched():
    made = explorer_fragment({"": lr_record()})
    assert not re.search(r"<[^>]*\s(style|on\w+)\s*=", made.html)
    assert not re.search(r"\b(src|href)\s*=", made.html)
    assert "://" not in made.html + made.style + made.scripts[1]
    assert "url(" not in made.style
    assert "@import" not in made.style
    for script in made.scripts:
        assert "</script" not in script.lower()
        assert "<!--" not in script
    assert len((made.html + made.style + "".join(made.scripts)).encode()) < 1_100_000


def test_the_same_record_gives_the_same_bytes():
    assert explorer_fragment({"a": lr_record()}) == explorer_fragment({"a": lr_record()})


def test_names_end_no_script():
    made = explorer_fragment({"</script><script>alert(1)</script>": lr_record(), "<b>": lr_record()})
    assert "<script>" not in made.html
    assert made.html.count("</script>") == 1
    assert [system["name"] for system in held(made.html)["systems"]] == ["</script><script>alert(1)</script>", "<b>"]


def test_points_are_those_of_the_record():
    record = lr_record(600, thresholds=[0.25])
    points, found = record.curves.operating_points, payload("", record)
    assert [float(at) for at in found["threshold"]] == list(points.threshold[::-1])
    for name in ("tp", "fp", "fn", "tn"):
        assert found[name] == list(getattr(points, name)[::-1])
    assert found["held"].startswith(f"Here are {len(points.tp)} of 1802 operating points;")
    (preset,) = found["presets"]
    assert preset["label"] == "0.25"
    assert found["tp"][preset["at"]] == record.thresholds[0].tp


def test_ends_beyond_infinite_scores_are_left_out():
    counts = db.Counts.from_classes([math.inf, 1.0], [-math.inf, 0.0], scale="ln_lr")
    assert payload("", record_of(counts))["threshold"] == ["-Infinity", 0.0, 1.0, "Infinity"]


def test_reversed_scores_are_drawn_as_given():
    trials = db.Trials.from_arrays([1.0, 2.0, 3.0, 9.0], [1, 1, 0, 0], target=1, higher="nontarget")
    found = payload("", record_of(trials))
    assert found["threshold"] == ["Infinity", -1.0, -2.0, -3.0, -9.0, "-Infinity"]
    bars = found["curves"]["histogram"]
    assert bars[1]["low"] == 1.0
    assert bars[1]["target"] > 0.0
    assert bars[-2]["high"] == 9.0
    assert bars[-2]["nontarget"] > 0.0


def test_a_record_read_from_json_is_explored_alike():
    record = lr_record()
    again = db.Evaluation.from_json(record.to_json())
    assert to_plain(payload("", again)) == to_plain(payload("", record))


def test_scores_that_no_axis_holds_have_no_histogram():
    found = payload("", record_of(db.Counts.from_classes([1e308, 1.0], [-1e308, 0.0])))
    assert found["curves"]["histogram"] is None
    json.dumps(found, allow_nan=False)


def test_of_many_systems_the_first_are_explored():
    record = lr_record(5)
    made = explorer_fragment({f"s{number}": record for number in range(15)})
    assert len(held(made.html)["systems"]) == 12
    assert "The first 12 of 15." in made.html


@pytest.mark.parametrize("words", VOCABULARIES.values(), ids=lambda words: words.name)
def test_every_chart_has_a_figure_and_the_reader_s_words(words):
    made = explorer_fragment({"": lr_record()}, words.name)
    assert list(charts(words)) == [chart.name for chart in CHARTS]
    for chart in CHARTS:
        assert f'id="explorer-{chart.name}"' in made.html
    assert held(made.html)["words"] == {"targets": words.targets, "nontargets": words.nontargets}
    for name in ("p_miss", "p_fa", "recall"):
        assert words.ratio(name) in made.html


def test_what_is_missing_is_named_with_the_line_that_installs_it(monkeypatch):
    record = lr_record()
    monkeypatch.setattr(
        fragment, "find_spec", lambda name: None if name in ("altair", "vl_convert") else find_spec(name)
    )
    with pytest.raises(MissingExtraError) as raised:
        explorer_fragment({"": record})
    assert str(raised.value) == 'a report needs altair, vl-convert-python: pip install "deciban[report]"'


def test_the_libraries_are_made_once_and_beside_the_drawings(monkeypatch):
    made = []

    def bundle(snippet: str, **_: object) -> str:
        made.append(threading.current_thread())
        return "bundle"

    monkeypatch.setattr("vl_convert.javascript_bundle", bundle)
    libraries.chart_libraries.cache_clear()
    try:
        with libraries.bundling():
            pass
        assert "bundle" in libraries.chart_libraries()
        assert len(made) == 1
        assert made[0] is not threading.main_thread()
    finally:
        libraries.chart_libraries.cache_clear()
