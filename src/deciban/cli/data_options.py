"""What commands read: which column is what, what scores and labels mean, and the table that such options describe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deciban.cli.options import DATA, SCORES, flag, number, option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deciban.tables.table import Table


def list_readers(name: str | None) -> str | None:
    """Show the readers instead of running the command, when asked for the list of them."""
    if name == "list":
        from deciban.tables.formats.catalogue import READERS

        width = max(map(len, READERS))
        typer.echo("".join(f"{reader.name:{width}}  {reader.title}\n" for reader in READERS.values()), nl=False)
        raise typer.Exit
    return name


Query = Annotated[
    str | None,
    option(
        "--query", "SQL", "A SELECT statement instead of a table, where FILE is a database.", DATA, show_default=False
    ),
]
Score = Annotated[str | None, option("--score", "COL", "Score column.", DATA, show_default=False)]
ScoresOf = Annotated[
    list[str] | None, option("--score", "COL", "Score column; each of several is a system.", DATA, show_default=False)
]
SystemOption = Annotated[
    list[str] | None, option("--system", "NAME=FILE", "A system and its table, instead of FILE; repeatable.", DATA)
]
Label = Annotated[str | None, option("--label", "COL", "Label column.", DATA, show_default=False)]
Sources = Annotated[
    list[str] | None, option("--source", "COL", "Column of the trial's source (speaker, author); at most two.", DATA)
]
Ids = Annotated[list[str] | None, option("--id", "COL", "Column that names a trial; repeatable.", DATA)]
Ignore = Annotated[
    list[str] | None, option("--ignore", "VALUE", "Label value of trials to leave out; repeatable.", SCORES)
]
ScaleOption = Annotated[
    str | None,
    option(
        "--scale",
        "SCALE",
        "score (ranks only), probability, lr, ln_lr, log2_lr, log10_lr or deciban (default: from the name of the "
        "score column, else score).",
        SCORES,
    ),
]
Prior = Annotated[
    float | None, option("--prior", "P", "Prior that probabilities were made under.", SCORES, parser=number)
]
MissingOption = Annotated[
    str,
    option(
        "--missing", "HOW", "Missing scores: refuse them, drop them, or reject: count them as never accepted.", SCORES
    ),
]
Key = Annotated[
    str | None,
    option(
        "--key",
        "FILE",
        "A key or trial list with the labels of these scores, joined to them by ids.",
        DATA,
        show_default=False,
    ),
]
ReaderOption = Annotated[
    str | None,
    option(
        "--reader",
        "NAME",
        "Format of the files, e.g. kaldi, nist or asvspoof5 (default: recognised by the first lines); list shows all.",
        DATA,
        callback=list_readers,
        is_eager=True,
        show_default=False,
    ),
]
Unmatched = Annotated[
    str,
    option(
        "--unmatched", "HOW", "Trials that the key, the scores or another system lack: refuse or drop them.", SCORES
    ),
]
Pairing = Annotated[
    str,
    option(
        "--pairing",
        "HOW",
        "Which trials are the same: ids, rows, none; auto: by --id where given, else by row where labels "
        "agree row by row, else none.",
        SCORES,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataOptions:
    """Which column is what, and what scores and labels mean; score columns stand apart, since there may be several."""

    label: Label = None
    weight: Annotated[str | None, option("--weight", "COL", "Column of weights, >= 0.", DATA)] = None
    source: Sources = None
    id_: Ids = None
    by: Annotated[
        list[str] | None,
        option(
            "--by",
            "COL",
            "Condition column: a table of its groups; a,b crosses two; 'file' when there are several; repeatable.",
            DATA,
        ),
    ] = None
    target: Annotated[
        list[str] | None, option("--target", "VALUE", "Label value of the target class; repeatable.", SCORES)
    ] = None
    nontarget: Annotated[
        list[str] | None, option("--nontarget", "VALUE", "Label value of the other class; repeatable.", SCORES)
    ] = None
    ignore: Ignore = None
    scale: ScaleOption = None
    prior: Prior = None
    missing: MissingOption = "refuse"
    higher: Annotated[
        str,
        option(
            "--higher",
            "CLASS",
            "Which class high scores speak for: target, or nontarget (distances), which are then reversed.",
            SCORES,
        ),
    ] = "target"
    swap: Annotated[bool, flag("--swap", "Evaluate the other class: labels swapped, scores reversed.", SCORES)] = False
    key: Key = None
    reader: ReaderOption = None
    unmatched: Unmatched = "refuse"

    def declared(self) -> dict[str, Any]:
        """The options of ``scan`` that were given."""
        return {
            "label": self.label,
            "weight": self.weight,
            "sources": tuple(self.source or ()) or None,
            "ids": tuple(self.id_ or ()),
            "conditions": tuple(self.by or ()),
            "target": self.target or None,
            "nontarget": self.nontarget or None,
            "ignore": self.ignore or (),
            "scale": self.scale,
            "prior": self.prior,
            "missing": self.missing,
            "higher": self.higher,
            "swap": self.swap,
            "key": self.key,
            "reader": self.reader,
            "unmatched": self.unmatched,
        }

    def scan(self, files: Sequence[str], **further: Any) -> Table:
        """The table of files under these options, and ``further`` ones of ``scan``."""
        from deciban.tables.scanning import scan

        return scan(files, **{**self.declared(), **further})
