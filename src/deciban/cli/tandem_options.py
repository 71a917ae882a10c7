"""Options of the commands for three-class trials, declared once, and the tables that they describe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from deciban.cli import options
from deciban.cli.data_options import Ignore, Key, MissingOption, ReaderOption, ScaleOption, Sources, Unmatched

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeClassOptions:
    """Which column is what, and which labels are which class; columns of scores stand apart."""

    class_: Annotated[
        str | None,
        typer.Option(
            "--class",
            metavar="COL",
            help="Column of classes: target, nontarget, spoof; bonafide for a countermeasure alone.",
            rich_help_panel=options.DATA,
        ),
    ] = None
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="COL",
            help="Attack, codec or other condition: a table of its groups; a,b crosses two; repeatable. Bona fide "
            "trials with '-' for attack belong to every attack.",
            rich_help_panel=options.DATA,
        ),
    ] = None
    source: Sources = None
    target: Annotated[
        list[str] | None,
        typer.Option("--target", metavar="VALUE", help="Label of targets.", rich_help_panel=options.SCORES),
    ] = None
    nontarget: Annotated[
        list[str] | None,
        typer.Option("--nontarget", metavar="VALUE", help="Label of nontargets.", rich_help_panel=options.SCORES),
    ] = None
    spoof: Annotated[
        list[str] | None,
        typer.Option("--spoof", metavar="VALUE", help="Label of spoofs.", rich_help_panel=options.SCORES),
    ] = None
    bonafide: Annotated[
        list[str] | None,
        typer.Option(
            "--bonafide",
            metavar="VALUE",
            help="Label of bona fide speech without a claim of identity.",
            rich_help_panel=options.SCORES,
        ),
    ] = None
    ignore: Ignore = None
    scale: ScaleOption = None
    missing: MissingOption = "refuse"
    key: Key = None
    reader: ReaderOption = None
    unmatched: Unmatched = "refuse"

    def scan(self, files: Sequence[str], scores: Mapping[str, str | None], *, one_of_two: bool = False) -> TandemTable:
        """The table of files that has these scores, each with its column or None for the usual one.

        Of two tables columns of groups may be absent from one, as those of attacks are from a verifier's table, and
        sources are only those that are named, since a format may know them of one table and not of the other.
        """
        from deciban.tandem_scanning import scan_tandem

        by, sources = tuple(self.by or ()), tuple(self.source or ())
        return scan_tandem(
            list(files),
            asv=scores.get("asv"),
            cm=scores.get("cm"),
            sasv=scores.get("sasv"),
            scores=tuple(scores),
            classes=self.class_,
            target=self.target or (),
            nontarget=self.nontarget or (),
            spoof=self.spoof or (),
            bonafide=self.bonafide or (),
            ignore=self.ignore or (),
            sources=sources if sources or one_of_two else None,
            conditions=() if one_of_two else by,
            conditions_if_any=by if one_of_two else (),
            missing=self.missing,
            key=self.key,
            reader=self.reader,
            unmatched=self.unmatched,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesApart:
    """A table for each system, in place of one with the scores of both."""

    asv: Annotated[
        list[str] | None,
        typer.Option("--asv", metavar="FILE", help="The verifier's table.", rich_help_panel=options.DATA),
    ] = None
    cm: Annotated[
        list[str] | None,
        typer.Option("--cm", metavar="FILE", help="The countermeasure's table.", rich_help_panel=options.DATA),
    ] = None
    asv_key: Annotated[
        str | None,
        typer.Option("--asv-key", metavar="FILE", help="The key of --asv.", rich_help_panel=options.DATA),
    ] = None
    cm_key: Annotated[
        str | None,
        typer.Option("--cm-key", metavar="FILE", help="The key of --cm.", rich_help_panel=options.DATA),
    ] = None

    def scan(self, data: ThreeClassOptions, asv_score: str | None, cm_score: str | None) -> list[TandemTable]:
        """The verifier's table, if there is one, and the countermeasure's."""
        two = bool(self.asv)
        of_asv, of_cm = replace(data, bonafide=None, key=self.asv_key), replace(data, key=self.cm_key)
        verifier = [of_asv.scan(self.asv, {"asv": asv_score}, one_of_two=two)] if self.asv else []
        return [*verifier, of_cm.scan(self.cm or (), {"cm": cm_score}, one_of_two=two)]
