"""Where the numbers come from and how to make them again, with the record itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from deciban.records.comparison import Comparison
from deciban.records.display import shortened
from deciban.report.command import command_of
from deciban.report.numbers import as_link
from deciban.report.section import Block, Code, Command, Download, Facts, Heading, Prose, Section, Words, prose
from deciban.report.subject import Subject
from deciban.report.wording import count_text

EMBEDDED: Final = 1_000_000
"""Bytes of JSON up to which the record lies in the page: beyond, no browser would open it with ease."""


def provenance(subject: Subject) -> Section:
    """Make the section."""
    origin, text = subject.whole.provenance, subject.whole.to_json()
    command = command_of(subject.whole)
    blocks: list[Block] = []
    if command is not None:
        blocks += [prose("The same numbers from the same files:"), Command(command)]
    else:
        blocks.append(prose("The trials were data in memory, or tables that the record does not tell apart."))
    versions = ", ".join(f"{name} {version}" for name, version in origin.versions.items())
    facts: list[tuple[str, Words]] = [
        ("Versions", (versions,)),
        ("Counted by", (origin.engine,)),
        ("Seed", (str(origin.seed),)),
        ("SHA-256 of the record", (Code(hashlib.sha256(text.encode("utf-8")).hexdigest()),)),
    ]
    blocks += [Facts(tuple(facts)), *_columns(subject), Heading("Options"), Facts(tuple(_facts(origin.options)))]
    blocks += [Heading("The record"), _record(text, known=command is not None)]
    return Section("provenance", "Provenance", tuple(blocks))


def _record(text: str, *, known: bool) -> Download | Prose:
    """The record as a file, or how to get it where it is too large to lie in the page."""
    size = len(text.encode("utf-8"))
    holds = f"{count_text(size)} bytes: every figure with all digits, every finding, the curves."
    if size > EMBEDDED:
        command = (" by the command above with ", Code("-o record.json")) if known else (" by ", Code("to_json()"))
        return prose(
            "The record is too large to lie in this page, which is made of it and of nothing else. It has "
            f"{holds} It is written as JSON",
            *command,
            " or by ",
            Code("deciban evaluate --format json"),
            "; the SHA-256 above tells whether a file is it, and deciban verify computes it again.",
        )
    note = f"{holds} This page is made of it and of nothing else; deciban verify computes it again from the files."
    return Download("Save the record (JSON)", "record.json", as_link(text, "application/json"), note)


def _columns(subject: Subject) -> Iterator[Block]:
    """Which column was what."""
    columns = subject.record.provenance.columns
    of_systems = columns if isinstance(subject.record, Comparison) else {"": columns}
    for name, declared in of_systems.items():
        facts = tuple(_facts(declared))
        if facts:
            yield Heading(f"Columns of {shortened(name)}" if name else "Columns")
            yield Facts(facts)


def _facts(options: Mapping[str, Any]) -> Iterator[tuple[str, Words]]:
    """Options that are set, as they are in the record."""
    for name, value in options.items():
        if value in (None, [], (), {}, ""):
            continue
        if name == "assumed":
            yield "recognised, not given", ("; ".join(map(str, value)),)
        else:
            yield name.replace("_", " "), (Code(_written(value)),)


def _written(value: Any) -> str:
    if isinstance(value, str):
        return shortened(value, 200)
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return shortened(", ".join(value), 400)
    return shortened(json.dumps(value, ensure_ascii=False), 400)
