"""``deciban plot``: one plot of a file of labelled scores, or of several systems, as SVG, PDF or PNG."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from deciban.cli import options
from deciban.cli.bundles import Without, takes_bundles
from deciban.cli.data_options import DataOptions, ScoresOf, SystemOption
from deciban.cli.interval_options import DrawOptions
from deciban.cli.output import DONE, assumed, busy, errors_end_here, say, write
from deciban.errors import OptionError

FIGURE = "How it is drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfSingleKinds:
    """Options that some kinds of plots have."""

    type_: Annotated[
        int | None, options.option("--type", "N", "tippett: 1 or 2.", options.FIGURES, parser=options.whole)
    ] = None
    x: Annotated[
        str | None, options.option("--x", "HOW", "cross-entropy: prior as odds or probability.", options.FIGURES)
    ] = None
    normalise: Annotated[bool, options.flag("--normalise", "bayes-error: an NBE plot.", options.FIGURES)] = False
    hull: Annotated[bool, options.flag("--hull", "roc: add it.", options.FIGURES)] = False
    bins: Annotated[
        str | None, options.option("--bins", "HOW", "reliability: equal-width, equal-mass or corp.", options.FIGURES)
    ] = None
    n_bins: Annotated[
        int | None,
        options.option(
            "--n-bins", "N", "reliability, histogram: number of bins.", options.FIGURES, parser=options.whole
        ),
    ] = None
    ratio: Annotated[
        list[str] | None,
        options.option("--ratio", "NAME", "threshold: precision, recall, f1, mcc, …; repeatable.", options.FIGURES),
    ] = None
    p_target: Annotated[
        float | None,
        options.option(
            "--p-target",
            "P",
            "reliability, net-benefit: prior at which LRs become posteriors.",
            options.FIGURES,
            parser=options.number,
        ),
    ] = None

    def given(self) -> dict[str, Any]:
        """Those that were given, by the names that they have in the library."""
        x, ratio = "log10 odds" if self.x == "odds" else self.x, tuple(self.ratio or ()) or None
        plain = {**asdict(self), "x": x, "ratio": ratio}
        return {name.rstrip("_"): value for name, value in plain.items() if value is not None and value is not False}


@takes_bundles
def plot(
    *,
    kind: Annotated[str | None, typer.Argument(metavar="KIND", help="roc, det, tippett, …; see --list.")] = None,
    files: options.OptionalFiles = None,
    output: Annotated[
        Path | None, options.option("-o --output", "FILE", "Figure to write: .svg, .pdf or .png.")
    ] = None,
    list_: Annotated[bool, options.flag("--list", "List the kinds of plots.")] = False,
    system: SystemOption = None,
    score: ScoresOf = None,
    data: Annotated[DataOptions, Without("id_")],
    single: OfSingleKinds,
    band: Annotated[
        bool,
        options.flag("--band", "Draw limits around the curve; by source where --source is given.", options.UNCERTAINTY),
    ] = False,
    draws: DrawOptions,
    mark: Annotated[
        list[str] | None,
        options.option(
            "--mark", "RULE", "Operating point: threshold=T, eer, p_fa=0.01, min_dcf:preset=…; repeatable.", FIGURE
        ),
    ] = None,
    panels: Annotated[bool, options.flag("--panels", "One panel for each system, same axes.", FIGURE)] = False,
    vocabulary: Annotated[
        str, options.option("--vocabulary", "WORDS", "neutral, forensic, biometric, spoofing or ml.", FIGURE)
    ] = "neutral",
    title: Annotated[str | None, options.option("--title", "TEXT", "Title of the figure.", FIGURE)] = None,
    size: Annotated[
        str | None,
        options.option(
            "--size", "WxH", "Size in inches, e.g. 6x4, or with a unit: 150x100mm, 15x10cm (default: by kind).", FIGURE
        ),
    ] = None,
) -> None:
    """Draw one plot: of a file, of its groups, or of several systems together.

    The same input gives the same bytes. Nothing is written when anything is wrong.
    """
    with errors_end_here():
        from deciban.cli.figure import FigureRequest, parse_size, write_figure
        from deciban.plots.canvas import require_matplotlib
        from deciban.plots.kinds import KINDS, find_kind
        from deciban.plots.saving import format_of
        from deciban.vocabulary import find_vocabulary

        if list_:
            widths = max(map(len, KINDS)), len("probabilities or LRs")
            scores = {"any": "any", "probability": "probabilities or LRs", "lr": "LRs"}
            rows = [("name", "scores", "what it shows"), *((k.name, scores[k.needs], k.title) for k in KINDS.values())]
            write("".join(f"{name:{widths[0]}}  {needs:{widths[1]}}  {what}\n" for name, needs, what in rows))
            raise typer.Exit(DONE)
        if kind is None:
            raise OptionError("expected the kind of plot, then a file; deciban plot --list has the kinds")
        chosen = find_kind(kind)
        if output is None:
            raise OptionError(f"where to: expected -o FILE, e.g. -o {chosen.name}.svg")
        request = FigureRequest(
            kind=chosen,
            path=output,
            format=format_of(output),
            marks=tuple(mark or ()),
            vocabulary=find_vocabulary(vocabulary).name,
            title=title,
            size=None if size is None else parse_size(size),
            panels=panels,
            band=draws.given() if band else None,
            options=single.given(),
        )
        request.check()
        if data.source and not band:
            raise OptionError("--source: only a band depends on sources; add --band")
        if not band and draws != DrawOptions():
            raise OptionError("--level, --replicates, --seed: only a band depends on them; add --band")
        require_matplotlib()
        from deciban.cli.systems import read_systems

        with busy("reading"):
            read = read_systems(files or [], system or [], score or [], data.declared())
        assumed(read.assumed)
        with busy("drawing") as progress:
            notes = write_figure(request, read, progress)
        say(*(f"deciban: note: {note}" for note in notes))
        say(f"deciban: wrote {output}")
