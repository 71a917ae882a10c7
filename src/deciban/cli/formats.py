"""The formats of the smaller records, declared once: a table, JSON, Markdown, ``name value`` lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, Protocol

from deciban.cli.options import OUTPUT, option

FORMATS: Final = ("table", "json", "markdown", "plain")

Format = Annotated[str, option("--format", "FORMAT", "table, json, markdown or plain.", OUTPUT)]


class Record(Protocol):
    """A record that can be written in each of the formats."""

    def to_json(self) -> str:
        """Write it as JSON."""
        ...

    def to_markdown(self) -> str:
        """Write it as Markdown tables."""
        ...

    def named_values(self) -> Iterable[tuple[str, float | None]]:
        """Give every number by a name of its own."""
        ...


def check_format(format_: str) -> None:
    """Raise :class:`OptionError` for a format that there is not, before anything is computed."""
    from deciban.values.option_checks import check_choice

    check_choice("--format", format_, FORMATS)


def formatted(record: Record, format_: str) -> str:
    """Write a record in one of the formats."""
    from deciban.records.writing import plain_lines

    if format_ == "json":
        return record.to_json()
    if format_ == "markdown":
        return record.to_markdown()
    return plain_lines(record.named_values()) if format_ == "plain" else str(record)
