"""Compute a record again from the inputs, columns, options and seed that it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from deciban.errors import InputError
from deciban.pan.evaluating import pan_rank
from deciban.pan.naming import names_of
from deciban.pan.record import PanRanking
from deciban.records.attacks import AttackEvaluation
from deciban.records.comparison import Comparison
from deciban.records.evaluation import Evaluation
from deciban.tables.addresses import is_address, recorded_address
from deciban.tables.columns import Columns
from deciban.tables.counts_files import KeptCounts
from deciban.tables.counts_reading import read_counts
from deciban.tables.files.inputs import Moved
from deciban.tables.scanning import scan
from deciban.tables.table import Table
from deciban.uncertainty.bootstrap.repeat import Progress
from deciban.values.record import from_plain, to_plain
from deciban.workflow.asked import read_threshold
from deciban.workflow.attacks.attacks import evaluate_attacks
from deciban.workflow.comparing.compare import compare
from deciban.workflow.evaluating.evaluate import evaluate
from deciban.workflow.origin import COUNTED

Where = Mapping[str, str]
"""For each input as the record names it, the path where it lies now."""

_COLUMNS: Final = frozenset(field.name for field in fields(Columns))


def evaluate_again(record: Evaluation, where: Where, progress: Progress | None = None) -> Evaluation:
    """Evaluate the files of a record by its options."""
    origin = record.provenance
    paths = [file.path for file in origin.inputs]
    table: Table | KeptCounts
    if COUNTED in origin.columns:
        table = read_counts(where[paths[0]])
    else:
        table = table_again(origin.columns, paths, where, "record.provenance.columns")
    options = dict(origin.options)
    options["thresholds"] = [read_threshold(at) for at in options.get("thresholds", ())]
    result: Evaluation = _called(evaluate, table, options, origin.seed, progress)
    return result


def compare_again(record: Comparison, where: Where, progress: Progress | None = None) -> Comparison:
    """Compare the files of a record by its options."""
    origin = record.provenance
    tables = {}
    for name, columns in origin.columns.items():
        at = f"record.provenance.columns.{name}"
        if not isinstance(columns, Mapping) or not columns.get("inputs"):
            raise InputError(f"{at}: it names no file: system {name!r} was compared from data in memory")
        tables[name] = table_again(columns, columns["inputs"], where, at)
    options = dict(origin.options)
    options["thresholds"] = {
        name: [read_threshold(at) for at in given] for name, given in options.get("thresholds", {}).items()
    }
    result: Comparison = _called(compare, tables, options, origin.seed, progress)
    return result


def attacks_again(record: AttackEvaluation, where: Where, progress: Progress | None = None) -> AttackEvaluation:
    """Evaluate the presentations of a record by its options."""
    origin = record.provenance
    table = table_again(origin.columns, [file.path for file in origin.inputs], where, "record.provenance.columns")
    return evaluate_attacks(table, **origin.options)


def rank_again(record: PanRanking, where: Where, progress: Progress | None = None) -> PanRanking:
    """Rank the submissions of a record by its options."""
    origin = record.provenance
    truth, *answers = (file.path for file in origin.inputs)
    named = names_of(answers)
    if set(named) != set(record.submissions):
        raise InputError("record.submissions: they have names of their own, and nothing says which file is whose")
    moved = {name: Moved(path, where[path]) for name, path in zip(named, answers, strict=True)}
    return pan_rank(Moved(truth, where[truth]), moved, **origin.options, seed=origin.seed, progress=progress)


def _called(function: Any, data: Any, options: Mapping[str, Any], seed: int, progress: Progress | None) -> Any:
    """Call with the options of a record, which another version may have had more or fewer of."""
    unknown = [name for name in options if name not in function.__kwdefaults__]
    if unknown:
        raise InputError(f"record.provenance.options: {unknown[0]!r} is no option of this version of deciban")
    return function(data, **options, seed=seed, progress=progress)


def table_again(columns: Mapping[str, Any], paths: Sequence[str], where: Where, at: str) -> Table:
    """The files, or the table of a database, under their declaration of columns."""
    declared = from_plain(Columns, {name: to_plain(columns[name]) for name in columns if name in _COLUMNS}, at)
    source, query = source_again([path for path in paths if path != declared.key], where)
    return scan(
        source,
        query=query,
        score=declared.score,
        label=declared.label,
        target=declared.target or None,
        nontarget=declared.nontarget or None,
        ignore=declared.ignore,
        scale=declared.scale,
        prior=declared.prior,
        sources=declared.sources,
        conditions=declared.conditions,
        ids=declared.ids,
        weight=declared.weight,
        missing=declared.missing,
        higher=declared.higher,
        swap=declared.swap,
        key=None if declared.key is None else Moved(declared.key, where[declared.key]),
        reader=declared.reader,
        unmatched=declared.unmatched,
    )


def source_again(paths: Sequence[str], where: Where) -> tuple[object, str | None]:
    """The files as they lie now, or the table of a database: its address, and its query where it has one."""
    if is_address(paths[0]):
        return recorded_address(where[paths[0]])
    return [Moved(path, where[path]) for path in paths], None
