"""The criteria file: what the laboratory said, what is decided how, and the criteria that result."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, get_args

from deciban.errors import InputError, OptionError
from deciban.records.validation_rows import Config, Criterion, Laboratory, Rule
from deciban.tables.files.inputs import Moved
from deciban.values.option_checks import check_level
from deciban.values.toml_tables import TomlTable, read_toml
from deciban.verbal.scales import SCALES, VerbalScale, verbal_scale
from deciban.workflow.intervals.ways import DRAWN
from deciban.workflow.validation.declaration import DATA_KEYS, declared_in
from deciban.workflow.validation.overriding import settle_criteria

RULES: Final = get_args(Rule)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciding:
    """The table ``[decision]``; None where it does not say.

    Attributes
    ----------
    fixed_on
        When the criteria were fixed.
    rule
        How criteria are decided that say nothing else.
    level
        Confidence level that is used: the one given, else that of the file, else 0.95.
    in_file
        What the file says of level, interval, replicates, seed and thresholds, as in an evaluation.
    """

    fixed_on: str | None
    rule: Rule
    level: float
    in_file: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """A criteria file.

    Attributes
    ----------
    config
        The file as it was read.
    folder
        What paths in it start from.
    laboratory, decision
        What the laboratory said, and how is decided.
    data, baseline, development
        The tables that name files and columns.
    verbal
        The verbal scale, where one is named.
    used, switched_off
        The criteria, and those that are not used.
    places
        Where files lie now, by what they are read for; only for a validation that is made again.
    """

    config: Config
    folder: Path
    laboratory: Laboratory
    decision: Deciding
    data: Mapping[str, Any]
    baseline: Mapping[str, Any]
    development: Mapping[str, Any]
    verbal: VerbalScale | None
    used: tuple[Criterion, ...]
    switched_off: tuple[Criterion, ...]
    places: Mapping[str, tuple[Moved, ...]] = field(default_factory=dict)


def read_criteria(path: str | Path, *, level: float | None = None) -> Criteria:
    """Read a criteria file; ``level`` is a confidence level given instead of that of the file.

    Raises
    ------
    InputError
        When the file cannot be read.
    OptionError
        When it holds what it should not: the message names file, table and key, and what was expected and found.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"{path}: cannot be read: {reason}") from None
    return parse_criteria(text, str(path), level=level)


def parse_criteria(
    text: str, name: str, *, level: float | None = None, places: Mapping[str, tuple[Moved, ...]] | None = None
) -> Criteria:
    """Read the text of a criteria file as :func:`read_criteria` does; paths in it start from the folder of ``name``."""
    places = places or {}
    table = read_toml(text, name)
    laboratory = _laboratory(table.table("laboratory"))
    decision = _decision(table.table("decision"), level)
    folder = Path(name).parent
    data, baseline = (declared_in(table.table(key), DATA_KEYS) for key in ("data", "baseline"))
    development = declared_in(table.table("development"), ("file", "calibration", "sources"))
    verbal = _verbal(table.table("verbal"), folder, places.get("verbal", ()))
    used, switched_off = settle_criteria(table.tables("criterion"), decision)
    table.finish()
    return Criteria(
        config=Config(name=name, sha256=hashlib.sha256(text.encode()).hexdigest(), text=text),
        folder=folder,
        laboratory=laboratory,
        decision=decision,
        data=data,
        baseline=baseline,
        development=development,
        verbal=verbal,
        used=used,
        switched_off=switched_off,
        places=places,
    )


def _laboratory(table: TomlTable) -> Laboratory:
    names: Sequence[str] = [one.name for one in fields(Laboratory)]
    said = {name: table.date(name) if name == "date" else table.text(name) for name in names}
    table.finish()
    return Laboratory(**said)


def _decision(table: TomlTable, level: float | None) -> Deciding:
    rule = table.choice("rule", RULES) or "bound"
    in_file = table.number("level")
    if in_file is not None and not 0.0 < in_file < 1.0:
        raise table.error("level", "a confidence level strictly between 0 and 1", in_file)
    if level is not None:
        check_level(level)
    of_file = {
        "level": in_file,
        "interval": table.choice("interval", DRAWN),
        "replicates": table.whole("replicates", 1),
        "seed": table.whole("seed", 0),
        "thresholds": table.numbers("thresholds"),
    }
    found = Deciding(
        fixed_on=table.date("fixed_on"),
        rule=rule,  # type: ignore[arg-type]
        level=float(level if level is not None else 0.95 if in_file is None else in_file),
        in_file={key: value for key, value in of_file.items() if value not in (None, ())},
    )
    table.finish()
    return found


def _verbal(table: TomlTable, folder: Path, moved: Sequence[Moved]) -> VerbalScale | None:
    scale, file = table.choice("scale", SCALES), table.text("file")
    table.finish()
    if scale and file:
        raise OptionError(f"{table.where}: expected scale or file, found both")
    if file:
        return replace(verbal_scale(Path(moved[0])), name=moved[0].name) if moved else verbal_scale(folder / file)
    return verbal_scale(scale) if scale else None
