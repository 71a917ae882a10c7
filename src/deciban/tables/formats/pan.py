"""PAN authorship verification: ``answers.jsonl`` beside ``truth.jsonl``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deciban.errors import InputError, OptionError, listing
from deciban.tables.files.inputs import InputFile
from deciban.tables.files.json_files import JsonLines
from deciban.tables.formats.layout import Layout
from deciban.tables.formats.reader import Reader
from deciban.tables.formats.side import Side
from deciban.tables.formats.source import FormatSource

AUTHORS: Final = ("author1", "author2")
"""What the two authors of ``authors`` are called."""

ANSWERS: Final = Layout(columns=("id", "value"), scores=("value",), ids=("id",))
TRUTH: Final = Layout(
    columns=("id", "same"), label="same", words={"same": ("true", "false")}, ids=("id",), sources=AUTHORS
)


class _Answers(JsonLines):
    """Answers, whose value may be a list of one number."""

    def expression(self, name: str) -> tuple[str, str]:
        """The SQL that yields a column, and the key of the objects that it is made of."""
        if name == "value":
            return 'CASE WHEN "value" LIKE \'[%]\' THEN "value"[2:-2] ELSE "value" END', name
        return super().expression(name)


class _Truth(JsonLines):
    """The truth, whose list of authors is two columns."""

    def __init__(self, file: InputFile) -> None:
        super().__init__(file)
        if "authors" in self.names:
            self.names = (*(name for name in self.names if name not in ("authors", *AUTHORS)), *AUTHORS)

    def expression(self, name: str) -> tuple[str, str]:
        """The SQL that yields a column, and the key of the objects that it is made of."""
        if name in AUTHORS and "authors" not in self.names:
            return f"json_extract_string(authors, '$[{AUTHORS.index(name)}]')", "authors"
        return super().expression(name)


def open_pan(reader: Reader, files: Sequence[InputFile], key: InputFile | None, unmatched: str) -> FormatSource:
    """Answers joined to their truth."""
    if key is None:
        raise OptionError("reader 'pan': expected the truth beside the answers: key='truth.jsonl' (--key)")
    parts = [_Answers(_json(file)) for file in files]
    truth = _Truth(_json(key))
    for part, layout in [*((part, ANSWERS) for part in parts), (truth, TRUTH)]:
        lacking = [name for name in layout.columns if name not in part.names]
        if lacking:
            raise InputError(f"{part.file.name}: line 1: expected {listing(layout.columns)}, found no {lacking[0]!r}")
    return FormatSource(reader, Side(files, ANSWERS, parts), Side([key], TRUTH, [truth]), unmatched)


def _json(file: InputFile) -> InputFile:
    if file.kind not in ("json", "csv"):
        raise InputError(f"{file.name}: expected JSON lines, found a {file.kind} file")
    return file


PAN: Final = Reader(
    name="pan",
    title='answers {"id": …, "value": …}, with the truth {"id": …, "same": …, "authors": […, …]} as key',
    scores=(ANSWERS,),
    keys=(TRUTH,),
    scale="probability",
    opened=open_pan,
)
