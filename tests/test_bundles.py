"""Options declared as the fields of a dataclass: what Typer sees of a command, and what the command gets."""

from __future__ import annotations

import inspect
import pkgutil
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from typing import Annotated, get_args, get_type_hints

import pytest
import typer
from typer.testing import CliRunner

import deciban.cli
from deciban.cli.bundles import Without, takes_bundles


@dataclass(frozen=True, kw_only=True)
class Size:
    """Two options and a third."""

    width: Annotated[int, typer.Option("--width", help="How wide.")] = 1
    height: Annotated[int | None, typer.Option("--height")] = None
    names: Annotated[list[str] | None, typer.Option("--name")] = None


@dataclass(frozen=True, kw_only=True)
class Small(Size):
    """The same with other words for one of them."""

    width: Annotated[int, typer.Option("--width", help="How narrow.")] = 0


def described(first: str, *, size: Size, again: bool = False) -> None:
    """Say what was given."""
    typer.echo(f"{first} {size} {again}")


def narrow(*, size: Annotated[Small, Without("height", "names")]) -> None:
    typer.echo(str(size))


def ran(command, *arguments):
    app = typer.Typer()
    app.command()(takes_bundles(command))
    ended = CliRunner().invoke(app, list(arguments))
    assert ended.exit_code == 0, ended.output
    return ended.output


def test_fields_are_options_in_the_place_of_their_bundle():
    command = takes_bundles(described)
    assert list(inspect.signature(command).parameters) == ["first", "width", "height", "names", "again"]
    assert command.__doc__ == "Say what was given."
    assert ran(described, "x") == f"x {Size()} False\n"
    wanted = Size(width=3, height=2, names=["a", "b"])
    given = ("--height", "2", "--width", "3", "--name", "a", "--name", "b", "--again")
    assert ran(described, "x", *given) == f"x {wanted} True\n"


def test_options_that_are_left_out_keep_their_defaults():
    command = takes_bundles(narrow)
    assert list(inspect.signature(command).parameters) == ["width"]
    assert ran(narrow, "--width", "7") == f"{Small(width=7)}\n"
    assert "How narrow" in ran(narrow, "--help")


def commands():
    for module in pkgutil.iter_modules(deciban.cli.__path__, "deciban.cli."):
        for name, value in vars(import_module(module.name)).items():
            if inspect.isfunction(value) and value.__module__ == module.name and hasattr(value, "__signature__"):
                yield pytest.param(value, id=f"{module.name.rpartition('.')[2]}.{name}")


@pytest.mark.parametrize("command", list(commands()))
def test_commands_leave_out_what_there_is(command):
    """A name that no field has would leave out nothing, and nobody would see it."""
    hints = get_type_hints(inspect.unwrap(command), include_extras=True)
    bundles = [get_args(hint) or (hint,) for hint in hints.values()]
    for bundle, *marks in ((kind, *marks) for kind, *marks in bundles if is_dataclass(kind)):
        known = {field.name for field in fields(bundle)}
        assert {name for mark in marks for name in mark.names} <= known
