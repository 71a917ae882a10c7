"""BOSARIS HDF5: a matrix of scores and its key."""

from __future__ import annotations

import h5py
import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, OptionError

SCORES = {
    "ID/row_ids": np.array([b"m1", b"m2"]),
    "ID/column_ids": np.array([b"s1", b"s2", b"s3"]),
    "scores": np.array([[0.5, 1.5, 9.0], [2.5, -1.0, 0.0]]),
    "score_mask": np.array([[1, 1, 0], [1, 1, 0]], dtype=np.uint8),
}
KEY = {
    "ID/row_ids": np.array([b"m2", b"m1"]),
    "ID/column_ids": np.array([b"s2", b"s1"]),
    "trial_mask": np.array([[-1, 1], [1, -1]], dtype=np.int8),
}


def write(folder, scores=SCORES, key=KEY) -> tuple[str, str]:
    for name, content in (("scores", scores), ("key", key)):
        with h5py.File(folder / f"{name}.h5", "w") as file:
            for place, value in content.items():
                file[place] = value
    return str(folder / "scores.h5"), str(folder / "key.h5")


def test_matrices_are_joined_by_their_ids(tmp_path):
    scores, key = write(tmp_path)
    trials = db.scan(scores, key=key, ids=None).trials()
    assert trials.score.tolist() == [-1.0, 2.5, 1.5, 0.5]
    assert trials.is_target.tolist() == [False, True, True, False]
    assert [" ".join(ids) for ids in zip(*trials.ids, strict=True)] == ["m2 s2", "m2 s1", "m1 s2", "m1 s1"]
    assert trials.assumed[0].startswith("reader bosaris-hdf5")


@pytest.mark.parametrize(
    ("scores", "key", "said"),
    [
        ({"score_mask": np.zeros((2, 3), dtype=np.uint8)}, {}, "scores.h5: there are no rows"),
        ({}, {"trial_mask": np.zeros((2, 2), dtype=np.int8)}, "key.h5: there are no rows"),
        ({"ID/row_ids": np.array([], dtype="S2")}, {}, "scores.h5: there are no rows"),
        ({}, {"ID/column_ids": np.array([], dtype="S2"), "trial_mask": np.zeros((2, 0), np.int8)}, "there are no rows"),
        (
            {"score_mask": np.array([[0, 0, 1], [0, 0, 0]], dtype=np.uint8)},
            {},
            "no trial is in both",
        ),
        (
            {"score_mask": np.array([[1, 1, 1], [1, 1, 0]], dtype=np.uint8)},
            {},
            "1 trial of the scores not in the key: 'm1 s3'",
        ),
        (
            {"score_mask": np.array([[0, 1, 0], [1, 1, 0]], dtype=np.uint8)},
            {},
            "1 trial of the key without a score: 'm1 s1'",
        ),
        ({"ID/row_ids": np.array([b"m1", b"m1 "])}, {}, "/ID/row_ids: 'm1' occurs more than once"),
        ({"ID/row_ids": np.array([b"m1", b"m1"])}, {}, "/ID/row_ids: 'm1' occurs more than once"),
        ({"scores": np.zeros((3, 2))}, {}, "/scores: expected shape (2, 3) by its ids, found (3, 2)"),
        ({}, {"trial_mask": np.array([[1, 1], [1, 0]], dtype=np.uint8)}, "expected −1, 0 and +1, found uint8"),
        ({}, {"trial_mask": np.array([[1, 2], [1, 0]], dtype=np.int8)}, "expected −1, 0 and +1, found [0, 1, 2]"),
        ({"score_mask": None}, {}, "expected a data set /score_mask"),
    ],
)
def test_broken_matrices_are_refused(scores, key, said, tmp_path):
    wholes = {**SCORES, **scores}, {**KEY, **key}
    paths = write(tmp_path, *({name: value for name, value in whole.items() if value is not None} for whole in wholes))
    with pytest.raises(InputError) as caught:
        db.scan(paths[0], key=paths[1]).trials()
    assert said in str(caught.value)


def test_unmatched_trials_are_dropped_when_told(tmp_path):
    mask = np.array([[0, 1, 1], [1, 1, 0]], dtype=np.uint8)
    scores, key = write(tmp_path, {**SCORES, "score_mask": mask})
    trials = db.scan(scores, key=key, unmatched="drop").trials()
    assert trials.score.tolist() == [-1.0, 2.5, 1.5]
    assert any(said.startswith("dropped: ") for said in trials.assumed)


def test_a_key_is_needed_and_a_damaged_file_is_told(tmp_path):
    scores, key = write(tmp_path)
    with pytest.raises(InputError, match="read with reader='bosaris-hdf5' and a key="):
        db.scan(scores)
    with pytest.raises(OptionError, match="expected one file of scores and a key"):
        db.scan(scores, reader="bosaris-hdf5")
    with open(scores, "r+b") as file:
        file.truncate(300)
    with pytest.raises(InputError, match="not a readable HDF5 file"):
        db.scan(scores, key=key).trials()


def test_blanks_around_ids_are_no_part_of_them(tmp_path):
    scores, key = write(tmp_path, {**SCORES, "ID/row_ids": np.array([b"m1  ", b" m2"])})
    assert db.scan(scores, key=key).trials().score.tolist() == [-1.0, 2.5, 1.5, 0.5]
