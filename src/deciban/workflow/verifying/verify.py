"""Check a record: its files by their hashes, its tables by their counts, its values by computing them again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from deciban.errors import DecibanError, InputError, OptionError, did_you_mean
from deciban.pan.record import PanRanking
from deciban.records.attacks import AttackEvaluation
from deciban.records.comparison import Comparison
from deciban.records.evaluation import Evaluation
from deciban.records.reading import schema_of
from deciban.records.tandem import TandemEvaluation
from deciban.records.validation import Validation
from deciban.records.verification import Change, CheckedInput, Verification
from deciban.tables.addresses import read_address, recorded_address
from deciban.tables.files.inputs import Input
from deciban.tables.files.standard_input import STDIN
from deciban.uncertainty.bootstrap.repeat import Progress
from deciban.values.option_checks import check_number
from deciban.values.record import to_json, to_plain
from deciban.version import versions
from deciban.workflow.tandem.again import tandem_again
from deciban.workflow.tandem.evaluate import ASSUMED
from deciban.workflow.validation.again import validate_again
from deciban.workflow.verifying.recompute import attacks_again, compare_again, evaluate_again, rank_again

KINDS: Final[dict[str, tuple[Any, Callable[..., Any]]]] = {
    "deciban.evaluation/1": (Evaluation, evaluate_again),
    "deciban.comparison/1": (Comparison, compare_again),
    "deciban.validation/1": (Validation, validate_again),
    "deciban.tandem/1": (TandemEvaluation, tandem_again),
    "deciban.pad/1": (AttackEvaluation, attacks_again),
    "deciban.pan/1": (PanRanking, rank_again),
}
"""For each schema the record, and the function that computes it again."""

Checkable: TypeAlias = Evaluation | Comparison | Validation | TandemEvaluation | AttackEvaluation | PanRanking


def read_checkable(text: str) -> Checkable:
    """Read a record that can be computed again; :class:`InputError` for anything else."""
    kind, _ = _of(schema_of(text))
    record: Checkable = kind.from_json(text)
    return record


def _of(schema: object) -> tuple[Any, Callable[..., Any]]:
    if not isinstance(schema, str) or schema not in KINDS:
        raise InputError(f"expected a record of schema {', '.join(KINDS)}, found {schema!r}")
    return KINDS[schema]


def verify(
    record: Checkable,
    *,
    inputs: Mapping[str, str] | None = None,
    folder: str | Path | None = None,
    rtol: float = 0.0,
    progress: Progress | None = None,
) -> Verification:
    r"""Check that a record comes out again from its inputs.

    Parameters
    ----------
    record
        What ``evaluate``, ``compare``, ``validate``, ``evaluate_tandem``, ``evaluate_attacks`` or ``pan.pan_rank``
        returned, or ``from_json`` read.
    inputs
        For files that lie elsewhere now: the path of the record, and where it is read now. For a table of a database
        whose user or password the environment does not give, or which is elsewhere: the address, as in the record.
    folder
        Where else files are looked for by the path of the record and by their names alone, e.g. the folder of the
        record.
    rtol
        Relative difference that numbers may have, for other versions of Python or NumPy; 0: none.
    progress
        Called with how many of how many replicates are done.

    Returns
    -------
    Verification
        ``same`` when every input has the bytes recorded and every value came out again. A table of a database has no
        bytes of its own: it is counted again, and the hash of the counts compared. Inputs that are not there or
        not the same, other versions, and every value that differs are in it. Values are compared also when an input
        changed, as long as all of them are there. Not compared: where files lie; which columns were recognised rather
        than given, since now all are given; and versions, which the verdict names where they differ.

    Raises
    ------
    OptionError
        When ``inputs`` names a file that the record does not, or ``rtol`` is no number from 0 to 1.
    InputError
        When the record is of another kind, or names no file, since it was made from data in memory.

    Examples
    --------
    >>> import deciban as db, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "scores.csv")
    ...     _ = path.write_text("score,label\n0.9,1\n0.4,0\n0.6,1\n0.7,0\n")
    ...     db.verify(db.evaluate(db.scan(path))).same
    True
    """
    if not 0.0 <= check_number("rtol", rtol, "a relative difference such as 1e-9") <= 1.0:
        raise OptionError(f"rtol: expected a relative difference from 0 to 1, found {rtol!r}")
    _, compute_again = _of(getattr(record, "schema", None))
    origin = record.provenance
    if not origin.inputs:
        raise InputError("the record names no file: it was made from data in memory, and cannot be computed again")
    given = dict(inputs or {})
    for path in given:
        known = [file.path for file in origin.inputs]
        if path not in known:
            raise OptionError(f"inputs: the record names no file {path!r}; {did_you_mean(path, known)}")
    checked = tuple(_check(file, given.get(file.path), folder) for file in origin.inputs)
    compared, failure = 0, None
    changes: tuple[Change, ...] = ()
    missing = [file.path for file in checked if file.read is None]
    if missing:
        failure = f"{missing[0]} is not there; say where it lies now"
    else:
        # As given where a table was, since it may hold a password, which no record does.
        where = {file.path: given.get(file.path, file.read) for file in checked}
        try:
            again = compute_again(record, where, progress)
            compared, changes = _compared(record, again, rtol)
            checked = tuple(_checked_by_counts(file, changes) for file in checked)
        except DecibanError as error:
            # A verdict is one line, and what is wrong with a table may be told in several.
            said = " ".join(line.strip() for line in str(error).splitlines())
            failure = f"the record could not be computed again: {said}"
    now = versions()
    return Verification(
        checked=record.schema,
        record_sha256=hashlib.sha256(to_json(record).encode()).hexdigest(),
        inputs=checked,
        versions=tuple((name, version, now.get(name, "-")) for name, version in origin.versions.items()),
        rtol=float(rtol),
        compared=compared,
        changes=changes,
        failure=failure,
    )


def _check(file: Input, given: str | None, folder: str | Path | None) -> CheckedInput:
    """Find a file and hash it; a table of a database is found when it is read."""
    if file.sha256 is None:
        read = read_address(*recorded_address(given or file.path)).recorded
        return CheckedInput(
            path=file.path, read=read, same=False, sha256="", found_sha256=None, bytes=0, found_bytes=None, by="counts"
        )
    found = given if given is not None else _find(file.path, folder)
    digest, size = (None, None) if found is None else _fingerprint(found)
    return CheckedInput(
        path=file.path,
        read=found if digest is not None else None,
        same=digest == file.sha256,
        sha256=file.sha256 or "",
        found_sha256=digest,
        bytes=file.bytes or 0,
        found_bytes=size,
    )


def _checked_by_counts(file: CheckedInput, changes: tuple[Change, ...]) -> CheckedInput:
    """A table of a database with whether all counts came out again; a file as it is."""
    if file.by == "bytes":
        return file
    return replace(file, same=not any(change.where.endswith("counts_sha256") for change in changes))


def _find(path: str, folder: str | Path | None) -> str | None:
    if path == STDIN:
        return None
    places = [Path(path)] + ([] if folder is None else [Path(folder, path), Path(folder, Path(path).name)])
    return next((str(place) for place in places if place.is_file()), None)


def _fingerprint(path: str) -> tuple[str | None, int | None]:
    """Hash and size of a file; None where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest(), Path(path).stat().st_size
    except OSError:
        return None, None


def _compared(record: Checkable, again: Checkable, rtol: float) -> tuple[int, tuple[Change, ...]]:
    """How many values there are, and those that differ."""
    pairs = list(_values("", _content(record), _content(again)))
    return len(pairs), tuple(_change(*pair, rtol) for pair in pairs if _differ(pair[1], pair[2]))


def _content(record: Checkable) -> Any:
    """What must come out again: all but where files lie, what was assumed about columns, and versions."""
    plain = to_plain(record)
    parts = [plain]
    if isinstance(record, Validation):
        parts = [plain[name] for name in ("evaluation", "comparison") if plain[name] is not None]
        # What was asked is used again rather than found again; hashes are compared apart.
        del plain["given"]
        if plain["development"] is not None:
            del plain["development"]["inputs"]
    if isinstance(record, TandemEvaluation):
        del plain["provenance"]["columns"][ASSUMED]
    for part in parts:
        _leave_out(part["provenance"], several="systems" in part or isinstance(record, TandemEvaluation))
    return plain


def _leave_out(origin: dict[str, Any], *, several: bool) -> None:
    """Leave out of a provenance what may differ: where files lie, and what was assumed about columns."""
    for file in origin["inputs"]:
        del file["path"], file["sha256"]  # the hashes are compared by themselves
    for columns in origin["columns"].values() if several else [origin["columns"]]:
        for name in ("assumed", "inputs", "key"):  # files by their paths, which the inputs name too
            columns.pop(name, None)
        columns["reader"] = columns.get("reader") or "table"  # a table that was recognised is one that is asked for
    del origin["versions"]


def _values(where: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    """Every value of two trees beside each other, with its place; None where one of them has none."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*one, *other]):
            yield from _values(f"{where}.{key}" if where else key, one.get(key), other.get(key))
    elif isinstance(one, list) and isinstance(other, list):
        for index in range(max(len(one), len(other))):
            yield from _values(
                f"{where}[{index}]", *(each[index] if index < len(each) else None for each in (one, other))
            )
    else:
        yield where, one, other


def _differ(one: Any, other: Any) -> bool:
    # 1 and 1.0 are one number; True is none.
    return one != other or isinstance(one, bool) != isinstance(other, bool)


def _change(where: str, one: Any, other: Any, rtol: float) -> Change:
    numbers = all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in (one, other))
    relative = abs(other - one) / abs(one) if numbers and one else None
    return Change(
        where=where, recorded=one, found=other, relative=relative, within=relative is not None and relative <= rtol
    )
