"""PAN authorship verification: ``answers.jsonl`` beside ``truth.jsonl``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deciban.errors import InputError, OptionError, listing
from deciban.tables.files.duck import identifier
from deciban.tables.files.inputs import InputFile
from deciban.tables.files.json_files import JsonLines
from deciban.tables.formats.layout import Layout
from deciban.tables.formats.reader import Reader
from deciban.tables.formats.side import Side
from deciban.tables.formats.source import FormatSource

AUTHORS: Final = ("author1", "author2")
"""What the two authors of ``authors`` are called."""

ANSWERED: Final = {"same": "value", "value": "value", "is_human": "is_human", "label": "label"}
"""For each field of a truth the field of the answers to it."""

_PAIRS: Final = ("is_human", "label")
"""Fields whose value may be two truth values, one for each of two texts."""

_WORDS: Final = ("true", "false", "1", "0")


class _Answers(JsonLines):
    """Answers, whose value may be a list of one number."""

    def expression(self, name: str) -> tuple[str, str]:
        """The SQL that yields a column, and the key of the objects that it is made of."""
        if name in ANSWERED.values():
            column = identifier(name)
            return _second(name, f"CASE WHEN {column} LIKE '[%]' THEN {column}[2:-2] ELSE {column} END"), name
        return super().expression(name)


class _Truth(JsonLines):
    """The truth, called ``truth`` unless it says ``same``, whose list of authors is two columns."""

    def __init__(self, file: InputFile) -> None:
        super().__init__(file)
        self.field = next((name for name in ANSWERED if name in self.names), "same")
        self.column = "same" if self.field == "same" else "truth"
        self.authors = AUTHORS if "authors" in self.names else ()
        called = {name: name for name in self.names} | {self.column: "", self.field: self.column}
        if self.authors:
            called |= dict.fromkeys(("authors", *AUTHORS), "")
        self.names = (*filter(None, (called[name] for name in self.names)), *self.authors)

    def expression(self, name: str) -> tuple[str, str]:
        """The SQL that yields a column, and the key of the objects that it is made of."""
        if name == self.column:
            return _second(self.field, identifier(self.field)), self.field
        if name in self.authors:
            return f"json_extract_string(authors, '$[{AUTHORS.index(name)}]')", "authors"
        return super().expression(name)


def _second(name: str, otherwise: str) -> str:
    """The SQL that says of two truth values whether the second is the true one."""
    if name not in _PAIRS:
        return otherwise
    bare = f"replace({identifier(name)}, ' ', '')"
    return f"CASE {bare} WHEN '[false,true]' THEN '1' WHEN '[true,false]' THEN '0' ELSE {otherwise} END"


def is_pan(answers: InputFile, truth: InputFile) -> bool:
    """Whether two files of JSON lines are answers and their truth."""
    of_answers, of_truth = JsonLines(answers).names, JsonLines(truth).names
    field = next((name for name in ANSWERED if name in of_truth), "")
    return field != "" and {"id", ANSWERED[field]} <= set(of_answers) and "id" in of_truth


def open_pan(reader: Reader, files: Sequence[InputFile], key: InputFile | None, unmatched: str) -> FormatSource:
    """Answers joined to their truth."""
    if key is None:
        raise OptionError("reader 'pan': expected the truth beside the answers: key='truth.jsonl' (--key)")
    parts = [_Answers(_json(file)) for file in files]
    truth = _Truth(_json(key))
    value, column = ANSWERED[truth.field], truth.column
    answers = Layout(columns=("id", value), scores=(value,), ids=("id",))
    of_truth = Layout(columns=("id", column), label=column, words={column: _WORDS}, ids=("id",), sources=AUTHORS)
    for part, layout in [*((part, answers) for part in parts), (truth, of_truth)]:
        lacking = [name for name in layout.columns if name not in part.names]
        if lacking:
            raise InputError(f"{part.file.name}: line 1: expected {listing(layout.columns)}, found no {lacking[0]!r}")
    return FormatSource(reader, Side(files, answers, parts), Side([key], of_truth, [truth]), unmatched)


def _json(file: InputFile) -> InputFile:
    if file.kind not in ("json", "csv"):
        raise InputError(f"{file.name}: expected JSON lines, found a {file.kind} file")
    return file


PAN: Final = Reader(
    name="pan",
    title='answers {"id": …, "value": …}, with the truth {"id": …, "same": …, "authors": […, …]} as key',
    scale="probability",
    opened=open_pan,
)
