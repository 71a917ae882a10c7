"""Every metric and public function says what it takes, gives and raises, with a reference and an example."""

import importlib
import inspect
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest

import deciban as db
from deciban import plots
from deciban.errors import OptionError, ScaleError, SingleClassError, UndefinedMetricError
from deciban.metrics.catalogue import METRICS
from tests.metric_options import base_options, option_sets
from tests.test_properties import perfect

NO_REFERENCE = {
    *("count", "merge", "confusion", "scan", "evaluate", "pair_counts", "choose_threshold", "thin"),
    *("load_calibration", "load_fusion", "verify", "write_report", "bracket", "save_counts", "load_counts"),
    *("scan_tandem", "count_tandem"),
}
"""Acts of this library, or arithmetic that needs no source."""

BY_ANOTHER = {"read_trials"}
"""Functions whose parameters are described where their docstring says."""


def public_functions() -> dict[str, Callable[..., Any]]:
    found: dict[str, Callable[..., Any]] = {}
    for name, module in db._HOME.items():
        if importlib.util.find_spec(f"deciban.{module.split('.')[0]}") is None:
            continue
        try:
            value = getattr(importlib.import_module(f"deciban.{module}"), name)
        except ModuleNotFoundError:
            continue
        if inspect.isfunction(value) and name not in BY_ANOTHER:
            found[name] = value
    return found


FUNCTIONS = public_functions()


def sections(function: object) -> list[str]:
    lines = (inspect.getdoc(function) or "").splitlines()
    return [a for a, b in pairwise(lines) if a and set(b) == {"-"} and len(a) == len(b)]


def text_of(function: object, section: str) -> str:
    document = inspect.getdoc(function) or ""
    start = document.index(f"\n{section}\n")
    after = [document.find(f"\n{other}\n---", start + 1) for other in sections(function)]
    return document[start : min((end for end in after if end > start), default=len(document))]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.spec.name)
def test_metric(metric):
    found = sections(metric)
    assert found[:2] == ["Parameters", "Returns"]
    assert found[-2:] == ["References", "Examples"]
    assert all(found.index(a) < found.index(b) for a, b in pairwise(found))
    parameters = text_of(metric, "Parameters")
    for option in metric.spec.options:
        assert option.name in parameters, f"option {option.name} is not described"
    assert ("\nexact\n" in parameters) == metric.spec.exact
    assert ">>> " in text_of(metric, "Examples")
    assert metric.spec.use_when.strip()
    assert metric.spec.avoid_when.strip()
    assert metric.spec.title.strip()
    assert metric.spec.reference.strip()
    assert not set(metric.spec.title) & set("\n")


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.spec.name)
def test_metric_says_what_it_raises(metric):
    options, spec = base_options(metric.spec)[0], metric.spec
    raised = text_of(metric, "Raises") if "Raises" in sections(metric) else ""
    scale = {"any": "score", "probability": "ln_lr", "lr": "ln_lr"}[spec.needs]
    for targets, nontargets in (([1.0], []), ([], [1.0])):
        try:
            metric(db.Counts.from_classes(targets, nontargets, scale=scale), **options)
        except UndefinedMetricError as error:
            found = type(error).__name__
        else:
            continue
        assert found in raised
    if spec.needs != "any":
        assert ScaleError.__name__ in raised
    for option in spec.options:
        if option.kind in (int, float) and option.name != "threshold":
            with suppress(OptionError):
                metric(perfect(spec), **{**options, option.name: option.kind(-1)})
                continue
            assert OptionError.__name__ in raised, f"{option.name} out of range is not announced"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_public_function(name):
    function = FUNCTIONS[name]
    found = sections(function)
    wanted = ["Parameters", "Returns", *([] if name in NO_REFERENCE else ["References"]), "Examples"]
    assert [section for section in found if section in wanted] == wanted
    parameters = text_of(function, "Parameters")
    for parameter in inspect.signature(function).parameters:
        assert parameter in parameters, f"{parameter} is not described"


@pytest.mark.parametrize("name", plots.__all__)
def test_plot(name):
    function = getattr(plots, name)
    found = sections(function)
    wanted = ["Parameters", "Returns", "Raises", *([] if name == "save" else ["References"]), "Examples"]
    assert [section for section in found if section in wanted] == wanted
    parameters = text_of(function, "Parameters")
    for parameter in inspect.signature(function).parameters:
        assert parameter in parameters, f"{parameter} is not described"


def test_every_public_name_can_be_had():
    for metric in METRICS:
        assert getattr(db, metric.__name__) is metric
    with pytest.raises(AttributeError, match="no attribute 'no_such_thing'"):
        db.no_such_thing  # noqa: B018
    assert issubclass(SingleClassError, UndefinedMetricError)


def test_each_metric_is_tried_with_each_of_its_options():
    for metric in METRICS:
        tried = {name for options in option_sets(metric.spec) for name in options}
        assert tried == {option.name for option in metric.spec.options}
