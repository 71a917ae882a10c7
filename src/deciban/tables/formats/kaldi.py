"""Kaldi, WeSpeaker, 3D-Speaker: ``a b score`` beside ``a b target|nontarget``, or both in one file."""

from __future__ import annotations

from deciban.tables.formats.layout import Layout
from deciban.tables.formats.reader import Reader

_WORDS = {"label": ("target", "nontarget")}
_IDS = ("enroll", "test")

KALDI = Reader(
    name="kaldi",
    title="a b score, with the key a b target|nontarget; or one file: a b score label, or score label",
    alone=(
        Layout(columns=("score", "label"), scores=("score",), label="label", words=_WORDS),
        Layout(columns=(*_IDS, "score", "label"), scores=("score",), label="label", words=_WORDS, ids=_IDS),
    ),
    scores=(Layout(columns=(*_IDS, "score"), scores=("score",), ids=_IDS),),
    keys=(Layout(columns=(*_IDS, "label"), label="label", words=_WORDS, ids=_IDS),),
)
