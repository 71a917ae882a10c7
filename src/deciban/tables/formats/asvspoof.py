"""ASVspoof challenges: countermeasures (bona fide or spoof) and verification under attack."""

from __future__ import annotations

from typing import Final

from deciban.tables.formats.layout import Layout
from deciban.tables.formats.reader import Reader

_CM: Final = ("bonafide", "spoof")
_ASV: Final = ("target", "nontarget", "spoof")
_UTT_SCORE: Final = Layout(columns=("utt", "score"), scores=("score",), ids=("utt",))

ASVSPOOF2019 = Reader(
    name="asvspoof2019",
    title="utt attack bonafide|spoof score; attack target|nontarget|spoof score; or utt score, with a protocol as key",
    alone=(
        Layout(
            columns=("utt", "attack", "key", "score"),
            scores=("score",),
            label="key",
            words={"key": _CM},
            ids=("utt",),
            conditions=("attack",),
            of_attacks=("attack",),
        ),
        Layout(
            columns=("attack", "key", "score"),
            scores=("score",),
            label="key",
            words={"key": _ASV},
            conditions=("attack",),
            of_attacks=("attack",),
        ),
    ),
    scores=(_UTT_SCORE,),
    keys=(
        Layout(
            columns=("speaker", "utt", "environment", "attack", "key"),
            label="key",
            words={"key": _CM},
            ids=("utt",),
            sources=("speaker",),
            conditions=("environment", "attack"),
            of_attacks=("attack",),
        ),
    ),
)

_2021: Final = ("speaker", "utt", "codec", "transmission", "attack", "key", "trim", "phase")
_OF_2021: Final = ("codec", "transmission", "attack", "trim", "phase")
_OF_DF: Final = ("vocoder", "task", "team", "gender_pair", "language_pair")
_OF_REPLAY: Final = ("attacker_room", "attacker_microphone", "replay_device", "attacker_distance")
_OF_PA: Final = ("asv_room", "asv_microphone", "asv_distance", *_OF_REPLAY)

ASVSPOOF2021 = Reader(
    name="asvspoof2021",
    title="utt score, with the key table speaker utt … bonafide|spoof trim phase … of LA, PA or DF",
    scores=(_UTT_SCORE,),
    keys=(
        Layout(
            columns=_2021,
            label="key",
            words={"key": _CM},
            ids=("utt",),
            sources=("speaker",),
            conditions=_OF_2021,
            of_attacks=("attack",),
        ),
        Layout(
            columns=(*_2021, *_OF_DF),
            label="key",
            words={"key": _CM},
            ids=("utt",),
            sources=("speaker",),
            conditions=(*_OF_2021, *_OF_DF),
            of_attacks=("attack", *_OF_DF),
        ),
        Layout(
            columns=("speaker", "utt", *_OF_PA, "key", "trim", "phase"),
            label="key",
            words={"key": _CM},
            ids=("utt",),
            sources=("speaker",),
            conditions=(*_OF_PA, "trim", "phase"),
            of_attacks=_OF_REPLAY,
        ),
    ),
)

_SCORES: Final = ("cm-score", "asv-score", "sasv-score")
_PROTOCOL: Final = (
    *("spk", "filename", "gender", "codec", "codec_q", "codec_seed"),
    *("attack_tag", "attack_label", "key", "tmp"),
)
# Without a codec is a condition of its own here.
_NO_CODEC: Final = {"codec": {"-": "none"}, "codec_q": {"-": "none"}}

ASVSPOOF5 = Reader(
    name="asvspoof5",
    title="header filename cm-score, or spk filename cm-score asv-score sasv-score; key with cm-label, or the protocol",
    scores=(
        Layout(columns=("filename", *_SCORES), header=True, scores=_SCORES, ids=("spk", "filename"), optional=("spk",)),
        Layout(columns=("filename", "cm-score"), header=True, scores=("cm-score",), ids=("filename",)),
    ),
    keys=(
        Layout(
            columns=("filename", "cm-label", "asv-label"),
            header=True,
            words={"cm-label": _CM, "asv-label": _ASV},
            ids=("spk", "filename"),
            sources=("spk",),
            optional=("spk",),
            others=True,
            read_as=_NO_CODEC,
        ),
        Layout(
            columns=("filename", "cm-label"),
            header=True,
            label="cm-label",
            words={"cm-label": _CM},
            ids=("filename",),
            others=True,
            read_as=_NO_CODEC,
        ),
        Layout(
            columns=_PROTOCOL,
            label="key",
            words={"key": _CM},
            ids=("filename",),
            sources=("spk",),
            conditions=("gender", "codec", "codec_q", "attack_tag", "attack_label"),
            read_as=_NO_CODEC,
            of_attacks=("attack_tag", "attack_label"),
        ),
    ),
    label_of={"cm-score": "cm-label", "asv-score": "asv-label", "sasv-score": "asv-label"},
)
