"""Lines of PAN files, one problem each, read strictly: everything that is wrong is told with its file and line.

Truth and answers are JSON lines, plain or compressed. What a line holds besides the id depends on the year:
``same`` or ``value`` in the truth and ``value`` in the answers, from 2024 on ``is_human``, from 2025 on ``label``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from deciban.errors import InputError, Problems, listing
from deciban.tables.files.inputs import Input, InputFile, input_files
from deciban.tables.files.text_lines import text_lines

Problem = str | int
"""The id of a problem."""

UNANSWERED: Final = 0.5
"""What a missing answer counts as."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How the lines of some years are written.

    Attributes
    ----------
    truth
        Fields of which a line of the truth has one.
    answer
        The field that a line of the answers has.
    pairs
        Whether a value may be two truth values, one for each of two texts: 0 when the first is true, 1 when the second.
    within
        Whether answers must lie in [0, 1].
    profile
        A profile that reads such lines.
    """

    truth: tuple[str, ...]
    answer: str
    pairs: bool
    within: bool
    profile: str


VALUE: Final = Wording(truth=("same", "value"), answer="value", pairs=False, within=True, profile="pan23")
IS_HUMAN: Final = Wording(truth=("is_human",), answer="is_human", pairs=True, within=False, profile="pan24")
LABEL: Final = Wording(truth=("label",), answer="label", pairs=True, within=False, profile="pan25")

PAIR: Final = "two truth values of which one is true"

WORDINGS: Final = (VALUE, IS_HUMAN, LABEL)


@dataclass(frozen=True, slots=True)
class Lines:
    """The value of each problem and the line that it is on, in order of the lines."""

    name: str
    values: dict[Problem, float]
    on_line: dict[Problem, int]
    read: Input


def wording_of(file: InputFile) -> Wording:
    """Find out by the first line of a truth how its lines are written; where that cannot be told, as until 2023."""
    _, first = next(_objects(file, Problems("")), (0, {}))
    fits = [wording for wording in WORDINGS if any(field in first for field in wording.truth)]
    return fits[0] if len(fits) == 1 else VALUE


def read_truth(file: InputFile, wording: Wording) -> Lines:
    """Read the truth of each problem: 1 (same author, or the class that is looked for) or 0.

    Raises
    ------
    InputError
        With the number of every line that is not JSON, lacks an id or the truth, or repeats an id.
    """
    expected = f"1 or 0, or {PAIR}" if wording.pairs else "true or false, 1 or 0"
    return _read(file, wording.truth, expected, lambda value: _truth(value, wording))


def read_answers(file: InputFile, wording: Wording) -> Lines:
    """Read a submission's answer to each problem: a number, or a list that holds one.

    Raises
    ------
    InputError
        With the number of every line that is not JSON, lacks an id or an answer, repeats an id, or has an answer that
        is no number or, before 2024, outside [0, 1].
    """
    expected = f"a finite number, or {PAIR}" if wording.pairs else "a number in [0, 1]"
    return _read(file, (wording.answer,), expected, lambda value: _answer(value, wording))


def aligned(truth: Lines, answers: Lines) -> tuple[list[float], int]:
    """The answer to each problem of the truth in its order, 0.5 where there is none, and how many there are not.

    Raises
    ------
    InputError
        When an answer is to a problem that the truth does not have.
    """
    extra = [problem for problem in answers.values if problem not in truth.values]
    if extra:
        shown = listing([f"{problem!r} (line {answers.on_line[problem]})" for problem in extra])
        raise InputError(
            f"{answers.name}: expected answers to the {len(truth.values)} problems of {truth.name}, found others: "
            f"{shown}; take the answers to that truth, or leave those lines out"
        )
    missing = len(truth.values) - len(answers.values)
    return [answers.values.get(problem, UNANSWERED) for problem in truth.values], missing


def one_file(source: object, what: str) -> InputFile:
    """The one file that a path means."""
    files = input_files(source)
    if len(files) != 1:
        raise InputError(f"{what}: expected one file, found {len(files)} ({listing(file.name for file in files)})")
    return files[0]


def _read(file: InputFile, fields: tuple[str, ...], expected: str, value_of: Callable[[object], float | None]) -> Lines:
    """Read the value of each problem, and tell all that is wrong at once."""
    problems = Problems(file.name, "lines cannot be used")
    values: dict[Problem, float] = {}
    on_line: dict[Problem, int] = {}
    for number, row in _objects(file, problems):
        problem, found = row.get("id"), [field for field in fields if field in row]
        if isinstance(problem, bool) or not isinstance(problem, (str, int)):
            problems.add(f"line {number}: expected an 'id' that is text or a whole number, found {problem!r}")
        elif len(found) != 1:
            problems.add(f"line {number}: {_lacking(row, fields, found)}")
        elif problem in values:
            problems.add(f"line {number}: id {problem!r} is on line {on_line[problem]} already")
        elif (value := value_of(row[found[0]])) is None:
            problems.add(f"line {number}: {found[0]}: expected {expected}, found {row[found[0]]!r}")
        else:
            values[problem], on_line[problem] = value, number
    problems.raise_if_any()
    if not values:
        raise InputError(f"{file.name}: there are only blank lines; expected one JSON object a line")
    return Lines(file.name, values, on_line, Input(file.name, file.fingerprint(), file.size, len(values)))


def _objects(file: InputFile, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON object of each line that is not blank, with its number; other lines become problems."""
    for number, line in enumerate(text_lines(file), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, parse_constant=_no_number, parse_float=_not_lost, object_pairs_hook=_each_field_once)
        except _FaultError as error:
            problems.add(f"line {number}: {error}")
            continue
        except (ValueError, RecursionError) as error:
            # A line lacks its end where a file was cut short; what is wrong then is told as any other fault.
            said = f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else error
            problems.add(f"line {number}: not JSON ({said})")
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            problems.add(f"line {number}: expected an object such as {{'id': …, 'value': …}}, found {row!r:.60}")


class _FaultError(ValueError):
    """JSON whose meaning would be lost in reading it."""


def _not_lost(text: str) -> float:
    """The number that a text is, unless it is too small for a double."""
    number = float(text)
    if number == 0.0 and text.lower().partition("e")[0].strip("-0."):
        raise _FaultError(f"{text} is not 0, and too small for a float64: write 0 if that is meant")
    return number


def _each_field_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of an object, of which none says two things."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = listing(repr(name) for name in fields if names.count(name) > 1)
        raise _FaultError(f"expected each field once, found {twice} several times; leave one")
    return fields


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _lacking(row: dict[str, Any], fields: tuple[str, ...], found: list[str]) -> str:
    """What to say of a line that lacks its value, or has two."""
    wanted = " or ".join(map(repr, fields))
    if found:
        return f"expected one of {wanted}, found both"
    others = [wording for wording in WORDINGS if wording.answer in row and wording.answer not in fields]
    hint = ""
    if others:
        profile = others[0].profile
        hint = f"; {others[0].answer!r} is read with profile={profile!r} (--profile {profile})"
    return f"expected {wanted}, found the fields {', '.join(map(repr, row))}{hint}"


def _truth(value: object, wording: Wording) -> float | None:
    """1 or 0, or None for anything else."""
    if isinstance(value, list):
        return _pair(value) if wording.pairs else None
    # Of two texts, a single truth value does not say which of them it is about.
    if isinstance(value, bool) and wording.pairs:
        return None
    return float(value) if isinstance(value, (int, float)) and value in (0, 1) else None


def _answer(value: object, wording: Wording) -> float | None:
    """A number, or None for anything else."""
    if isinstance(value, list):
        if wording.pairs and len(value) == 2:
            return _pair(value)
        value = value[0] if len(value) == 1 else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if wording.within and not 0.0 <= value <= 1.0:
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:  # a whole number of more than 308 digits
        return None


def _pair(value: list[object]) -> float | None:
    """0 when the first of two is true, 1 when the second is."""
    if len(value) == 2 and all(isinstance(one, bool) for one in value) and value[0] is not value[1]:
        return 0.0 if value[0] else 1.0
    return None
