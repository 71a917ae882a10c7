"""Options of the commands for three-class trials, declared once, and the tables that they describe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from deciban.cli import options
from deciban.cli.data_options import Ignore, Key, MissingOption, ReaderOption, ScaleOption, Sources, Unmatched

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from deciban.tables.tandem_scanning import TandemTable

OptionalFiles = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILE", help="One table with all scores: a file, several, a glob, or - for stdin."),
]
AsvScore = Annotated[str | None, options.option("--asv-score", "COL", "The verifier's scores.", options.DATA)]
CmScore = Annotated[str | None, options.option("--cm-score", "COL", "The countermeasure's scores.", options.DATA)]
SasvScore = Annotated[str | None, options.option("--score", "COL", "One score for both tasks.", options.DATA)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeClassOptions:
    """Which column is what, and which labels are which class; columns of scores stand apart."""

    class_: Annotated[
        str | None,
        options.option(
            "--class",
            "COL",
            "Column of classes: target, nontarget, spoof; bonafide for a countermeasure alone.",
            options.DATA,
        ),
    ] = None
    by: Annotated[
        list[str] | None,
        options.option(
            "--by",
            "COL",
            "Attack, codec or other condition: a table of its groups; a,b crosses two; repeatable. Bona fide "
            "trials with '-' for attack belong to every attack.",
            options.DATA,
        ),
    ] = None
    source: Sources = None
    target: Annotated[list[str] | None, options.option("--target", "VALUE", "Label of targets.", options.SCORES)] = None
    nontarget: Annotated[
        list[str] | None, options.option("--nontarget", "VALUE", "Label of nontargets.", options.SCORES)
    ] = None
    spoof: Annotated[list[str] | None, options.option("--spoof", "VALUE", "Label of spoofs.", options.SCORES)] = None
    bonafide: Annotated[
        list[str] | None,
        options.option("--bonafide", "VALUE", "Label of bona fide speech without a claim of identity.", options.SCORES),
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
        from deciban.tables.tandem_scanning import scan_tandem

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

    asv: Annotated[list[str] | None, options.option("--asv", "FILE", "The verifier's table.", options.DATA)] = None
    cm: Annotated[list[str] | None, options.option("--cm", "FILE", "The countermeasure's table.", options.DATA)] = None
    asv_key: Annotated[str | None, options.option("--asv-key", "FILE", "The key of --asv.", options.DATA)] = None
    cm_key: Annotated[str | None, options.option("--cm-key", "FILE", "The key of --cm.", options.DATA)] = None

    def scan(self, data: ThreeClassOptions, asv_score: str | None, cm_score: str | None) -> list[TandemTable]:
        """The verifier's table, if there is one, and the countermeasure's."""
        from deciban.tables.files.standard_input import refuse_stdin_twice

        given = {"--asv": self.asv, "--cm": self.cm, "--asv-key": [self.asv_key], "--cm-key": [self.cm_key]}
        refuse_stdin_twice((option, files or []) for option, files in given.items())
        two = bool(self.asv)
        of_asv, of_cm = replace(data, bonafide=None, key=self.asv_key), replace(data, key=self.cm_key)
        verifier = [of_asv.scan(self.asv, {"asv": asv_score}, one_of_two=two)] if self.asv else []
        return [*verifier, of_cm.scan(self.cm or (), {"cm": cm_score}, one_of_two=two)]
