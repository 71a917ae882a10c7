"""A table of faults: which row is tested by what, and which must wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Test = Callable[[], None]


class Rows:
    """Rows of one table, named ``"01 what is done"``; the numbers run from 1 to ``size`` without a gap."""

    def __init__(self, title: str, size: int) -> None:
        self.title = title
        self.size = size
        self.tests: dict[str, Test] = {}
        self.later: dict[str, str] = {}

    def __repr__(self) -> str:
        return self.title

    def row(self, *names: str) -> Callable[[Test], Test]:
        """Say that a function tests these rows."""

        def add(test: Test) -> Test:
            for name in names:
                assert name not in self.tests, f"row {name} is tested twice"
                self.tests[name] = test
            return test

        return add

    def gives(self, name: str, call: Callable[[], Any], value: Any, tolerance: float = 1e-12) -> None:
        """A row that is right when a call gives a value."""

        @self.row(name)
        def test() -> None:
            assert call() == pytest.approx(value, rel=tolerance, abs=tolerance)

    def refuses(self, name: str, call: Callable[[], Any], error: type[Exception], match: str) -> None:
        """A row that is right when a call raises a clear error."""

        @self.row(name)
        def test() -> None:
            with pytest.raises(error, match=match):
                call()

    def wait(self, reason: str, *names: str) -> None:
        """Rows about what is not built yet."""
        self.later.update(dict.fromkeys(names, reason))

    def check_complete(self) -> None:
        """Every row of the table is tested or named once."""
        assert not set(self.tests) & set(self.later)
        numbers = sorted(int(name.split()[0]) for name in [*self.tests, *self.later])
        assert numbers == list(range(1, self.size + 1))
