"""Columns of few values as codes: the same trials, labels and errors as from a value for each row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deciban import Trials
from deciban.errors import InputError
from deciban.tables.files.coding import FIRST
from deciban.tables.files.source import join
from deciban.tables.scanning import read_trials
from deciban.values.coded import Coded, as_coded, whole

VALUES = st.sampled_from(
    [["target", "nontarget"], ["nontarget", "spoof", "target"], [1, 0], [True, False], ["a", None], [-1, 1, 1]]
)


def outcome(scores, labels, **options) -> object:
    try:
        trials = Trials.from_arrays(scores, labels, **options)
    except InputError as error:
        return str(error)
    return trials.score.tolist(), trials.is_target.tolist(), trials.assumed, trials.row is None


@given(
    values=VALUES,
    codes=st.lists(st.integers(0, 2), min_size=1, max_size=12),
    target=st.sampled_from([None, "target", "a", 1, True]),
    ignore=st.sampled_from([(), "spoof", "nowhere"]),
)
def test_labels_mean_what_they_mean_row_by_row(values, codes, target, ignore):
    column = Coded(np.array(values), np.array(codes, dtype=np.uint8) % len(values))
    scores = np.arange(len(codes), dtype=float)
    options = {"target": target, "ignore": ignore}
    assert outcome(scores, column, **options) == outcome(scores, np.asarray(column), **options)


def test_a_column_is_an_array_when_asked_for():
    column = Coded(np.array(["x", "y"]), np.array([1, 0, 1], dtype=np.uint8))
    assert np.asarray(column).tolist() == ["y", "x", "y"]
    assert column[np.array([2, 1])].codes.tolist() == [1, 0]
    assert column.present().tolist() == [1, 2]
    assert whole(as_coded(np.array([3, 1]))).tolist() == [3, 1]
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(column)[0] = "z"


def test_files_meet_as_codes_only_where_all_are():
    one, other = Coded(np.array([1, 0]), np.array([0, 1, 1])), Coded(np.array(["spoof"]), np.array([0]))
    assert np.asarray(join([one, other])).tolist() == ["1", "0", "0", "spoof"]
    assert np.asarray(join([other, np.array(["x"])])).tolist() == ["spoof", "x"]


def test_values_that_come_late_are_the_same_values(tmp_path):
    n = FIRST + 10
    labels = ["no"] * n + [" yes ", "", "yes", "no"]
    speakers = ["A", " A"] * (n // 2) + ["B ", "", "\tA", "B"]
    lines = [f"{row},{label},{speaker}\n" for row, (label, speaker) in enumerate(zip(labels, speakers, strict=True))]
    path = tmp_path / "a.csv"
    path.write_text("score,label,speaker\n" + "".join(lines))
    with pytest.raises(InputError, match=rf"1 missing label \(row {n + 2}\)"):
        read_trials(path, target="yes", sources="speaker")
    path.write_text("score,label,speaker\n" + "".join(lines).replace(f"{n + 1},,", f"{n + 1},no,"))
    trials = read_trials(path, target="yes", sources="speaker", conditions="speaker")
    assert np.flatnonzero(trials.is_target).tolist() == [n, n + 2]
    assert trials.sources[0].tolist() == ["A"] * n + ["B", None, "\tA", "B"]
    assert trials.conditions["speaker"].tolist() == ["A"] * n + ["B", None, "A", "B"]
