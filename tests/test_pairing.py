"""Which trials of several systems are the same, and what is refused."""

from typing import Any

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, NeedsTrialsError, OptionError, SingleClassError

LABELS = [1, 1, 1, 0, 0, 0]
FIRST, SECOND = [6, 5, 2, 4, 3, 1], [5, 2, 6, 1, 4, 3]
IDS = list("abcdef")


def system(scores, labels=LABELS, **more):
    return db.Trials.from_arrays(scores, labels, **more)


def compare(a, b, **more):
    return db.compare({"a": a, "b": b}, metrics="auc", **more)


def shuffled(order, **more):
    order = np.array(order)
    return system(np.array(SECOND)[order], np.array(LABELS)[order], ids=np.array(IDS)[order], **more)


def test_by_ids_in_any_order():
    straight = compare(system(FIRST, ids=IDS), system(SECOND, ids=IDS))
    found = compare(system(FIRST, ids=IDS), shuffled([3, 0, 5, 1, 4, 2]))
    assert (found.pairing.by, found.pairing.n, found.pairing.why) == ("ids", 6, "paired on ids")
    assert found.differences == straight.differences
    assert not {"PAIRED-ROWS", "UNPAIRED", "UNMATCHED"} & {finding.code for finding in found.findings}


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ([1, 2, 3, 4, 5, 6], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        ([1, 2, 3, 4, 5, 6], list("123456")),
        ((list("aaabbb"), [1, 2, 3] * 2), (np.array(list("aaabbb"), dtype=object), list("123123"))),
    ],
)
def test_ids_are_compared_as_numbers_or_as_text(mine, theirs):
    assert compare(system(FIRST, ids=mine), system(SECOND, ids=theirs)).pairing.n == 6


def test_text_ids_keep_their_zeros():
    found = compare(system(FIRST, ids=list("123456")), system(SECOND, ids=["01", "02", "03", "04", "05", "06"]))
    assert found.pairing.by == "none"
    assert "no id in common" in found.pairing.why


def test_unmatched_trials_are_refused_unless_told():
    longer = system([*FIRST, 9, 0], [*LABELS, 1, 0], ids=[*IDS, "x", "y"])
    with pytest.raises(InputError, match=r"2 trials of 'a' \(trial x, trial y\); 6 are: .*--unmatched drop"):
        compare(longer, system(SECOND, ids=IDS))
    found = compare(longer, system(SECOND, ids=IDS), unmatched="drop")
    assert found.pairing.left_out == {"a": 2, "b": 0}
    assert found.systems["a"].trials.n == 6
    assert found.differences == compare(system(FIRST, ids=IDS), system(SECOND, ids=IDS)).differences
    (finding,) = (finding for finding in found.findings if finding.code == "UNMATCHED")
    assert finding.data == {"a": 2}


def test_dropped_scores_need_not_be_told_twice():
    missing = system([6, 5, 2, np.nan, 3, 1], missing="drop")
    found = compare(missing, system(SECOND))
    assert (found.pairing.by, found.pairing.n, found.pairing.left_out) == ("rows", 5, {"a": 0, "b": 1})
    assert found.systems["a"].trials.dropped == 1
    kept = [0, 1, 2, 4, 5]
    expected = db.delong_test(*(np.array(s)[kept] for s in (FIRST, SECOND, LABELS)))
    assert found.difference("auc").p_value == expected.p_value
    named = compare(system([6, 5, 2, np.nan, 3, 1], ids=IDS, missing="drop"), shuffled([5, 4, 3, 2, 1, 0]))
    assert named.pairing.left_out == {"a": 0, "b": 1}


def test_rejected_scores_stay():
    found = compare(system([6, 5, 2, np.nan, 3, 1], missing="reject"), system(SECOND))
    assert found.pairing.n == 6
    assert found.systems["a"].trials.failed == {"target": 0, "nontarget": 1}


def test_by_row_where_labels_agree():
    found = compare(system(FIRST), system(SECOND, ids=IDS))
    assert (found.pairing.by, found.pairing.n) == ("rows", 6)
    assert found.pairing.why == "paired by row: only some systems have ids, and the labels agree row by row"
    neither = compare(system(FIRST), system(SECOND))
    assert neither.pairing.why == "paired by row: there are no ids, and the labels agree row by row"
    assert neither.differences == found.differences


def test_parts_of_one_table():
    whole = system(FIRST)
    apart = compare(whole.select([0, 2, 4]), whole.select([1, 3, 5]))
    assert apart.pairing.why == "not paired: the systems have no row in common and no ids"
    with pytest.raises(InputError, match=r"1 trial of 'a' \(row 1\); 1 trial of 'b' \(row 6\); 4 are"):
        compare(whole.select([0, 1, 2, 3, 4]), whole.select([5, 4, 3, 2, 1]))


def test_the_same_trials_in_another_order_are_not_taken_for_others():
    with pytest.raises(InputError, match=r"same trials in another order\? Name the trials with ids= \(--id\)"):
        compare(system(FIRST), system(SECOND, LABELS[::-1]))
    assert compare(system(FIRST), system(SECOND, LABELS[::-1]), pairing="none").pairing.by == "none"


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (system(SECOND[:5], LABELS[:5]), "different trials (a 6, b 5)"),
        (system(SECOND, [1, 1, 0, 0, 0, 0]), "different numbers of targets"),
    ],
)
def test_other_trials_are_compared_unpaired(other, why):
    found = compare(system(FIRST), other)
    assert found.pairing.by == "none"
    assert found.pairing.n is None
    assert found.difference("auc").test == "delong-unpaired"
    (finding,) = (finding for finding in found.findings if finding.code == "UNPAIRED")
    assert why in finding.message


def test_counts_have_no_trials_to_pair():
    counts = db.count(system(FIRST))
    assert compare(counts, system(SECOND)).pairing.by == "none"
    for pairing in ("ids", "rows"):
        with pytest.raises(NeedsTrialsError, match="system 'a' is counts"):
            compare(counts, system(SECOND), pairing=pairing)


@pytest.mark.parametrize(
    ("a", "b", "options", "error", "said"),
    [
        ({"ids": IDS}, {"ids": IDS, "labels": [1, 1, 0, 1, 0, 0]}, {}, InputError, "labels of 2 trials: trial c"),
        ({}, {"labels": [1, 1, 0, 0, 0, 0]}, {"pairing": "rows"}, InputError, "labels of 1 trial: row 3"),
        ({"ids": IDS}, {"ids": list("abcdee")}, {}, InputError, "system 'b' has 1 repeated id: trial e"),
        ({"ids": IDS}, {}, {"pairing": "ids"}, InputError, "system 'b' has no ids"),
        ({"ids": IDS}, {"ids": (IDS, IDS)}, {}, InputError, "as many id columns of each system, found a 1, b 2"),
        ({"ids": IDS}, {"ids": [*IDS[:5], None]}, {}, InputError, "system 'b': 1 missing id"),
        ({"ids": IDS}, {"ids": list("uvwxyz")}, {"pairing": "ids"}, InputError, "no id in common"),
        ({"weight": [1] * 6}, {"weight": [2] * 6}, {}, InputError, "different weights of the same trials"),
        ({"weight": [1] * 6}, {}, {}, InputError, "different weights of the same trials"),
        ({"sources": IDS}, {"sources": IDS[::-1]}, {}, InputError, "different sources of the same trials"),
        ({}, {}, {"pairing": "id"}, OptionError, "pairing: expected one of auto, ids, rows, none"),
        ({}, {}, {"unmatched": "keep"}, OptionError, "unmatched: expected one of refuse, drop"),
        ({}, {}, {"thresholds": {"a": 1}}, OptionError, "expected one of every system, found none of 'b'"),
        ({}, {}, {"thresholds": {"a": 1, "b": 2, "c": 3}}, OptionError, "no system 'c'"),
        ({}, {}, {"thresholds": {"a": [1, 2], "b": 2}}, OptionError, "equally many of every system, found a 2, b 1"),
        ({}, {}, {"thresholds": [1, 1]}, OptionError, "1.0 is given twice"),
        ({}, {}, {"p_target": 0.5}, OptionError, "system 'a': p_target"),
        ({}, {}, {"interval": "exact"}, OptionError, "interval: expected one of"),
    ],
)  # fmt: skip
def test_refusals(a, b, options, error, said):
    with pytest.raises(error, match=said.replace("(", r"\(")):
        compare(system(FIRST, **a), system(SECOND, **b), **options)


@pytest.mark.parametrize(
    ("systems", "said"),
    [
        ({}, "expected two or more, found none"),
        ({"a": system(FIRST)}, "found one, 'a'; a single one is for evaluate"),
        ([system(FIRST), system(SECOND)], "expected {name: Trials}"),
        ({"a": system(FIRST), " ": system(SECOND)}, "expected a name for each, found ' '"),
        ({"a": system(FIRST), 2: system(SECOND)}, "expected a name for each, found 2"),
        ({"a": system(FIRST), "a ": system(SECOND)}, "two names differ by blanks only"),
        ({"a": system(FIRST), "b": SECOND}, "system 'b': expected Trials, a Table from scan or Counts, found list"),
    ],
)
def test_systems_that_are_none(systems, said):
    with pytest.raises(InputError, match=said):
        db.compare(systems)


def test_one_class_is_left():
    with pytest.raises(SingleClassError, match="system 'a': an evaluation needs both classes"):
        compare(system(FIRST, ids=IDS), system([5, 2], [1, 1], ids=["a", "b"]), unmatched="drop")


def test_an_option_mistyped_is_told_before_anything_is_read():
    unread: Any = object()
    with pytest.raises(OptionError, match="no metric 'aux'"):
        db.compare({"a": unread, "b": unread}, metrics="aux")
