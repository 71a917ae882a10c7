"""Options of the commands for three-class trials, declared once, and the tables that they describe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from deciban.cli import options

if TYPE_CHECKING:
    from deciban.tandem_scanning import TandemTable

OptionalFiles = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILE", help="One table with all scores: a file, several, a glob, or - for stdin."),
]
AsvScore = Annotated[
    str | None,
    typer.Option("--asv-score", metavar="COL", help="The verifier's scores.", rich_help_panel=options.DATA),
]
CmScore = Annotated[
    str | None,
    typer.Option("--cm-score", metavar="COL", help="The countermeasure's scores.", rich_help_panel=options.DATA),
]
SasvScore = Annotated[
    str | None,
    typer.Option("--score", metavar="COL", help="One score for both tasks.", rich_help_panel=options.DATA),
]
Class = Annotated[
    str | None,
    typer.Option(
        "--class",
        metavar="COL",
        help="Column of classes: target, nontarget, spoof; bonafide for a countermeasure alone.",
        rich_help_panel=options.DATA,
    ),
]
Target = Annotated[
    list[str] | None,
    typer.Option("--target", metavar="VALUE", help="Label of targets.", rich_help_panel=options.SCORES),
]
Nontarget = Annotated[
    list[str] | None,
    typer.Option("--nontarget", metavar="VALUE", help="Label of nontargets.", rich_help_panel=options.SCORES),
]
Spoof = Annotated[
    list[str] | None,
    typer.Option("--spoof", metavar="VALUE", help="Label of spoofs.", rich_help_panel=options.SCORES),
]
Bonafide = Annotated[
    list[str] | None,
    typer.Option(
        "--bonafide",
        metavar="VALUE",
        help="Label of bona fide speech without a claim of identity.",
        rich_help_panel=options.SCORES,
    ),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="COL",
        help="Attack, codec or other condition: a table of its groups; a,b crosses two; repeatable. Bona fide trials "
        "with '-' for attack belong to every attack.",
        rich_help_panel=options.DATA,
    ),
]


def read_table(
    files: Sequence[str],
    *,
    scores: Sequence[str],
    asv: str | None = None,
    cm: str | None = None,
    sasv: str | None = None,
    classes: str | None,
    target: Sequence[str] | None,
    nontarget: Sequence[str] | None,
    spoof: Sequence[str] | None,
    bonafide: Sequence[str] | None = None,
    ignore: Sequence[str] | None,
    by: Sequence[str] | None,
    source: Sequence[str] | None,
    missing: str,
    key: str | None,
    reader: str | None,
    unmatched: str,
    one_of_two: bool = False,
) -> TandemTable:
    """The table that the options describe: the one place where these commands read files.

    Of ``one_of_two`` tables columns of groups may be absent, as those of attacks are from a verifier's table, and
    sources are only those that are named, since a format may know them of one table and not of the other.
    """
    from deciban.tandem_scanning import scan_tandem

    return scan_tandem(
        list(files),
        scores=scores,
        asv=asv,
        cm=cm,
        sasv=sasv,
        classes=classes,
        target=target or (),
        nontarget=nontarget or (),
        spoof=spoof or (),
        bonafide=bonafide or (),
        ignore=ignore or (),
        sources=tuple(source or ()) if source or one_of_two else None,
        conditions=() if one_of_two else tuple(by or ()),
        conditions_if_any=tuple(by or ()) if one_of_two else (),
        missing=missing,
        key=key,
        reader=reader,
        unmatched=unmatched,
    )
