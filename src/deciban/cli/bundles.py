"""Options that commands have in common, as one object: a dataclass whose fields are options, declared once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import Field, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints


class Without:
    """Options of a bundle that a command does not offer, so that they keep their defaults.

    It stands in the annotation of the parameter: ``data: Annotated[Data, Without("by")]``.
    """

    def __init__(self, *names: str) -> None:
        self.names = names


def takes_bundles(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of its bundles: a parameter that is a dataclass becomes its fields, in its place.

    Typer makes options of the parameters of a function. It sees those of the result, and the command gets an object for
    each bundle.
    """
    hints = get_type_hints(command, include_extras=True)
    parameters: list[inspect.Parameter] = []
    bundles: dict[str, tuple[type, list[str]]] = {}
    for name, parameter in inspect.signature(command).parameters.items():
        bundle, offered = _offered(hints[name])
        if bundle is None:
            parameters.append(parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=hints[name]))
            continue
        bundles[name] = bundle, [field.name for field in offered]
        own = get_type_hints(bundle, include_extras=True)
        parameters += [
            inspect.Parameter(field.name, parameter.KEYWORD_ONLY, default=field.default, annotation=own[field.name])
            for field in offered
        ]

    @wraps(command)
    def run(**given: Any) -> None:
        made = {name: bundle(**{of: given.pop(of) for of in names}) for name, (bundle, names) in bundles.items()}
        command(**given, **made)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _offered(hint: Any) -> tuple[type | None, list[Field[Any]]]:
    """The bundle that an annotation names, and those of its fields that are offered; None for one option."""
    kind, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if not (isinstance(kind, type) and is_dataclass(kind)):
        return None, []
    left_out = {name for mark in marks if isinstance(mark, Without) for name in mark.names}
    return kind, [field for field in fields(kind) if field.name not in left_out]
