"""A record on stdout in the format asked for, and its findings on stderr where that format leaves them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol

from deciban.cli.output import say
from deciban.cli.wording import on_the_command_line

if TYPE_CHECKING:
    from deciban.records.finding import Finding
    from deciban.records.writing import Printed

    class Record(Printed, Protocol):
        """A record that can be written in every format."""

        def to_json(self) -> str:
            """Return the record as JSON."""


FORMATS: Final = ("table", "json", "csv", "markdown", "plain")


def formatted(result: Record, format_: str) -> str:
    """The record in one of the formats."""
    from deciban.records import writing

    writers = {
        "table": writing.as_text,
        "csv": writing.as_csv,
        "markdown": writing.as_markdown,
        "plain": writing.as_plain,
    }
    return result.to_json() if format_ == "json" else writers[format_](result)


def say_findings(result: Printed, format_: str) -> None:
    """Findings for people, one line per code, where the table on stdout does not hold them already.

    The JSON record holds them with their advice, so there the message is enough.
    """
    if format_ in ("table", "markdown"):
        return
    say_all(result.all_findings(), advice=format_ != "json")


def strict_not_met(findings: Sequence[Finding], strict: bool) -> bool:
    """Whether ``--strict`` is given and there are warnings, which is said."""
    from deciban.records.display import several

    warned = sum(finding.severity == "warn" for finding in findings) if strict else 0
    if warned:
        say(f"deciban: strict: not met, {several(warned, 'warning')}")
    return warned > 0


def say_all(findings: Sequence[Finding], *, advice: bool = True) -> None:
    """Findings for people on stderr, one line per code, with the advice or without."""
    from deciban.records.tables import by_code, said

    for (severity, code), alike in by_code(findings).items():
        more = f" (and {len(alike) - 1} more of this code)" if len(alike) > 1 else ""
        what_to_do = f"; {on_the_command_line(alike[0].advice)}" if advice else ""
        say(f"deciban: {severity}: {code}: {said(alike[0])}{more}{what_to_do}")
