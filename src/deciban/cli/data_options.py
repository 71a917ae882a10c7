"""What commands read: which column is what, what scores and labels mean, and the table that such options describe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deciban.cli.options import DATA, SCORES, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deciban.scanning import Table


def list_readers(name: str | None) -> str | None:
    """Show the readers instead of running the command, when asked for the list of them."""
    if name == "list":
        from deciban.formats.catalogue import READERS

        width = max(map(len, READERS))
        typer.echo("".join(f"{reader.name:{width}}  {reader.title}\n" for reader in READERS.values()), nl=False)
        raise typer.Exit
    return name


Query = Annotated[
    str | None,
    typer.Option(
        "--query",
        metavar="SQL",
        help="A SELECT statement instead of a table, where FILE is a database.",
        rich_help_panel=DATA,
        show_default=False,
    ),
]
Score = Annotated[
    str | None, typer.Option("--score", metavar="COL", help="Score column.", rich_help_panel=DATA, show_default=False)
]
ScoresOf = Annotated[
    list[str] | None,
    typer.Option(
        "--score",
        metavar="COL",
        help="Score column; each of several is a system.",
        rich_help_panel=DATA,
        show_default=False,
    ),
]
SystemOption = Annotated[
    list[str] | None,
    typer.Option(
        "--system",
        metavar="NAME=FILE",
        help="A system and its table, instead of FILE; repeatable.",
        rich_help_panel=DATA,
    ),
]
Label = Annotated[
    str | None, typer.Option("--label", metavar="COL", help="Label column.", rich_help_panel=DATA, show_default=False)
]
Weight = Annotated[
    str | None, typer.Option("--weight", metavar="COL", help="Column of weights, >= 0.", rich_help_panel=DATA)
]
Sources = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        metavar="COL",
        help="Column of the trial's source (speaker, author); at most two.",
        rich_help_panel=DATA,
    ),
]
Ids = Annotated[
    list[str] | None,
    typer.Option("--id", metavar="COL", help="Column that names a trial; repeatable.", rich_help_panel=DATA),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="COL",
        help="Condition column: a table of its groups; a,b crosses two; 'file' when there are several; repeatable.",
        rich_help_panel=DATA,
    ),
]
Target = Annotated[
    list[str] | None,
    typer.Option(
        "--target", metavar="VALUE", help="Label value of the target class; repeatable.", rich_help_panel=SCORES
    ),
]
Nontarget = Annotated[
    list[str] | None,
    typer.Option(
        "--nontarget", metavar="VALUE", help="Label value of the other class; repeatable.", rich_help_panel=SCORES
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore", metavar="VALUE", help="Label value of trials to leave out; repeatable.", rich_help_panel=SCORES
    ),
]
ScaleOption = Annotated[
    str | None,
    typer.Option(
        "--scale",
        metavar="SCALE",
        help="score (ranks only), probability, lr, ln_lr, log2_lr, log10_lr or deciban (default: from the name of the "
        "score column, else score).",
        rich_help_panel=SCORES,
    ),
]
Prior = Annotated[
    float | None,
    typer.Option(
        "--prior", metavar="P", parser=number, help="Prior that probabilities were made under.", rich_help_panel=SCORES
    ),
]
MissingOption = Annotated[
    str,
    typer.Option(
        "--missing",
        metavar="HOW",
        help="Missing scores: refuse them, drop them, or reject: count them as never accepted.",
        rich_help_panel=SCORES,
    ),
]
Key = Annotated[
    str | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="A key or trial list with the labels of these scores, joined to them by ids.",
        rich_help_panel=DATA,
        show_default=False,
    ),
]
ReaderOption = Annotated[
    str | None,
    typer.Option(
        "--reader",
        metavar="NAME",
        callback=list_readers,
        is_eager=True,
        help="Format of the files, e.g. kaldi, nist or asvspoof5 (default: recognised by the first lines); list shows "
        "all.",
        rich_help_panel=DATA,
        show_default=False,
    ),
]
Unmatched = Annotated[
    str,
    typer.Option(
        "--unmatched",
        metavar="HOW",
        help="Trials that the key, the scores or another system lack: refuse or drop them.",
        rich_help_panel=SCORES,
    ),
]
Pairing = Annotated[
    str,
    typer.Option(
        "--pairing",
        metavar="HOW",
        help="Which trials are the same: ids, rows, none; auto: by --id where given, else by row where labels "
        "agree row by row, else none.",
        rich_help_panel=SCORES,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataOptions:
    """Which column is what, and what scores and labels mean; score columns stand apart, since there may be several."""

    label: Label = None
    weight: Weight = None
    source: Sources = None
    id_: Ids = None
    by: By = None
    target: Target = None
    nontarget: Nontarget = None
    ignore: Ignore = None
    scale: ScaleOption = None
    prior: Prior = None
    missing: MissingOption = "refuse"
    higher: Annotated[
        str,
        typer.Option(
            "--higher",
            metavar="CLASS",
            help="Which class high scores speak for: target, or nontarget (distances), which are then reversed.",
            rich_help_panel=SCORES,
        ),
    ] = "target"
    swap: Annotated[
        bool,
        typer.Option(
            "--swap", help="Evaluate the other class: labels swapped, scores reversed.", rich_help_panel=SCORES
        ),
    ] = False
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
        from deciban.scanning import scan

        return scan(files, **{**self.declared(), **further})
