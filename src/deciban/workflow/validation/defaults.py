"""The criteria that hold unless the laboratory says otherwise, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from deciban.records.validation_rows import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Default:
    """One default criterion.

    Attributes
    ----------
    id, characteristic, kind, graph
        As in the matrix; ``kind`` is a key of ``KINDS``.
    settings
        Its settings.
    awaited
        Settings that only the laboratory can give; giving one is no change of the criterion.
    rule
        How it is decided where neither the kind nor the laboratory says; None: as the other criteria.
    why
        The reason for it.
    """

    id: str
    characteristic: str
    kind: str
    graph: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    awaited: tuple[str, ...] = ()
    rule: Rule | None = None
    why: str


DEFAULTS: Final[tuple[Default, ...]] = (
    Default(
        id="A1",
        characteristic="accuracy",
        kind="figure",
        graph="empirical cross-entropy",
        settings={"metric": "cllr", "limit": "< 1"},
        why="a method whose Cllr is 1 or more tells no more than LR = 1 for every trial (Brümmer and du Preez 2006)",
    ),
    Default(
        id="A2",
        characteristic="accuracy",
        kind="baseline",
        graph="empirical cross-entropy of both",
        settings={"metric": "cllr"},
        awaited=("margin",),
        why="Cllr values of different data are not comparable (van Lierop et al. 2024): a baseline on the same trials "
        "is what they are judged by",
    ),
    Default(
        id="C1",
        characteristic="calibration",
        kind="null_band",
        graph="PAV transformation, Tippett",
        settings={"metric": "cllr_cal"},
        why="calibration loss is above 0 even for perfect calibration, by how much depends on the number of trials: "
        "a fixed limit would fail perfect methods (Vergeer et al. 2021; Morrison 2021 on what PAV measures)",
    ),
    Default(
        id="C2",
        characteristic="calibration",
        kind="line",
        graph="PAV transformation",
        why="the best straight line through the log LRs of a calibrated method is the identity (Cox 1958). Its slope "
        "is that of calibration_line, beside a free intercept. The intercept is calibration_intercept, fitted with the "
        "slope held at 1: it says whether all LRs are too large or too small by one factor, which the intercept "
        "beside a free slope does not, since it moves with the slope",
    ),
    Default(
        id="C3",
        characteristic="calibration",
        kind="misleading",
        graph="Tippett",
        settings={"k": [10.0, 100.0, 1000.0], "alpha": 0.05},
        why="LRs of k or more occur with calibrated methods in at most 1/k of the cases that they mislead about "
        "(Turing's bound; Royall 2000)",
    ),
    Default(
        id="D1",
        characteristic="discriminating power",
        kind="figure",
        graph="DET",
        settings={"metric": "eer"},
        awaited=("metric", "limit"),
        why="how well the classes must be told apart depends on the use: the laboratory gives the number",
    ),
    Default(
        id="R1",
        characteristic="robustness",
        kind="conditions",
        graph="the figure by condition, with intervals",
        settings={"metric": "cllr"},
        awaited=("margin",),
        why="one Cllr for all conditions hides those in which the method fails",
    ),
    Default(
        id="N1",
        characteristic="amount of data",
        kind="errors",
        graph="DET",
        settings={"limit": ">= 30"},
        why="30 errors give a rate to ±30 % of itself at 90 % confidence (Doddington et al. 2000)",
    ),
    Default(
        id="N2",
        characteristic="amount of data",
        kind="sources",
        graph="none",
        awaited=("limit",),
        why="trials of the same sources are not independent: what is known grows with the number of sources",
    ),
    Default(
        id="X1",
        characteristic="range of LRs",
        kind="bounds",
        graph="Tippett, distribution of LRs",
        settings={"bounds": "elub"},
        awaited=("lower", "upper"),
        rule="point",
        why="LRs beyond what the data support rest on the model alone (Vergeer et al. 2016)",
    ),
    Default(
        id="S1",
        characteristic="separation of data",
        kind="overlap",
        graph="none",
        why="figures are optimistic where the method has seen the sources before",
    ),
)
