"""What a validation matrix is made of: the laboratory, criteria, results, rows, sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from deciban.tables.files.inputs import Input
from deciban.uncertainty.interval import Interval
from deciban.uncertainty.null_band import NullBand

Decision = Literal["pass", "fail", "not assessable"]
Rule = Literal["bound", "point"]
Origin = Literal["default", "completed", "changed", "laboratory"]

NOT_STATED: Final = "NOT STATED BY THE LABORATORY"


def stated(text: str | None) -> str:
    """What the laboratory said, or that it did not."""
    return text or NOT_STATED


@dataclass(frozen=True, slots=True, kw_only=True)
class Laboratory:
    """What only the laboratory can say; None where it did not.

    Attributes
    ----------
    name, method, version
        The laboratory, the method that is validated and its version.
    report_id, date, author, reviewer
        Of the report.
    scope
        What the method is to be used for, in one sentence.
    proposition_1, proposition_2, level
        The propositions that targets and nontargets stand for, and their level (source, activity).
    conditioning
        The information that both propositions take as given.
    casework_conditions
        The conditions of casework that the data are meant to reflect.
    """

    name: str | None = None
    method: str | None = None
    version: str | None = None
    report_id: str | None = None
    date: str | None = None
    author: str | None = None
    reviewer: str | None = None
    scope: str | None = None
    proposition_1: str | None = None
    proposition_2: str | None = None
    level: str | None = None
    conditioning: str | None = None
    casework_conditions: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The criteria file as it was read: its name, what it says and the SHA-256 of that."""

    name: str
    sha256: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One criterion as it was used.

    Attributes
    ----------
    id, characteristic, graph
        Its name, the performance characteristic, and the plot that shows it.
    kind
        What decides it, e.g. ``figure`` or ``null_band``.
    metric
        The figure, or what is counted.
    says
        The criterion in words.
    settings
        Its numbers by name.
    rule
        ``bound``: the end of the interval has to meet it; ``point``: the value.
    fixed_on
        When it was fixed; None where the laboratory did not say.
    origin
        ``default``; ``completed``: a default whose number the laboratory gave; ``changed`` by the laboratory;
        ``laboratory``: one of its own.
    reason
        Why it is as it is: of the default, or of the laboratory where it changed it.
    """

    id: str
    characteristic: str
    kind: str
    metric: str
    graph: str
    says: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    rule: Rule
    fixed_on: str | None
    origin: Origin
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One figure of a row beside what it was held against.

    Attributes
    ----------
    name
        The figure: an expression, or what was counted.
    value, unit, interval
        The figure and its uncertainty, where there are any.
    limit
        What it was held against, in words.
    null_band, p_value
        What perfectly calibrated LRs give; the p-value of a test; where the criterion is about one.
    decision
        None for a figure that is shown beside and decides nothing.
    reason
        Code when it is not assessable.
    said
        The decision in one sentence.
    """

    name: str
    value: int | float | None = None
    unit: str = ""
    interval: Interval | None = None
    limit: str = ""
    null_band: NullBand | None = None
    p_value: float | None = None
    decision: Decision | None
    reason: str | None = None
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRow:
    """One row of the matrix: a criterion, the data, the results and the decision."""

    criterion: Criterion
    data: str
    results: tuple[Result, ...]
    decision: Decision

    @property
    def why(self) -> str:
        """What decided it, in words."""
        return "; ".join(dict.fromkeys(one.said for one in self.results if one.decision == self.decision))


def decision_of(results: Sequence[Result]) -> Decision:
    """The decision of a row: one failure fails it, and it passes only where nothing was left open."""
    decisions = [one.decision for one in results if one.decision is not None]
    if "fail" in decisions:
        return "fail"
    return "pass" if decisions and all(one == "pass" for one in decisions) else "not assessable"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceColumn:
    """The sources that one column names.

    Attributes
    ----------
    column
        Its name.
    n, n_target, n_nontarget
        Distinct sources of all trials and of each class.
    fewest, median, most
        Trials of a source.
    """

    column: str
    n: int
    n_target: int
    n_nontarget: int
    fewest: int
    median: float
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Development:
    """What the method was developed or calibrated on, as far as sources go.

    Attributes
    ----------
    what
        Its file, or what it was given as.
    n_sources
        Distinct sources; None when none were named.
    shared
        How many of them are sources of the validation data; None when either has no sources.
    same
        What else it has in common with the validation data, in words: the very file or trials.
    inputs
        Files read.
    """

    what: str
    n_sources: int | None
    shared: int | None
    same: str | None = None
    inputs: tuple[Input, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """The LRs beyond which none is reported.

    Attributes
    ----------
    lower, upper
        As they are reported.
    rule
        ``laboratory``, or the rule of bounds that gave them.
    says
        The statement for the case report.
    """

    lower: float
    upper: float
    rule: str
    says: str
