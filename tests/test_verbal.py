"""Verbal scales: the published limits, their mirror images, files of one's own and what is refused in them."""

import pytest

import deciban as db
from deciban.errors import InputError, OptionError
from deciban.verbal.scales import SCALES

INF = float("inf")

STEPS = {
    "nfc": {5.99: 0, 6: 1, 99: 1, 100: 2, 5_999: 2, 6_000: 3, 999_999: 3, 1_000_000: 4, INF: 4},
    "enfsi": {1: 0, 1.99: 0, 2: 1, 9.9: 1, 10: 2, 100: 3, 1_000: 4, 10_000: 5, 1_000_000: 5, 1_000_001: 6, INF: 6},
    "afsp": {1: 0, 1.01: 1, 9.9: 1, 10: 2, 100: 3, 1_000: 4, 10_000: 5, 1_000_000: 5, 1_000_001: 6, INF: 6},
}

OWN = """
title = "ours"
source = "procedure 12"
neutral = "nothing"
[[step]]
above = 3
words = "some"
[[step]]
at_least = 30
words = "much"
"""


@pytest.mark.parametrize("name", SCALES)
def test_steps_and_their_mirror_images(name):
    for lr, step in STEPS[name].items():
        assert db.verbal_step(lr, name) == step
        if lr in (6, 100, 10, 1_000, 1_000_000, 2):
            assert db.verbal_step(1 / lr, name) == -step
    assert db.verbal_step(0, name) == -len(db.verbal_scale(name).steps)


def test_a_limit_not_included_is_not_in_the_mirror_image_either():
    assert db.verbal_step(1 / 1_000_000, "enfsi") == -5
    assert db.verbal_step(1 / 1_000_000, "nfc") == -4


@pytest.mark.parametrize("name", SCALES)
def test_every_scale_says_where_it_is_published_and_what_each_step_is_called(name):
    scale = db.verbal_scale(name)
    assert "20" in scale.source
    assert scale.note
    assert len(list(scale.ranges())) == len(scale.steps) + 1
    assert scale.words(INF) == f"{scale.steps[-1].words} for proposition 1"
    assert scale.words(0) == f"{scale.steps[-1].words} for proposition 2"
    assert scale.words(1) == scale.neutral


def test_ranges_in_words():
    assert list(db.verbal_scale("enfsi").ranges())[:3] == [
        ("1 to below 2", "do not support one proposition over the other"),
        ("from 2 to below 10", "weak support"),
        ("from 10 to below 100", "moderate support"),
    ]
    assert list(db.verbal_scale("enfsi").ranges())[-2:] == [
        ("from 10,000 to at most 1,000,000", "very strong support"),
        ("above 1,000,000", "extremely strong support"),
    ]


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    scale = db.verbal_scale(path)
    assert [scale.step(lr) for lr in (3, 3.1, 30, 1 / 3, 1 / 30)] == [0, 1, 2, 0, -2]
    assert scale.words(1 / 40) == "much for proposition 2"
    assert scale == db.verbal_scale(str(path))
    assert db.verbal_step(30, path) == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("above = 3", "abov = 3"), r"\[\[step\]\] 1: unknown key 'abov'; did you mean 'above'"),
        (("above = 3", ""), "expected at_least or above, the smallest LR of the step; found neither"),
        (("above = 3", "above = 3\nat_least = 3"), "found both"),
        (("above = 3", "at_least = 1"), "expected a finite LR above 1"),
        (("above = 3", "above = 40"), r"expected limits that increase, found \[40.0, 30.0\]"),
        (('"some"', "4"), "words: expected a text in quotes, found 4"),
        (('words = "some"', ""), "words: expected a text, found none"),
        (('title = "ours"', ""), "title: expected a text, found none"),
        (("[[step]]", "[[steps]]"), "unknown key 'steps'; did you mean 'step'"),
        (("title", "title title"), "expected TOML"),
    ],
)
def test_what_is_no_scale(tmp_path, change, said):
    path = tmp_path / "own.toml"
    path.write_text(OWN.replace(*change))
    with pytest.raises(OptionError, match=said) as raised:
        db.verbal_scale(path)
    assert str(raised.value).startswith(str(path))


def test_a_file_without_steps(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(OWN.partition("[[step]]")[0])
    with pytest.raises(OptionError, match=r"expected a table \[\[step\]\] for each step, found none"):
        db.verbal_scale(path)


def test_scales_that_are_not_there(tmp_path):
    with pytest.raises(OptionError, match="no verbal scale 'enfs'; did you mean 'enfsi'"):
        db.verbal_scale("enfs")
    with pytest.raises(InputError, match="cannot be read: No such file"):
        db.verbal_scale(tmp_path / "none.toml")
    with pytest.raises(OptionError, match="lr: expected a likelihood ratio of at least 0, found -1"):
        db.verbal_step(-1)
