"""Counts that are kept: Parquet files with a sealed description, which merge exactly whatever machines wrote them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import numpy as np

from deciban.counts.argument import as_counts
from deciban.counts.counts import Counts
from deciban.counts.merging import merge
from deciban.errors import InputError
from deciban.tables.files.duck import connect, literal
from deciban.tables.files.inputs import Input
from deciban.values.arrays import AnyArray
from deciban.values.kept import kept_json
from deciban.values.scale import Scale
from deciban.values.whole_file import whole_file

SCHEMA: Literal["deciban.counts/1"] = "deciban.counts/1"
KEY: Final = "deciban.counts.counts"
"""The name of the description among the metadata of the Parquet file."""

COLUMNS: Final = ("part", "score", "n_target", "n_nontarget")
ENDING: Final = ".parquet"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPart:
    """What a file says of one of its parts: the whole, whose ``group`` is empty, or a group.

    Attributes
    ----------
    group
        The value of each condition.
    shared
        Trials without a value of the condition, which belong to every group.
    rows, n_target, n_nontarget
        Distinct scores, targets and nontargets.
    sha256
        Hash of the canonical counts, as in a record of an evaluation.
    """

    group: tuple[str, ...] = ()
    shared: int = 0
    rows: int
    n_target: int | float
    n_nontarget: int | float
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """The description of a file of counts, schema ``deciban.counts/1``.

    Attributes
    ----------
    scale, prior, resolution, weighted, reversed
        As of :class:`Counts`, of all parts alike.
    by
        The conditions that groups are made by; empty without groups.
    dropped, failed
        Trials of the whole that were left out since their score was missing, and targets and nontargets that count as
        never accepted for that reason.
    parts
        In the order of the rows.
    """

    schema: Literal["deciban.counts/1"] = SCHEMA
    scale: Scale
    prior: float | None
    resolution: float | None
    weighted: bool
    reversed: bool
    by: tuple[str, ...] = ()
    dropped: int = 0
    failed: tuple[int, ...] = (0, 0)
    parts: tuple[KeptPart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCounts:
    """Counts of one table: the whole, and its groups where it has some.

    Attributes
    ----------
    whole
        All trials; None where only groups are known, whose union is the whole.
    groups
        Counts by the value of each condition.
    by
        The conditions.
    shared
        How many trials belong to every group, by group.
    dropped, failed
        As in the description of a file.
    input
        The file that they were read from.
    """

    whole: Counts | None
    groups: Mapping[tuple[str, ...], Counts] = field(default_factory=dict)
    by: tuple[str, ...] = ()
    shared: Mapping[tuple[str, ...], int] = field(default_factory=dict)
    dropped: int = 0
    failed: tuple[int, ...] = (0, 0)
    input: Input | None = None

    def all_trials(self) -> Counts:
        """The whole, merged of the groups where it is not known by itself."""
        return merge(*self.groups.values()) if self.whole is None else self.whole

    def parts(self) -> Iterator[tuple[tuple[str, ...], Counts]]:
        """The whole under an empty name, then every group under its own."""
        if self.whole is not None:
            yield (), self.whole
        yield from self.groups.items()


def save_counts(data: Counts | Mapping[str, Counts], path: str | Path) -> None:
    """Write counts to a Parquet file, to be merged with others or evaluated later.

    Parameters
    ----------
    data
        Counts, or groups ``{name: Counts}`` as ``count(…, by=…)`` gives them, of one scale, prior, resolution and
        direction.
    path
        A name that ends in ``.parquet``; the file appears when it is complete.

    Returns
    -------
    None
        The file has the columns ``part`` (which of several), ``score``, ``n_target`` and ``n_nontarget``, and among
        its metadata a description with the hash of the counts and a seal.

    Raises
    ------
    InputError
        When there is nothing to write, groups differ in unit or direction, or the name has another ending.
    DecibanError
        When the place cannot be written.

    Examples
    --------
    >>> import deciban as db, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "counts.parquet")
    ...     db.save_counts(db.Counts.from_classes([3, 4], [1, 2]), path)
    ...     db.load_counts(path)
    Counts(n_target=2, n_nontarget=2, n_distinct=4, scale='score')
    """
    if isinstance(data, Mapping):
        groups: dict[tuple[str, ...], Counts] = {
            (str(name),): as_counts(part, "save_counts") for name, part in data.items()
        }
        write_counts(KeptCounts(whole=None, groups=groups, by=("group",)), path)
    else:
        write_counts(KeptCounts(whole=as_counts(data, "save_counts")), path)


def check_place(path: str | Path) -> None:
    """Raise :class:`InputError` unless the name ends in ``.parquet``."""
    if Path(path).suffix.lower() != ENDING:
        raise InputError(f"{path}: expected a name that ends in {ENDING}, for counts are kept as Parquet")


def write_counts(kept: KeptCounts, path: str | Path) -> None:
    """Write counts and their groups to a file, whole or not at all."""
    import duckdb

    check_place(path)
    parts = list(kept.parts())
    if not parts:
        raise InputError(f"{path}: expected counts to write, found no group")
    text = kept_json(_describe(kept, parts))
    columns: dict[str, AnyArray] = {
        "part": np.repeat(np.arange(len(parts), dtype=np.int32), [counts.n_distinct for _, counts in parts])
    }
    columns |= {name: np.concatenate([getattr(counts, name) for _, counts in parts]) for name in COLUMNS[1:]}
    with whole_file(Path(path)) as temporary:
        try:
            with connect() as db:
                db.register("given", columns)
                db.execute(
                    f"COPY (SELECT {', '.join(COLUMNS)} FROM given) TO {literal(str(temporary))} "
                    f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{literal(KEY)}: {literal(text)}}})"
                )
        except duckdb.Error as error:
            raise InputError(f"{path}: cannot be written: {first_line(error)}") from None


def _describe(kept: KeptCounts, parts: list[tuple[tuple[str, ...], Counts]]) -> Description:
    first = parts[0][1]
    refuse_mixture({",".join(group) or "the whole": counts for group, counts in parts})
    return Description(
        scale=first.scale,
        prior=first.prior,
        resolution=first.resolution,
        weighted=first.weighted,
        reversed=first.reversed,
        by=kept.by,
        dropped=kept.dropped,
        failed=kept.failed,
        parts=tuple(
            KeptPart(
                group=group,
                shared=kept.shared.get(group, 0),
                rows=counts.n_distinct,
                n_target=counts.total_target,
                n_nontarget=counts.total_nontarget,
                sha256=counts.sha256(),
            )
            for group, counts in parts
        ),
    )


UNIT: Final = ("scale", "prior", "resolution", "reversed", "weighted")
"""What counts must have in common to be one table."""


def refuse_mixture(named: Mapping[str, Counts]) -> None:
    """Raise :class:`InputError` where counts differ in unit, direction, buckets or weights, and say which do."""
    (first, one), *others = named.items()
    for name, other in others:
        for what in UNIT:
            mine, theirs = getattr(one, what), getattr(other, what)
            if mine != theirs:
                raise InputError(
                    f"{first} has {what} {mine!r} and {name} has {what} {theirs!r}: only counts of one {what} can be "
                    "merged; count both with the same options"
                )


def first_line(error: Exception) -> str:
    """What is wrong, of a message that goes on with how the library came to it."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
