"""Compute a record of three-class trials again from the files, columns, options and seed that it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deciban.metrics.tandem.asv_rates import AsvRates
from deciban.metrics.tandem.costs import LegacyTandemCost, SpoofAwareCost, TandemCost
from deciban.records.tandem import TandemEvaluation
from deciban.tables.files.inputs import Moved
from deciban.tables.tandem_columns import TandemColumns
from deciban.tables.tandem_scanning import TandemTable, scan_tandem
from deciban.uncertainty.bootstrap.repeat import Progress
from deciban.values.record import from_plain, to_plain
from deciban.workflow.tandem.evaluate import ASSUMED, evaluate_tandem
from deciban.workflow.verifying.recompute import source_again


def tandem_again(
    record: TandemEvaluation, where: Mapping[str, str], progress: Progress | None = None
) -> TandemEvaluation:
    """Evaluate the files of a record by its options; ``where`` says where each of them lies now."""
    origin, at = record.provenance, "record.provenance"
    tables = [
        _table_again(columns, where, f"{at}.columns.{name}")
        for name, columns in origin.columns.items()
        if name != ASSUMED
    ]
    options = to_plain(origin.options)
    if isinstance(options["asv"], dict):
        options["asv"] = from_plain(AsvRates, options["asv"], f"{at}.options.asv")
    for kind, read in (("tandem_costs", _tandem_cost), ("spoof_aware_costs", _spoof_aware_cost)):
        options[kind] = {name: read(cost, f"{at}.options.{kind}.{name}") for name, cost in options[kind].items()}
    return evaluate_tandem(*tables, **options, seed=origin.seed, progress=progress)


def _table_again(columns: Mapping[str, Any], where: Mapping[str, str], at: str) -> TandemTable:
    """The files under their declaration of columns."""
    plain = to_plain(columns)
    paths = plain.pop("inputs")
    declared = from_plain(TandemColumns, plain, at)
    source, query = source_again([path for path in paths if path != declared.key], where)
    return scan_tandem(
        source,
        query=query,
        classes=declared.classes,
        asv=declared.scores.get("asv"),
        cm=declared.scores.get("cm"),
        sasv=declared.scores.get("sasv"),
        scores=tuple(declared.scores),
        target=declared.target,
        nontarget=declared.nontarget,
        spoof=declared.spoof,
        bonafide=declared.bonafide,
        ignore=declared.ignore,
        sources=declared.sources,
        conditions=declared.conditions,
        ids=declared.ids,
        missing=declared.missing,
        key=None if declared.key is None else Moved(declared.key, where[declared.key]),
        reader=declared.reader,
        unmatched=declared.unmatched,
    )


def _tandem_cost(plain: dict[str, Any], at: str) -> TandemCost | LegacyTandemCost:
    """A cost by its parameters, which the two forms call differently."""
    return from_plain(LegacyTandemCost, plain, at) if "c_miss_asv" in plain else from_plain(TandemCost, plain, at)


def _spoof_aware_cost(plain: dict[str, Any], at: str) -> SpoofAwareCost:
    return from_plain(SpoofAwareCost, plain, at)
