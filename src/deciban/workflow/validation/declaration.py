"""Which data are judged: what the command line says, else what the criteria file does."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from deciban.errors import OptionError, did_you_mean
from deciban.records.finding import Finding
from deciban.tables.files.inputs import Moved
from deciban.tables.scanning import scan
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.values.toml_tables import TomlTable

Places = Mapping[str, Sequence[Moved]]
"""Where files lie that are read again, by what they are read for; without any they lie where their names say."""

READ_AS: Final[Mapping[str, str]] = {
    "file": "texts",
    "score": "text",
    "label": "text",
    "weight": "text",
    "sources": "texts",
    "ids": "texts",
    "conditions": "texts",
    "target": "values",
    "nontarget": "values",
    "ignore": "values",
    "scale": "text",
    "prior": "number",
    "missing": "text",
    "higher": "text",
    "swap": "flag",
    "key": "text",
    "reader": "text",
    "unmatched": "text",
    "calibration": "text",
}
"""How each key that declares data is read."""

DATA_KEYS: Final = tuple(key for key in READ_AS if key != "calibration")

OF_ITS_OWN: Final = ("score", "scale", "prior", "conditions")
"""What a baseline does not take over from the data: a column of scores, and what they are."""


class ReadTable(Table):
    """A table whose trials have been read: several steps of one piece of work use the same ones."""

    def __init__(self, table: Table) -> None:
        self._source, self.what = table._source, table.what
        self.columns, self.assumed = table.columns, table.assumed
        self._read = table.trials()
        self.engine = table.engine

    def read(self, by: object = (), resolution: object = None, max_blocks: object = None) -> Trials:
        """Return the trials that were read, which are never counted by an engine."""
        return self._read

    def trials(self) -> Trials:
        """Return the trials that were read."""
        return self._read


def declared_in(table: TomlTable, keys: Sequence[str]) -> dict[str, Any]:
    """What a table of the criteria file declares, empty values left out."""
    found = {key: getattr(table, READ_AS[key])(key) for key in keys}
    table.finish()
    return {key: value for key, value in found.items() if value not in (None, ())}


def merged(of_file: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[dict[str, Any], list[Finding]]:
    """The declaration, in which what was given wins over the criteria file; each case of that is told."""
    known = {key: value for key, value in given.items() if value not in (None, (), [])}
    for key in known:
        if key not in DATA_KEYS:
            raise OptionError(f"declared: unknown key {key!r}; {did_you_mean(key, DATA_KEYS)}")
    told = [
        instead_of_file(f"[data] {key}", of_file[key], value)
        for key, value in known.items()
        if key in of_file and words(of_file[key]) != words(value)
    ]
    return {**of_file, **known}, told


def instead_of_file(what: str, of_file: object, given: object) -> Finding:
    """Say that something given won over the criteria file, whose hash does not cover it."""
    return Finding(
        code="GIVEN-INSTEAD",
        severity="note",
        message=f"{what}: {_shown(given)} was given beside the criteria file, which says {_shown(of_file)}",
        advice="write what was used into the criteria file, so that its hash covers it",
        data={"key": what, "given": words(given), "file": words(of_file)},
    )


def words(value: object) -> list[str]:
    """One value or several, as texts."""
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else [str(value)]


def _shown(value: object) -> str:
    return ", ".join(map(repr, words(value)))


def scanned(declared: Mapping[str, Any], role: str, places: Places) -> Table:
    """The table that a declaration names."""
    if "file" not in declared:
        raise OptionError(f"[{role}]: expected a file; name it on the command line, or as file = '…'")
    options = {key: value for key, value in declared.items() if key != "file"}
    moved = {file.name: file for file in places.get(role, ())}
    if options.get("key") in moved:
        options["key"] = moved.pop(options["key"])
    return scan(list(moved.values()) or words(declared["file"]), **options)


def in_folder(declared: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The declaration of a criteria file, whose paths start from its folder."""
    placed = {
        key: tuple(os.path.join(folder, item) for item in words(value)) if key in ("file", "calibration") else value
        for key, value in declared.items()
    }
    if "key" in placed:
        placed["key"] = os.path.join(folder, str(declared["key"]))
    return placed


def baseline_table(declared: Mapping[str, Any], of_data: Mapping[str, Any], places: Places) -> Table:
    """The table of the baseline: columns that it does not name are those of the data."""
    taken_over = {key: value for key, value in of_data.items() if key not in OF_ITS_OWN}
    if "score" not in declared and "file" not in declared:
        raise OptionError("[baseline]: expected the score column of the baseline, or its file; found neither")
    return scanned({**taken_over, **declared}, "baseline", places)
