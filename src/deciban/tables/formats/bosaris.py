"""BOSARIS text: ``model segment score`` beside ``model segment target|nontarget``."""

from __future__ import annotations

from deciban.tables.formats.layout import Layout
from deciban.tables.formats.reader import Reader

IDS = ("model", "segment")

BOSARIS = Reader(
    name="bosaris",
    title="model segment score, with the key model segment target|nontarget",
    scores=(Layout(columns=(*IDS, "score"), scores=("score",), ids=IDS),),
    keys=(
        Layout(
            columns=(*IDS, "label"),
            label="label",
            words={"label": ("target", "nontarget")},
            ids=IDS,
            # The same lines are recognised as kaldi, with other names for the two ids.
            recognised=False,
        ),
    ),
)
