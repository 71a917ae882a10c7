"""The record of a check of another record, schema ``deciban.verification/1``."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from deciban.records.display import exact_digits, several
from deciban.records.finding import Finding
from deciban.records.tables import Row, Table
from deciban.values.record import from_plain, load_json, to_json

SCHEMA: Literal["deciban.verification/1"] = "deciban.verification/1"

SHOWN = 50
"""Differences that a table for people lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedInput:
    """One file that the record names, or one table of a database.

    Attributes
    ----------
    path
        As the record names it.
    read
        Where it was read now; None where there is no such file.
    same
        Whether it has the bytes that the record was made from; of a table of a database the counts, since its bytes
        are nowhere to be hashed.
    sha256, found_sha256
        Hash of the bytes in the record, and now; empty and None of a table.
    bytes, found_bytes
        How many they are in the record, and now.
    by
        What was compared: ``bytes`` or ``counts``.
    """

    path: str
    read: str | None
    same: bool
    sha256: str
    found_sha256: str | None
    bytes: int
    found_bytes: int | None
    by: Literal["bytes", "counts"] = "bytes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One value that came out otherwise.

    Attributes
    ----------
    where
        Its place in the record: ``metrics.auc.interval.low``.
    recorded, found
        What the record holds and what was computed now; None also where there is no such value.
    relative
        |found − recorded| / |recorded| of two numbers other than 0, else None.
    within
        Whether both are numbers that differ by no more than the tolerance asked for.
    """

    where: str
    recorded: Any
    found: Any
    relative: float | None
    within: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Whether a record comes out again from its inputs, by its own options.

    Attributes
    ----------
    checked
        Schema of the record.
    record_sha256
        Hash of its JSON.
    inputs
        The files it names.
    versions
        For each program, the version of the record and the one at hand.
    rtol
        Relative difference that numbers may have.
    compared
        How many values were compared; 0 when nothing could be computed again.
    changes
        Every value that came out otherwise.
    failure
        Why nothing could be computed again, else None.
    """

    schema: Literal["deciban.verification/1"] = SCHEMA
    checked: str
    record_sha256: str
    inputs: tuple[CheckedInput, ...]
    versions: tuple[tuple[str, ...], ...]
    rtol: float
    compared: int
    changes: tuple[Change, ...] = ()
    failure: str | None = None

    COLUMNS: ClassVar[tuple[str, ...]] = ("where", "recorded", "found", "relative", "within")

    @property
    def same(self) -> bool:
        """Whether all inputs are as recorded and every value came out again, numbers within the tolerance."""
        whole = all(file.same for file in self.inputs) and self.failure is None
        return whole and all(change.within for change in self.changes)

    @property
    def verdict(self) -> str:
        """What was found, in a sentence, and by which other versions."""
        other = [f"{name} {now} instead of {recorded}" for name, recorded, now in self.versions if recorded != now]
        return f"{self._found}; by {', '.join(other)}" if other else self._found

    @property
    def _found(self) -> str:
        """What was found, in a sentence."""
        if self.failure is not None:
            return f"not verified: {self.failure}"
        other = sum(not file.same for file in self.inputs)
        if other:
            return f"not verified: {several(other, 'input')} of {len(self.inputs)} not as recorded"
        if not self.changes:
            by = " and ".join(sorted({file.by for file in self.inputs}))
            return f"verified: all {self.compared} values came out again, from the same {by}"
        beyond = sum(not change.within for change in self.changes)
        differ = f"{len(self.changes)} of {self.compared} values differ"
        if not beyond:
            return f"verified: {differ}, each by no more than the tolerance of {self.rtol:g}"
        return f"not verified: {differ}" + (f", {beyond} by more than {self.rtol:g}" if self.rtol else "")

    def to_json(self) -> str:
        """Write the record as JSON (schema ``deciban.verification/1``)."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Verification:
        """Read a record that :meth:`to_json` wrote; raises :class:`InputError` for anything else."""
        return from_plain(cls, load_json(text, SCHEMA))

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row per value that came out otherwise."""
        return [{name: getattr(change, name) for name in self.COLUMNS} for change in self.changes]

    def tables(self) -> Iterator[Table]:
        """The verdict, the inputs, the versions and what came out otherwise."""
        yield Table(
            "Verification", ("", ""), [("verdict", self.verdict), ("record", f"{self.checked} {self.record_sha256}")]
        )
        if self.inputs:
            rows: list[Row] = [
                (file.path, _state(file), file.sha256 or "-", file.found_sha256 or "-") for file in self.inputs
            ]
            yield Table("Inputs", ("file", "", "sha256 recorded", "sha256 found"), rows)
        other = [row for row in self.versions if row[1] != row[2]]
        if other:
            yield Table("Versions that differ", ("", "recorded", "now"), other)
        if self.changes:
            shown: list[Row] = [
                (c.where, _value(c.recorded), _value(c.found), _relative(c)) for c in self.changes[:SHOWN]
            ]
            more = f" (the first {SHOWN} of {len(self.changes)}; the JSON record has all)"
            title = "Values that came out otherwise" + (more if len(self.changes) > SHOWN else "")
            yield Table(title, ("value", "recorded", "found", "relative difference"), shown)

    def lines(self) -> Iterator[str]:
        """``name value`` lines of the record."""
        yield f"same {int(self.same)}"
        yield f"inputs {len(self.inputs)}"
        yield f"inputs_changed {sum(not file.same for file in self.inputs)}"
        yield f"compared {self.compared}"
        yield f"changes {len(self.changes)}"

    def all_findings(self) -> tuple[Finding, ...]:
        """A check has none: what it finds is its content."""
        return ()

    def __str__(self) -> str:
        from deciban.records.writing import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from deciban.records.writing import as_html

        return as_html(self)


def _state(file: CheckedInput) -> str:
    if file.read is None:
        return "not there"
    moved = "" if file.read == file.path else f", read from {file.read}"
    if file.by == "counts":
        return ("counts as recorded" if file.same else "counts not as recorded") + moved
    return (
        "as recorded" if file.same else f"changed: {file.bytes} bytes were recorded, {file.found_bytes} found"
    ) + moved


def _value(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return exact_digits(value)
    if isinstance(value, (list, dict)):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    return str(value)


def _relative(change: Change) -> str:
    return "" if change.relative is None or not math.isfinite(change.relative) else f"{change.relative:.2g}"
