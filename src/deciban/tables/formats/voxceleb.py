"""VoxCeleb and VoxSRC: scores ``score a b``, trial list ``1|0 a b``, whose lines may be in another order."""

from __future__ import annotations

from deciban.tables.formats.layout import Layout
from deciban.tables.formats.reader import Reader

_IDS = ("enroll", "test")

VOXCELEB = Reader(
    name="voxceleb",
    title="score a b (or a b score), with the trial list 1|0 a b",
    scores=(
        Layout(columns=("score", *_IDS), scores=("score",), ids=_IDS),
        Layout(columns=(*_IDS, "score"), scores=("score",), ids=_IDS),
    ),
    keys=(Layout(columns=("label", *_IDS), label="label", words={"label": ("1", "0")}, ids=_IDS),),
)
