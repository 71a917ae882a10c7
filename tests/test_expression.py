"""The text that names a quantity: parsed, written in canonical form, and refused with the nearest names."""

import pytest

from deciban.errors import OptionError
from deciban.metrics.catalogue import BY_NAME, METRICS
from deciban.metrics.expression import express, format_value, parse
from deciban.metrics.synonyms import SYNONYMS


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("auc", "auc"),
        (" auc ", "auc"),
        ("eer:method=rocch", "eer"),
        ("eer:method=interpolated", "eer:method=interpolated"),
        ("eer: method = nist ", "eer:method=nist"),
        ("p_miss_at:p_fa=0.010", "p_miss_at:p_fa=0.01"),
        ("p_miss_at:p_fa=1e-5", "p_miss_at:p_fa=1e-05"),
        ("p_miss_at:p_fa=1.0", "p_miss_at:p_fa=1"),
        ("min_dcf:p_target=.01,c_miss=10,c_fa=1", "min_dcf:c_fa=1,c_miss=10,p_target=0.01"),
        ("min_dcf:normalise=FALSE,preset=voxsrc", "min_dcf:normalise=false,preset=voxsrc"),
        ("min_dcf:normalise=true,preset=voxsrc", "min_dcf:preset=voxsrc"),
        ("precision:threshold=-inf", "precision:threshold=-inf"),
        ("eer_fvc.low", "eer_fvc.low"),
        ("cllr.target_half", "cllr.target_half"),
        ("calibration_error:n_bins=20", "calibration_error:n_bins=20"),
        ("rmep:k=1000", "rmep:k=1000"),
    ],
)
def test_canonical_form(text, key):
    (expression,) = parse(text)
    assert expression.key == key
    assert parse(key)[0].key == key


def test_all_methods():
    keys = [expression.key for expression in parse("eer:all")]
    assert keys[0] == "eer"
    assert len(keys) == len(set(keys)) == 8
    assert [expression.key for expression in parse("eer_fvc")[0].parts()] == [
        *("eer_fvc.low", "eer_fvc.high", "eer_fvc.mean"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected NAME or NAME:option=value,option=value, found ''"),
        ("acu", "did you mean 'auc'"),
        ("AUC", "no metric 'AUC'; it is called 'auc' here"),
        ("TPR", "it is called 'recall' here"),
        ("eer_fvc.middle", "eer_fvc has the parts low, high, mean, found 'middle'"),
        ("auc.low", "no metric 'auc.low'"),
        ("auc:x=1", "auc has no options, found 'x'"),
        ("auc:all", "auc has one definition only"),
        ("eer:method", "eer: expected option=value, found 'method'"),
        ("eer:method=", "eer: expected option=value"),
        ("eer:method=rocch,method=nist", "option method is given twice"),
        ("eer:methode=nist", "did you mean 'method'"),
        ("eer:method=foo", "method must be one of rocch"),
        ("p_miss_at", "p_miss_at needs p_fa: e.g. p_miss_at:p_fa="),
        ("p_miss_at:p_fa=low", "p_fa must be a number, found 'low'"),
        ("calibration_error:n_bins=2.5", "n_bins must be a whole number, found '2.5'"),
        ("min_dcf:normalise=1", "normalise must be true or false, found '1'"),
        ("ece", "'ece' names two quantities"),
    ],
)
def test_refused(text, message):
    with pytest.raises(OptionError) as caught:
        parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.spec.name)
def test_every_set_of_options_shown_has_a_key_that_parses(metric):
    for options in metric.spec.shown:
        for part in express(metric.spec, options).parts():
            assert parse(part.key)[0].key == part.key


def test_values():
    assert [format_value(v) for v in (1.0, 0.1, True, False, float("inf"), 1e16, 1e-5, "x", 3)] == [
        *("1", "0.1", "true", "false", "inf", "1e+16", "1e-05", "x", "3"),
    ]


def test_synonyms_point_at_metrics_and_are_none():
    assert set(SYNONYMS.values()) <= set(BY_NAME)
    assert not set(SYNONYMS) & set(BY_NAME)
    assert all(name == name.casefold() for name in SYNONYMS)
