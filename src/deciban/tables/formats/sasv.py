"""Spoofing-aware speaker verification: ``spk utt score target|nontarget|spoof``."""

from __future__ import annotations

from deciban.tables.formats.layout import Layout
from deciban.tables.formats.reader import Reader

SASV = Reader(
    name="sasv",
    title="spk utt score target|nontarget|spoof, targets against the other two; --by kind tells these apart",
    alone=(
        Layout(
            columns=("spk", "utt", "score", "label"),
            scores=("score",),
            label="label",
            words={"label": ("target", "nontarget", "spoof")},
            ids=("spk", "utt"),
            sources=("spk",),
            seen=("spoof",),
        ),
    ),
)
