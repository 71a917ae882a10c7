"""What is wrong with a delimited file: every line that cannot be read, when the fast reader has refused it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deciban.errors import SHOWN, InputError, Problems
from deciban.tables.files.dialect import QuoteError, records
from deciban.tables.files.inputs import InputFile
from deciban.tables.files.text_lines import text_lines

SAID: Final = {"\t": "tab", " ": "space", None: "white space"}
_ADVICE: Final = (
    "every line needs the same number, titles and comments included; quote a field that holds the separator"
)


def refuse_broken_lines(file: InputFile, delimiter: str | None, width: int) -> None:
    """Read a whole file and raise with its first five broken lines and how many there are; a sound file passes."""
    problems = Problems(file.name, "lines cannot be read")
    rows = records(text_lines(file), delimiter)
    try:
        for line, record in rows:
            if len(record) == width:
                continue
            problems.advice = _ADVICE
            if len(problems.found) < SHOWN:
                problems.add(_field_count(line, width, record, delimiter))
            else:
                problems.more += 1
    except QuoteError as fault:
        # Where the field ends is anyone's guess, so nothing below it can be judged.
        problems.add(f"line {fault.line}: {fault.message}" + ("; nothing after it was read" if problems.found else ""))
    except InputError as error:
        if not problems.found:
            raise
        problems.add(str(error).removeprefix(f"{file.name}: "))
    problems.raise_if_any()


def _field_count(line: int, width: int, record: Sequence[str], delimiter: str | None) -> str:
    """The message about a line with too many or too few fields."""
    shown = (delimiter or " ").join(record)
    shown = shown if len(shown) <= 60 else shown[:60] + "…"
    separator = SAID.get(delimiter, repr(delimiter))
    return f"line {line}: expected {width} fields separated by {separator}, found {len(record)} ({shown!r})"
