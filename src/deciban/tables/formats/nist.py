"""NIST speaker recognition evaluations: tables with a header; partitions of the key are conditions."""

from __future__ import annotations

from deciban.tables.formats.layout import Layout
from deciban.tables.formats.reader import Reader

_IDS = ("modelid", "segmentid", "side")
_ALSO = {"segment": "segmentid"}

NIST = Reader(
    name="nist",
    title="header modelid segmentid side … LLR, with a key modelid segmentid side … targettype",
    scores=(
        Layout(
            columns=("modelid", "segmentid", "LLR"),
            header=True,
            scores=("LLR",),
            ids=_IDS,
            optional=("side",),
            also=_ALSO,
        ),
    ),
    keys=(
        Layout(
            columns=("modelid", "segmentid", "targettype"),
            header=True,
            label="targettype",
            words={"targettype": ("target", "nontarget")},
            ids=_IDS,
            optional=("side",),
            also=_ALSO,
            others=True,
        ),
    ),
    scale="ln_lr",
)
