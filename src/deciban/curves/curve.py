"""What every curve is: named columns of one length, as a record, a dataframe or JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self, TypeVar

import numpy as np

from deciban.errors import InputError
from deciban.values.arrays import AnyArray, MaybeFloats, read_only, same_content, undefined_where
from deciban.values.record import from_json, to_json

C = TypeVar("C", bound="Curve")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Band:
    """Limits around a curve, one pair for each of its points; each pair by itself has the level, not all together.

    Attributes
    ----------
    low, high
        Ends of the interval at each point, in the unit of the curve's values; masked where there is none.
    level
        Nominal coverage, e.g. 0.95.
    method
        How it was made, and what was held fixed where that is not the threshold or prior of the point.
    column
        The column of the curve that it surrounds; empty for the main one.
    resampled
        What a bootstrap drew: "trials", "sources", or None where nothing was resampled.
    replicates, undefined
        How many random draws, and how many of them had no value at the point where most had none.
    seed
        Where the draws came from.
    """

    low: MaybeFloats
    high: MaybeFloats
    level: float
    method: str
    column: str = ""
    resampled: Literal["trials", "sources"] | None = None
    replicates: int | None = None
    undefined: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            end = np.ma.asarray(getattr(self, name))
            object.__setattr__(self, name, undefined_where(np.ma.getmaskarray(end), end.data))

    def __eq__(self, other: object) -> bool:
        return _same(self, other) if isinstance(other, Band) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _remade, _parts_of(self)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve:
    """A curve as data: its array fields are columns of one length, read-only; the other fields describe them.

    A value that does not exist is masked in its column (null in JSON and dataframes), never 0 and never NaN. Curves of
    one kind are equal when all of their content is.

    Attributes
    ----------
    band
        Limits around the main column, None when none were computed.
    other_bands
        Limits around further columns, by their names.
    """

    band: Band | None = None
    other_bands: Mapping[str, Band] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lengths = {name: column.size for name, column in columns(self).items()}
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{name} {size}" for name, size in lengths.items())
            raise InputError(f"{type(self).__name__}: expected columns of one length, found {found}")
        for name, value in _parts(self).items():
            object.__setattr__(self, name, _each(value, _locked))

    def __eq__(self, other: object) -> bool:
        return _same(self, other) if type(self) is type(other) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        # Copies and pickles of arrays can be written to; a curve made of them anew locks its own.
        return _remade, _parts_of(self)

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """Return the columns as a dataframe of ``backend``: one row per point."""
        import narwhals as nw

        kinds: dict[str, Any] = {"f": nw.Float64, "i": nw.Int64, "b": nw.Boolean}
        data = columns(self)
        values = {name: column.tolist() if np.ma.isMaskedArray(column) else column for name, column in data.items()}
        schema = {name: kinds[column.dtype.kind] for name, column in data.items()}
        return nw.from_dict(values, schema, backend=backend).to_native()

    def to_json(self) -> str:
        """Write the record as JSON: infinities as strings, masked entries as null, one line per field."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a record that :meth:`to_json` wrote; raises :class:`InputError` for anything else."""
        return from_json(cls, text)


def _same(one: Any, other: Any) -> bool:
    return all(same_content(getattr(one, each.name), getattr(other, each.name)) for each in fields(one))


def _parts_of(record: Any) -> tuple[type, dict[str, Any]]:
    return type(record), {each.name: getattr(record, each.name) for each in fields(record)}


def _remade(kind: Callable[..., C], content: dict[str, Any]) -> C:
    """A record from a copy or pickle of what it holds."""
    return kind(**content)


def columns(curve: Curve) -> dict[str, AnyArray]:
    """Every column by name: those of a mapping under their keys, those of bands as ``band_low``, ``band_high``.

    Bands around further columns follow as ``nontarget_band_low``, ….
    """
    found: dict[str, AnyArray] = {}
    for name, value in _parts(curve).items():
        found |= value if isinstance(value, Mapping) else {name: value}
    if curve.band is not None:
        found |= {"band_low": curve.band.low, "band_high": curve.band.high}
    for name, band in curve.other_bands.items():
        found |= {f"{name}_band_low": band.low, f"{name}_band_high": band.high}
    return found


def select(curve: C, rows: AnyArray) -> C:
    """The same record with some of its points only."""

    def taken(column: AnyArray) -> AnyArray:
        return column[rows]

    def cut(band: Band) -> Band:
        return replace(band, low=band.low[rows], high=band.high[rows])

    parts = {name: _each(value, taken) for name, value in _parts(curve).items()}
    others = {name: cut(band) for name, band in curve.other_bands.items()}
    return replace(curve, **parts, band=None if curve.band is None else cut(curve.band), other_bands=others)


def _parts(curve: Curve) -> dict[str, Any]:
    """The fields that hold columns: arrays, and mappings of arrays; bands are no columns of a curve's own."""
    of_all = {each.name for each in fields(Curve)}
    values = {each.name: getattr(curve, each.name) for each in fields(curve) if each.name not in of_all}
    return {name: value for name, value in values.items() if isinstance(value, (np.ndarray, Mapping))}


def _locked(column: AnyArray) -> AnyArray:
    if isinstance(column, np.ma.MaskedArray):
        return undefined_where(np.ma.getmaskarray(column), column.data)
    return read_only(column)


def _each(value: Any, change: Callable[[AnyArray], AnyArray]) -> Any:
    """Change one array, or each array of a mapping."""
    if isinstance(value, Mapping):
        return {key: change(column) for key, column in value.items()}
    return change(value)
