"""The line for the shell that makes a page again from the same files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any, Final

from deciban.metrics.expression import format_value
from deciban.records.comparison import Comparison
from deciban.records.reading import Readable
from deciban.records.validation import Validation
from deciban.tables.files.standard_input import STDIN

DECLARED: Final = {
    "label": "--label",
    "weight": "--weight",
    "sources": "--source",
    "ids": "--id",
    "target": "--target",
    "nontarget": "--nontarget",
    "ignore": "--ignore",
    "scale": "--scale",
    "prior": "--prior",
    "missing": "--missing",
    "higher": "--higher",
    "swap": "--swap",
}
"""Options that declare columns and what they mean."""

ASKED: Final = {
    "metrics": "--metric",
    "costs": "--cost",
    "by": "--by",
    "p_target": "--p-target",
    "fta": "--fta",
    "fte": "--fte",
    "pairing": "--pairing",
    "unmatched": "--unmatched",
    "interval": "--interval",
    "level": "--level",
    "replicates": "--replicates",
    "exact": "--exact",
    "proportion": "--proportion",
    "auc_interval": "--auc-interval",
    "bootstrap": "--bootstrap",
}
"""Options that say what is computed."""

USUAL: Final = {
    "missing": "refuse",
    "higher": "target",
    "pairing": "auto",
    "unmatched": "refuse",
    "interval": "auto",
    "level": 0.95,
    "replicates": 1000,
    "proportion": "wilson",
    "auc_interval": "delong-logit",
}
"""Values that need not be said."""


DRAWN: Final = ("interval", "level", "replicates", "seed")
"""Options of a validation beside its thresholds."""


def command_of(record: Readable) -> str | None:
    """Write the command; None for data in memory, and where a table cannot be told from the record."""
    if isinstance(record, Validation):
        return _of_validation(record)
    files = ["-" if one.path == STDIN else one.path for one in record.provenance.inputs]
    tables = _systems(record, files) if isinstance(record, Comparison) else _table(record.provenance.columns, files)
    if tables is None:
        return None
    options = record.provenance.options
    words = [*tables, *_options(ASKED, options), *_thresholds(options.get("thresholds", ()))]
    words += ["--seed", str(record.provenance.seed)] if record.provenance.seed else []
    return " ".join(["deciban report", *map(quote, words), "-o report.html"])


def _of_validation(record: Validation) -> str | None:
    """What was given beside the criteria file, which says the rest."""
    given = record.given
    if given.in_memory or given.tables:
        return None
    words = [*map(_safe, given.paths), "--criteria", record.config.name]
    words += _given({"score": "--score", "conditions": "--by", **DECLARED}, given.declared)
    words += [*_given({name: f"--{name}" for name in DRAWN}, given.options)]
    words += _thresholds(given.options.get("thresholds", ()))
    return " ".join(["deciban validate", *map(quote, words), "-o report.html"])


def _given(names: Mapping[str, str], values: Mapping[str, Any]) -> list[str]:
    """Options that were given, usual values too: they win over those of a file."""
    words = [word for name, option in names.items() for word in _words(option, values.get(name), None)]
    return [*words, "--no-swap"] if values.get("swap") is False else words


def _table(columns: Mapping[str, Any], files: Sequence[str]) -> list[str] | None:
    """Files with the columns of one table; a file whose name begins like an option comes after a double dash."""
    if not files or "score" not in columns:
        return None
    return [*map(_safe, files), "--score", str(columns["score"]), *_options(DECLARED, columns)]


def _systems(record: Comparison, files: Sequence[str]) -> list[str] | None:
    """Several columns of one table, or a file for each system."""
    declared = record.provenance.columns
    if not files or any("score" not in declared.get(name, {}) for name in record.systems):
        return None
    first = next(iter(declared.values()))
    shared = _options(DECLARED, first)
    if any(_options(DECLARED, columns) != shared for columns in declared.values()):
        return None
    scores = {name: str(declared[name]["score"]) for name in record.systems}
    if all(name == score for name, score in scores.items()) and len(set(scores.values())) == len(scores):
        return [*map(_safe, files), *(part for score in scores.values() for part in ("--score", score)), *shared]
    if len(files) == len(scores) and len(set(scores.values())) == 1:
        named = [part for name, file in zip(scores, files, strict=True) for part in ("--system", f"{name}={file}")]
        return [*named, "--score", next(iter(scores.values())), *shared]
    return None


def _safe(file: str) -> str:
    return f"./{file}" if file.startswith("-") and file != "-" else file


def _options(names: Mapping[str, str], given: Mapping[str, Any]) -> list[str]:
    return [word for name, option in names.items() for word in _words(option, given.get(name), USUAL.get(name))]


def _words(option: str, value: Any, usual: Any) -> Iterator[str]:
    """One option with its value, or once for each of several; nothing for what goes without saying."""
    if value is None or value is False or value == usual:
        return
    if value is True:
        yield option
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from (option, format_value(item))
    else:
        yield from (option, format_value(value))


def _thresholds(given: Any) -> Iterator[str]:
    """Thresholds as numbers: a chosen one by the number that was chosen."""
    named = given.items() if isinstance(given, Mapping) else [("", given)]
    for name, thresholds in named:
        for threshold in thresholds:
            at = threshold["threshold"] if isinstance(threshold, Mapping) else threshold
            yield from ("--threshold", f"{name}={format_value(at)}" if name else format_value(at))
