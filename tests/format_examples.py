"""A small good file of every format, what it means, and ways to break it with what is then said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Example:
    """Files of one format, and the trials that they hold in the order of the key."""

    reader: str
    scores: str
    key: str | None
    score: Sequence[float]
    is_target: Sequence[bool]
    ids: Sequence[str] = ()
    conditions: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    sources: Sequence[Sequence[str]] = ()
    scale: str = "score"
    suffix: str = ".txt"
    recognised: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    broken: Sequence[tuple[str, str, str]] = ()
    """Each a text of the scores or key, what stands there instead, and what the error says."""

    def write(self, folder: Path, replaced: tuple[str, str] = ("", "")) -> dict[str, Any]:
        """Write the files, one text replaced, and give what ``scan`` takes."""
        old, new = replaced
        scores, key = folder / f"scores{self.suffix}", folder / f"key{self.suffix}"
        content = {scores: self.scores, **({} if self.key is None else {key: self.key})}
        assert not old or any(old in text for text in content.values())
        for path, text in content.items():
            path.write_text(text.replace(old, new, 1) if old else text, encoding="utf-8", newline="")
        given = {"source": str(scores), "key": None if self.key is None else str(key)}
        return {**given, "reader": self.reader, **self.options}


_UNMATCHED = (
    ("c z -1.5\n", "", "1 id of the key without a score: 'c z' (line 1)"),
    ("b y 0.25", "b x 0.25", "1 id of the scores not in the key: 'b x' (line 2)"),
    ("b y 0.25\n", "b y 0.25\nb y 0.5\n", "1 id again in"),
    ("a x 0.5\n", "a x 0.5 9\n", "line 1: expected 3 fields separated by space, found 4"),
    ("0.25", "zero", "line 2, column 3 (score): expected a number, found 'zero'"),
    ("0.25", "1_0", "line 2, column 3 (score): expected a number, found '1_0'"),
    ("c z -1.5", "c z nan", "scores: 1 missing"),
    ("b y nontarget", "b y impostor", "line 3, column 3 (label): expected target or nontarget, found 'impostor'"),
)

EXAMPLES: dict[str, Example] = {
    "kaldi": Example(
        reader="kaldi",
        scores="a x 0.5\nb y 0.25\nc z -1.5\n",
        key="c z nontarget\na x target\nb y nontarget\n",
        score=[-1.5, 0.5, 0.25],
        is_target=[False, True, False],
        ids=["c z", "a x", "b y"],
        broken=_UNMATCHED,
    ),
    "kaldi, one file": Example(
        reader="kaldi",
        scores="0.5 target\n-1.5 nontarget\n",
        key=None,
        score=[0.5, -1.5],
        is_target=[True, False],
        broken=[
            ("0.5", "half", "line 1, column 1 (score): expected a number, found 'half'"),
            ("nontarget", "spoof", "line 2, column 2 (label): expected target or nontarget, found 'spoof'"),
            ("0.5 target", "0.5", "line 1: expected 2 fields separated by space, found 1"),
        ],
    ),
    "kaldi, one file with ids": Example(
        reader="kaldi",
        scores="a x 0.5 target\nb y -1.5 nontarget\n",
        key=None,
        score=[0.5, -1.5],
        is_target=[True, False],
        ids=["a x", "b y"],
        broken=[("-1.5", "?x", "line 2, column 3 (score)"), ("nontarget", "no", "line 2, column 4 (label)")],
    ),
    "voxceleb": Example(
        reader="voxceleb",
        scores="0.5 a/1.wav b/2.wav\n0.25 a/1.wav c/3.wav\n",
        key="0 a/1.wav c/3.wav\n1 a/1.wav b/2.wav\n",
        score=[0.25, 0.5],
        is_target=[False, True],
        ids=["a/1.wav c/3.wav", "a/1.wav b/2.wav"],
        broken=[
            ("1 a/1", "2 a/1", "line 2, column 1 (label): expected 1 or 0, found '2'"),
            ("0.25 a/1.wav c/3.wav", "0.25 a/1.wav c/4.wav", "1 id of the key without a score: 'a/1.wav c/3.wav'"),
            ("0.25", "x", "line 2, column 1 (score): expected a number"),
        ],
    ),
    "nist": Example(
        reader="nist",
        scores="modelid\tsegmentid\tside\tLLR\nm1\ts1\ta\t2.5\nm2\ts1\ta\t-0.5\n",
        key="modelid\tsegmentid\tside\ttargettype\tgender\nm2\ts1\ta\tnontarget\tf\nm1\ts1\ta\ttarget\tf\n",
        score=[-0.5, 2.5],
        is_target=[False, True],
        ids=["m2 s1 a", "m1 s1 a"],
        conditions={"gender": ["f", "f"]},
        scale="ln_lr",
        suffix=".tsv",
        broken=[
            ("LLR", "score", "line 1: expected a header with modelid, segmentid (or segment), LLR"),
            ("targettype", "type", "line 1: expected a header with modelid, segmentid (or segment), targettype"),
            ("\t-0.5", "\tlow", "line 3, column 4 (LLR): expected a number, found 'low'"),
            ("\ttarget\tf", "\ttarget", "line 3: expected 5 fields separated by tab, found 4"),
            ("m2\ts1\ta\t-0.5", "m2\ts1\tb\t-0.5", "1 id of the scores not in the key: 'm2 s1 b' (line 3)"),
        ],
    ),
    "bosaris": Example(
        reader="bosaris",
        scores="a x 0.5\nb y 0.25\nc z -1.5\n",
        key="c z nontarget\na x target\nb y nontarget\n",
        score=[-1.5, 0.5, 0.25],
        is_target=[False, True, False],
        ids=["c z", "a x", "b y"],
        recognised=False,
        broken=_UNMATCHED,
    ),
    "asvspoof2019, cm": Example(
        reader="asvspoof2019",
        scores="u1 - bonafide 2.5\nu2 A07 spoof -1\nu3 A08 spoof 0\n",
        key=None,
        score=[2.5, -1, 0],
        is_target=[True, False, False],
        ids=["u1", "u2", "u3"],
        conditions={"attack": ["-", "A07", "A08"]},
        broken=[("bonafide", "real", "line 1, column 3 (key): expected bonafide or spoof, found 'real'")],
    ),
    "asvspoof2019, asv": Example(
        reader="asvspoof2019",
        scores="bonafide target 2.5\nbonafide nontarget -1\nA08 spoof 0\n",
        key=None,
        score=[2.5, -1, 0],
        is_target=[True, False, False],
        conditions={"attack": ["-", "-", "A08"], "kind": ["-", "nontarget", "spoof"]},
        broken=[("target", "real", "line 1, column 2 (key): expected target or nontarget or spoof, found 'real'")],
    ),
    "asvspoof2019, protocol": Example(
        reader="asvspoof2019",
        scores="u1 2.5\nu2 -1\n",
        key="S1 u2 - A01 spoof\nS1 u1 - - bonafide\n",
        score=[-1, 2.5],
        is_target=[False, True],
        ids=["u2", "u1"],
        conditions={"environment": ["-", "-"], "attack": ["A01", "-"]},
        sources=[["S1", "S1"]],
        broken=[("u1 2.5", "u3 2.5", "1 id of the key without a score: 'u1' (line 2)")],
    ),
    "asvspoof2021": Example(
        reader="asvspoof2021",
        scores="u1 2.5\nu2 -1\n",
        key="S1 u2 alaw ita_tx A07 spoof notrim eval\nS2 u1 none loc_tx bonafide bonafide notrim eval\n",
        score=[-1, 2.5],
        is_target=[False, True],
        ids=["u2", "u1"],
        conditions={
            "codec": ["alaw", "none"],
            "transmission": ["ita_tx", "loc_tx"],
            "attack": ["A07", "-"],
            "trim": ["notrim", "notrim"],
            "phase": ["eval", "eval"],
        },
        sources=[["S1", "S2"]],
        broken=[
            ("u2 -1\n", "", "1 id of the key without a score: 'u2' (line 1)"),
            ("A07 spoof", "A07 fake", "line 1, column 6 (key): expected bonafide or spoof, found 'fake'"),
            ("u2 -1\n", "u2 -1\nu2 -1\n", "1 id again in"),
        ],
    ),
    "asvspoof2021, df": Example(
        reader="asvspoof2021",
        scores="u1 2.5\nu2 -1\n",
        key="S1 u2 mp3 vcc A07 spoof notrim eval neural Task1 T1 FF E\n"
        "S2 u1 none vcc - bonafide notrim eval bonafide - - - -\n",
        score=[-1, 2.5],
        is_target=[False, True],
        ids=["u2", "u1"],
        conditions={"codec": ["mp3", "none"], "vocoder": ["neural", "-"], "attack": ["A07", "-"]},
        broken=[("A07 spoof", "A07 fake", "line 1, column 6 (key)")],
    ),
    "asvspoof2021, pa": Example(
        reader="asvspoof2021",
        scores="u1 2.5\nu2 -1\n",
        key="S1 u2 R3 M3 d4 r1 m1 s4 c4 spoof notrim eval\nS2 u1 R1 M2 D2 - - - - bonafide trim hidden\n",
        score=[-1, 2.5],
        is_target=[False, True],
        ids=["u2", "u1"],
        conditions={
            "asv_room": ["R3", "R1"],
            "asv_microphone": ["M3", "M2"],
            "asv_distance": ["d4", "D2"],
            "attacker_room": ["r1", "-"],
            "attacker_microphone": ["m1", "-"],
            "replay_device": ["s4", "-"],
            "attacker_distance": ["c4", "-"],
            "trim": ["notrim", "trim"],
            "phase": ["eval", "hidden"],
        },
        sources=[["S1", "S2"]],
        broken=[
            ("c4 spoof", "c4 fake", "line 1, column 10 (key): expected bonafide or spoof, found 'fake'"),
            ("u2 -1\n", "", "1 id of the key without a score: 'u2' (line 1)"),
            (" notrim eval", " notrim", "line 1: expected 12 fields separated by space, found 11"),
        ],
    ),
    "asvspoof5": Example(
        reader="asvspoof5",
        scores="filename\tcm-score\nu1\t2.5\nu2\t-1\n",
        key="filename\tcm-label\nu2\tspoof\nu1\tbonafide\n",
        score=[-1, 2.5],
        is_target=[False, True],
        ids=["u2", "u1"],
        suffix=".tsv",
        broken=[
            ("cm-score", "score", "line 1: expected a header with filename"),
            ("2.5", "-", "scores: 1 missing"),
            ("2.5", "low", "line 2, column 2 (cm-score): expected a number, found 'low'"),
            ("spoof", "fake", "line 2, column 2 (cm-label): expected bonafide or spoof, found 'fake'"),
            ("u2\t-1\n", "", "1 id of the key without a score: 'u2' (line 2)"),
        ],
    ),
    "asvspoof5, protocol": Example(
        reader="asvspoof5",
        scores="filename\tcm-score\nu1\t2.5\nu2\t-1\nu3\t0\n",
        key="E1 u2 F C04 2 E9 AC2 A17 spoof -\nE2 u1 M - - - - bonafide bonafide -\nE2 u3 M - - - AC1 A18 spoof -\n",
        score=[-1, 2.5, 0],
        is_target=[False, True, False],
        ids=["u2", "u1", "u3"],
        conditions={
            "gender": ["F", "M", "M"],
            "codec": ["C04", "none", "none"],
            "codec_q": ["2", "none", "none"],
            "attack_tag": ["AC2", "-", "AC1"],
            "attack_label": ["A17", "-", "A18"],
        },
        sources=[["E1", "E2", "E2"]],
        broken=[
            ("A17 spoof", "A17 fake", "line 1, column 9 (key): expected bonafide or spoof, found 'fake'"),
            ("u1\t2.5", "u4\t2.5", "1 id of the key without a score: 'u1' (line 2)"),
            ("cm-score", "cm", "line 1: expected a header with filename"),
        ],
    ),
    "asvspoof5, track 2": Example(
        reader="asvspoof5",
        scores="spk\tfilename\tcm-score\tasv-score\tsasv-score\nA\tu1\t-\t-\t2.5\nA\tu2\t-\t-\t-1\nB\tu1\t-\t-\t0\n",
        key="spk\tfilename\tcm-label\tasv-label\n"
        "A\tu1\tbonafide\ttarget\nB\tu1\tbonafide\tnontarget\nA\tu2\tspoof\tspoof\n",
        score=[2.5, 0, -1],
        is_target=[True, False, False],
        ids=["A u1", "B u1", "A u2"],
        conditions={"kind": ["-", "nontarget", "spoof"]},
        sources=[["A", "B", "A"]],
        suffix=".tsv",
        broken=[
            ("spoof\tspoof", "spoof\tfake", "line 4, column 4 (asv-label): expected target or nontarget or spoof"),
            ("A\tu1\t-\t-\t2.5", "A\tu1\t0.5\t-\t2.5", "which scores? 'cm-score', 'asv-score', 'sasv-score'"),
        ],
    ),
    "sasv": Example(
        reader="sasv",
        scores="A u1 2.5 target\nB u1 0 nontarget\nA u2 -1 spoof\n",
        key=None,
        score=[2.5, 0, -1],
        is_target=[True, False, False],
        ids=["A u1", "B u1", "A u2"],
        conditions={"kind": ["-", "nontarget", "spoof"]},
        sources=[["A", "B", "A"]],
        broken=[
            ("spoof", "fake", "line 3, column 4 (label): expected target or nontarget or spoof, found 'fake'"),
            ("2.5", "-", "scores: 1 missing"),
        ],
    ),
    "pan": Example(
        reader="pan",
        scores='{"id": "p1", "value": [0.75]}\n{"id": "p2", "value": 1}\n{"id": "p3", "value": 0.5}',
        key='{"id": "p2", "same": true, "authors": ["a", "a"]}\n{"id": "p1", "same": false, "authors": ["a", "b"]}\n'
        '{"id": "p3", "same": true, "authors": ["c", "c"]}',
        score=[1.0, 0.75, 0.5],
        is_target=[True, False, True],
        ids=["p2", "p1", "p3"],
        sources=[["a", "a", "c"], ["a", "b", "c"]],
        scale="probability",
        suffix=".jsonl",
        broken=[
            ("[0.75]", "[0.75, 0.5]", "line 1, column 2 (value): expected a number, found '0.75"),
            ("[0.75]", '"high"', "line 1, column 2 (value): expected a number, found 'high'"),
            ('"p3", "value"', '"p4", "value"', "1 id of the key without a score: 'p3' (line 3)"),
            ('"same": true, "authors": ["c"', '"same": "maybe", "authors": ["c"', "line 3, column 2 (same): expected"),
            ("[0.75]", "1.5", "found 1.5 at row 2"),
            ("[0.75]}", "[0.75]", "line 1: expected one JSON object"),
        ],
    ),
    "bob, two columns": Example(
        reader="bob",
        scores="-1 -0.5\n1 0.75\n+1 0.25\n",
        key=None,
        score=[-0.5, 0.75, 0.25],
        is_target=[False, True, True],
        broken=[
            ("-1 ", "0 ", "line 1, column 1 (label): expected -1 or 1 or +1, found '0'"),
            ("0.75", "nan", "--missing reject"),
            ("0.75", "x", "line 2, column 2 (score): expected a number"),
        ],
    ),
    "bob, four columns": Example(
        reader="bob",
        scores="1 1 f/1 0.5\n1 2 f/2 -0.5\n",
        key=None,
        score=[0.5, -0.5],
        is_target=[True, False],
        ids=["1 f/1", "1 f/2"],
        sources=[["1", "1"], ["1", "2"]],
        recognised=False,
        broken=[("-0.5", "x", "line 2, column 4 (score)"), ("1 2 f/2", "1 2", "line 2: expected 4 fields")],
    ),
    "bob, five columns": Example(
        reader="bob",
        scores="1 m1 1 f/1 0.5\n1 m1 2 f/2 -0.5\n",
        key=None,
        score=[0.5, -0.5],
        is_target=[True, False],
        ids=["m1 f/1", "m1 f/2"],
        sources=[["1", "1"], ["1", "2"]],
        recognised=False,
        broken=[("-0.5", "x", "line 2, column 5 (score)")],
    ),
    "bob, csv": Example(
        reader="bob",
        scores="bio_ref_subject_id,probe_subject_id,score\n1,1,0.5\n1,2,-0.5\n",
        key=None,
        score=[0.5, -0.5],
        is_target=[True, False],
        sources=[["1", "1"], ["1", "2"]],
        suffix=".csv",
        broken=[("-0.5", "x", "line 3, column 3 (score)")],
    ),
    "bob, csv with attacks": Example(
        reader="bob",
        scores="bio_ref_reference_id,probe_reference_id,probe_key,probe_attack_type,score\n"
        "x,x,0,,0.5\nx,y,1,,-0.5\nx,y,2,print,0\n",
        key=None,
        score=[0.5, -0.5, 0],
        is_target=[True, False, False],
        ids=["x x 0", "x y 1", "x y 2"],
        conditions={"kind": ["-", "nontarget", "spoof"], "probe_attack_type": [None, None, "print"]},
        suffix=".csv",
        broken=[
            ("-0.5", "x", "line 3, column 5 (score)"),
            (",score", ",result", "line 1, column 5 (score): expected a number, found 'result'"),
        ],
    ),
}
