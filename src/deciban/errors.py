"""What deciban raises, and how several problems of one input become one error.

Every error says what was expected, what was found and where, and what to do. All derive from
:class:`DecibanError`; those about values also from :class:`ValueError`, so that code which knows nothing of
deciban can catch them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHOWN: Final = 5
"""How many rows, values or problems an error lists before it gives the total."""

COMPARED: Final = 1000
"""Up to how many names a mistyped one is compared with."""


_PASSWORDS: Final = (
    # scheme://user:password@host, with slashes or colons that are missing, and whatever a password may hold
    re.compile(
        r"(\b[a-z][a-z0-9+.-]*:?//?[^\s'\"@:/]*:|\bpostgres(?:ql)?[a-z0-9+.]*:[^\s'\"@:/]+:)[^\s'\"]+(?=@)", re.I
    ),
    # password=… of an address or of the driver's own form
    re.compile(r"(\bpassword\s*=\s*)(?:'[^']*'|[^\s&;'\"]+)", re.I),
)


def without_passwords(text: str) -> str:
    """A text in which what stands where a password does is a sign of it."""
    for pattern in _PASSWORDS:
        text = pattern.sub(r"\1…", text)
    return text


class DecibanError(Exception):
    """The root of everything deciban raises on purpose.

    What is given is often told, and may be the address of a database, whole or mistyped: a message never holds its
    password.
    """

    def __init__(self, message: str) -> None:
        super().__init__(without_passwords(message))


class InputError(DecibanError, ValueError):
    """The data cannot be used as they are: the message names the rows and the option that settles it.

    ``problems`` holds what is wrong one by one, where several things may be.
    """

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(map(without_passwords, problems))


class OptionError(DecibanError, ValueError):
    """An option, metric name or expression is not one deciban knows, or its value is out of range."""


class MissingExtraError(DecibanError, ImportError):
    """An optional package is needed; the message is the one line that installs it."""


class NeedsTrialsError(DecibanError, TypeError):
    """The question cannot be answered from counts; the message says which column of the trials to give."""


class UndefinedMetricError(DecibanError, ValueError):
    """The quantity has no value for these data.

    ``reason`` is the code that ``evaluate`` writes in the record instead of the value.
    """

    def __init__(self, message: str, reason: str = "undefined_ratio") -> None:
        super().__init__(message)
        self.reason = reason


class SingleClassError(UndefinedMetricError):
    """A question about two classes was asked of data that hold only one."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "single_class")


class ScaleError(UndefinedMetricError):
    """The scale of the scores does not carry what was asked, e.g. Cllr of raw scores."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "scale")


class Places:
    """How a message says which trials it means: by their rows, or by how many there are.

    ``times`` is how many trials each row stands for, where an engine has counted them: such rows have no number that
    anybody could look up. None: each row is a trial.
    """

    def __init__(self, times: NDArray[Any] | None = None) -> None:
        self.times = times

    def many(self, where: NDArray[Any] | Sequence[int]) -> int:
        """How many trials some rows are."""
        return len(where) if self.times is None else int(self.times[where].sum())

    def rows(self, where: NDArray[Any] | Sequence[int]) -> str:
        """Which rows they are, or how many."""
        if self.times is not None:
            return counted(self.many(where), "row")
        return rows([int(index) for index in where[:SHOWN]], len(where))


ROW_BY_ROW: Final = Places()
"""Every row is a trial, with the number that it has in the input."""


@contextmanager
def about(what: str, where: Callable[[str], str]) -> Iterator[None]:
    """Say in errors about data which data they are, and after their message what ``where`` has to say of it."""
    try:
        yield
    except (InputError, UndefinedMetricError) as error:
        message = str(error)
        error.args = (f"{what}: {message}{where(message)}",)
        raise


class Problems:
    """Collects what is wrong with one input, so that the user mends all of it in one go.

    ``noun`` is what there are several of; ``advice`` is said once, after all of them; ``places`` says where each is.
    """

    def __init__(self, what: str, noun: str = "problems", advice: str = "", places: Places = ROW_BY_ROW) -> None:
        self.what, self.noun, self.advice, self.places = what, noun, advice, places
        self.found: list[str] = []
        self.more = 0

    @property
    def total(self) -> int:
        """How many there are, those without a text of their own included."""
        return len(self.found) + self.more

    def add(self, problem: str) -> None:
        """Note one problem."""
        self.found.append(problem)

    def raise_if_any(self) -> None:
        """Raise one :class:`InputError` that lists the first five problems and how many there are."""
        if not self.found:
            return
        if self.total == 1:
            advice = f"; {self.advice}" if self.advice else ""
            raise InputError(f"{self.what}: {self.found[0]}{advice}", self.found)
        lines = [f"{self.what}: {self.total} {self.noun}"]
        lines += [f"  - {problem}" for problem in self.found[:SHOWN]]
        if self.total > SHOWN:
            lines.append(f"  … and {self.total - SHOWN} more")
        if self.advice:
            lines.append(f"  {self.advice}")
        raise InputError("\n".join(lines), self.found)


def listing(items: Iterable[object], total: int | None = None) -> str:
    """The first five items, and how many there are when there are more: ``3, 17, 18, 20, 31, … (212 in all)``."""
    shown = list(items)
    total = len(shown) if total is None else total
    text = ", ".join(str(item) for item in shown[:SHOWN])
    return text if total <= min(SHOWN, len(shown)) else f"{text}, … ({total} in all)"


def counted(n: int, word: str) -> str:
    """How many of something: ``1 missing label``, ``3 missing labels``."""
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def rows(indices: Sequence[int], total: int | None = None) -> str:
    """Row numbers as people count them, from 1: ``row 3`` or ``rows 3, 17, …``, of as many as there are in all."""
    total = len(indices) if total is None else total
    numbers = [int(index) + 1 for index in indices[:SHOWN]]
    return f"row{'s' if total > 1 else ''} {listing(numbers, total)}"


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """A closing clause with the nearest known names, or the whole list when none is near."""
    names = list(known)
    near = nearest(str(word), names)
    if near:
        return "did you mean " + " or ".join(repr(name) for name in near) + "?"
    return "known: " + ", ".join(names)


def nearest(word: str, names: Sequence[str], cutoff: float = 0.55) -> list[str]:
    """Up to three names that look like the word, nearest first."""
    if len(names) > COMPARED:
        # Comparing letter by letter costs too much for many names: only those of like length and like ends are.
        ends = {word[:2].casefold(), word[-2:].casefold()}
        alike = (n for n in names if abs(len(n) - len(word)) <= 2 and {n[:2].casefold(), n[-2:].casefold()} & ends)
        names = list(islice(alike, COMPARED))
    return get_close_matches(word, names, n=3, cutoff=cutoff)
