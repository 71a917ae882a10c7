"""Frozen dataclasses to JSON and back: infinities as strings, unknown and missing fields refused."""

from __future__ import annotations

import json
import math
import sys
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from deciban.errors import InputError, OptionError, did_you_mean
from deciban.values.arrays import AnyArray, read_only, undefined_where

T = TypeVar("T")

INFINITIES = {"inf": math.inf, "-inf": -math.inf}

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def to_plain(value: Any) -> Any:
    """Turn records, mappings, sequences and arrays into what JSON holds; inf and −inf become strings.

    Raises :class:`InputError` for NaN: a record says null and why instead.
    """
    # Of the millions of values that a record of many groups has, nearly all are one of these.
    if value is None or type(value) in (str, bool, int) or (type(value) is float and math.isfinite(value)):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {name: to_plain(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(item) for item in value]
    if isinstance(value, np.ndarray):
        # What NumPy can vouch for need not be looked at one by one; masked entries become None either way.
        safe = value.dtype.kind in "iub" or (not np.ma.isMaskedArray(value) and np.isfinite(value).all())
        return value.tolist() if safe else to_plain(value.tolist())
    if isinstance(value, np.generic):
        return to_plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        if math.isnan(value):
            raise InputError("a record cannot hold NaN: give null and a reason")
        return "inf" if value > 0 else "-inf"
    if isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"a record cannot hold {type(value).__name__}")


@cache
def _names(kind: type) -> tuple[str, ...]:
    """Names of the fields of a dataclass."""
    return tuple(field.name for field in fields(kind))


def to_json(value: Any) -> str:
    """Write a record as JSON text; the same record gives the same bytes.

    What holds numbers and words only (a column of a curve), or these and one such object (a figure and its interval),
    takes one line, so that people can read it too.
    """
    return written(to_plain(value))


def written(plain: Any) -> str:
    """Write what :func:`to_plain` made, as :func:`to_json` does."""
    return _lines(plain, "") + "\n"


def _lines(plain: Any, indent: str) -> str:
    items = plain.values() if isinstance(plain, dict) else plain if isinstance(plain, list) else ()
    inside = [item for item in items if isinstance(item, (dict, list)) and item]
    if not inside or (len(inside) == 1 and isinstance(plain, dict) and _is_flat_object(inside[0])):
        return _ENCODER.encode(plain)
    inner = indent + "  "
    if isinstance(plain, dict):
        shown = [f"{_ENCODER.encode(key)}: {_lines(item, inner)}" for key, item in plain.items()]
        return "{\n" + ",\n".join(inner + line for line in shown) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + _lines(item, inner) for item in plain) + f"\n{indent}]"


def _is_flat_object(plain: Any) -> bool:
    return isinstance(plain, dict) and not any(isinstance(item, (dict, list)) and item for item in plain.values())


def from_json(cls: type[T], text: str) -> T:
    """Read a record of type ``cls`` from JSON text."""
    return from_plain(cls, load_json(text))


def load_json(text: str, schema: str | None = None) -> Any:
    """Read JSON as the standard has it: without NaN, without a field twice; :class:`InputError` says where not.

    With ``schema`` it must be an object that says it is of that schema.
    """
    if not isinstance(text, (str, bytes)):
        raise InputError(f"expected the text of a record, found {type(text).__name__}; read the file first")
    wanted = "" if schema is None else f"; a record has schema {schema}"
    try:
        plain = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise InputError(f"expected JSON, found an error at line {error.lineno}: {error.msg}{wanted}") from None
    except (RecursionError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("expected a record, found JSON nested too deeply or a number with too many digits") from None
    found = plain.get("schema") if isinstance(plain, dict) else None
    if schema is not None and found != schema:
        raise InputError(f"expected a record of schema {schema}, found {found!r}")
    return plain


def _refuse_constant(text: str) -> Any:
    """NaN, Infinity and -Infinity, which Python's reader would let pass."""
    raise InputError(f"JSON cannot hold {text}: no value is null with a reason, infinities are 'inf' and '-inf'")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) < len(pairs):
        names = [name for name, _ in pairs]
        raise InputError(f"field {next(name for name in names if names.count(name) > 1)!r} occurs twice")
    return plain


def from_plain(cls: type[T], plain: Any, where: str = "record") -> T:
    """Build a record of type ``cls`` from what JSON holds; ``where`` names the place in error messages."""
    if not isinstance(plain, dict):
        raise InputError(f"{where}: expected an object, found {type(plain).__name__}")
    hints = get_type_hints(cls)
    known = {field.name: field for field in fields(cls) if field.init}  # type: ignore[arg-type]
    unknown = [name for name in plain if name not in known]
    if unknown:
        raise InputError(f"{where}: unknown field {unknown[0]!r}; {did_you_mean(unknown[0], known)}")
    missing = [
        name
        for name, field in known.items()
        if name not in plain and field.default is MISSING and field.default_factory is MISSING
    ]
    if missing:
        raise InputError(f"{where}: missing field {', '.join(missing)}")
    given = {name: _read(hints[name], value, f"{where}.{name}") for name, value in plain.items()}
    try:
        return cls(**given)
    except OptionError as error:
        # What is no option of the one who reads, who is to learn where it stands.
        raise InputError(f"{where}: {error}") from None


def _read(hint: Any, value: Any, where: str) -> Any:
    """Read one value as its annotated type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return _infinities(value)
    if origin in (Union, types.UnionType):
        return _read_union(arguments, value, where)
    if origin is Literal:
        return _expect(value in arguments, value, where, f"one of {', '.join(map(repr, arguments))}")
    if isinstance(origin, type) and issubclass(origin, np.ndarray):
        return _read_array(origin, get_args(arguments[-1]), value, where)
    if origin is tuple:
        _expect(isinstance(value, list), value, where, "a list")
        return tuple(_read(arguments[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    if origin is not None and issubclass(origin, Mapping):
        _expect(isinstance(value, dict), value, where, "an object")
        return {key: _read(arguments[1], item, f"{where}.{key}") for key, item in value.items()}
    if is_dataclass(hint):
        return from_plain(hint, value, where)  # type: ignore[arg-type]
    return _read_scalar(hint, value, where)


def _infinities(value: Any) -> Any:
    """What JSON holds where any value may stand, with the infinities that :func:`to_plain` wrote as text."""
    if isinstance(value, str):
        return INFINITIES.get(value, value)
    if isinstance(value, list):
        return [_infinities(item) for item in value]
    if isinstance(value, dict):
        return {key: _infinities(item) for key, item in value.items()}
    return value


def _read_union(arguments: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and types.NoneType in arguments:
        return None
    kinds = [kind for kind in arguments if kind is not types.NoneType]
    if len(kinds) == 1:
        return _read(kinds[0], value, where)
    if all(map(is_dataclass, kinds)):
        return from_plain(_named_kind(kinds, value, where), value, where)
    if type(value) in kinds and not isinstance(value, float):
        return value
    return _read(float if float in kinds else kinds[0], value, where)


def _named_kind(records: list[Any], value: Any, where: str) -> type[Any]:
    """Which of several records is meant: each has a field ``kind`` that holds a word of its own."""
    known = {get_args(get_type_hints(record)["kind"])[0]: record for record in records}
    _expect(isinstance(value, dict), value, where, "an object")
    kind = value.get("kind")
    _expect(isinstance(kind, str) and kind in known, kind, f"{where}.kind", f"one of {', '.join(map(repr, known))}")
    return known[kind]  # type: ignore[no-any-return]


def _read_array(kind: type, dtype: tuple[Any, ...], value: Any, where: str) -> AnyArray:
    """Read a column: truth values, whole numbers or doubles as they were written; null only where it may be masked."""
    items = _expect(isinstance(value, list), value, where, "a list")
    if issubclass(kind, np.ma.MaskedArray):
        missing = np.array([item is None for item in items], dtype=bool)
        return undefined_where(missing, _doubles([0.0 if item is None else item for item in items], where))
    if np.float64 not in dtype:
        if items and all(isinstance(item, bool) for item in items):
            return read_only(np.array(items, dtype=bool))
        if all(type(item) is int and abs(item) < 2**63 for item in items):
            return read_only(np.array(items, dtype=np.int64))
    return read_only(_doubles(items, where))


def _doubles(items: list[Any], where: str) -> AnyArray:
    if all(type(item) is float for item in items):
        return np.array(items, dtype=np.float64)
    return np.array([_read_scalar(float, item, f"{where}[{i}]") for i, item in enumerate(items)], dtype=np.float64)


def _read_scalar(kind: type, value: Any, where: str) -> Any:
    if kind is float:
        if isinstance(value, str) and value in INFINITIES:
            return INFINITIES[value]
        _expect(isinstance(value, (int, float)) and not isinstance(value, bool), value, where, "a number")
        _expect(abs(value) <= sys.float_info.max, value, where, "a number that float64 holds")
        return float(value)
    if kind is int:
        return _expect(isinstance(value, int) and not isinstance(value, bool), value, where, "a whole number")
    return _expect(isinstance(value, kind), value, where, kind.__name__)


def _expect(holds: bool, value: Any, where: str, expected: str) -> Any:
    if not holds:
        raise InputError(f"{where}: expected {expected}, found {value!r}")
    return value
