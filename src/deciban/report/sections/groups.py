"""The same figures for each group, how groups differ, and their curves together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from deciban.plots.det_plane import det
from deciban.plots.roc_plane import roc
from deciban.records.display import exact_digits, several, shortened
from deciban.records.evaluation import Evaluation
from deciban.records.figures import GroupRecord, MetricValue
from deciban.records.group_difference import GroupDifference
from deciban.report.callouts import callouts
from deciban.report.drawing import beside, curve_figure, forest_figure
from deciban.report.from_points import det_of, roc_of
from deciban.report.naming import by_family, headline_keys, short_title
from deciban.report.section import Block, Cell, Details, FigureBlock, Heading, Prose, Section, TableBlock, prose
from deciban.report.sections.thresholds import cell_names, cell_text
from deciban.report.subject import Subject
from deciban.report.tabled import in_rows, with_interval
from deciban.report.wording import capital, count_text, distinct

CODES = ("SUBGROUP", "MULTI")

ROWS: Final = 100
"""Groups of a table or drawing; the record has all."""
FORESTS: Final = 4
"""Figures that are drawn by group."""
RATIOS: Final = ("p_miss", "p_fa", "precision", "f1")
"""Ratios at a threshold that are shown by group; the record has all."""


def groups(subject: Subject) -> Section | None:
    """Make the section; None where there are no groups."""
    if not subject.groups or not isinstance(subject.record, Evaluation):
        return None
    blocks: list[Block] = [*callouts(subject, CODES)]
    groupings = dict.fromkeys(tuple(group.by) for group in subject.groups)
    for at, by in enumerate(groupings, 1):
        members = [group for group in subject.groups if tuple(group.by) == by]
        blocks += [Heading(f"By {', '.join(map(shortened, by))}"), *_grouping(subject, f"groups-{at}", members)]
        blocks += _differences(subject, f"differences-{at}", by)
    return Section("groups", "Groups", tuple(blocks))


def _grouping(subject: Subject, id_: str, members: Sequence[GroupRecord]) -> Iterator[Block]:
    shown = members[:ROWS]
    if len(members) > len(shown):
        yield prose(f"The first {count_text(len(shown))} of {count_text(len(members))} groups; the record has all.")
    shared = max(group.shared for group in members)
    if shared:
        yield prose(f"{several(shared, 'trial')} without a value of the condition belong to every group.")
    names = _names(shown)
    yield from beside(*_forests(subject, id_, names))
    yield from beside(*_overlays(subject, id_, names))
    yield _counts(subject, id_, names)
    rows: dict[str, Mapping[str, MetricValue]] = {name: group.metrics for name, group in names.items()}
    keys = list(dict.fromkeys(key for group in shown for key in group.metrics))
    first = _headline(subject)
    yield from in_rows(f"{id_}-headline", "Headline figures", first, rows, "Group")
    rest = by_family(key for key in keys if key not in first)
    tables = [
        table
        for place, (family, part) in enumerate(rest.items(), 1)
        for table in in_rows(f"{id_}-{place}", family, part, rows, "Group")
    ]
    if tables:
        yield Details(f"All other figures by group ({sum(map(len, rest.values()))})", tuple(tables))
    yield from _at_thresholds(subject, id_, names)


def _names(members: Sequence[GroupRecord]) -> dict[str, GroupRecord]:
    """Groups by what a table calls them, numbered where that is the same."""
    values = {", ".join(group.by.values()): group for group in members}
    if len(values) < len(members):
        # A comma within a value makes two groups of several conditions look alike.
        values = {group.name: group for group in members}
    return {short: values[name] for name, short in distinct(values, 48).items()}


def _headline(subject: Subject) -> list[str]:
    (whole,) = subject.systems.values()
    return headline_keys(whole.metrics, whole.trials.scale, subject.carries_lr)


def _counts(subject: Subject, id_: str, names: Mapping[str, GroupRecord]) -> TableBlock:
    words = subject.words
    rows = tuple(
        (Cell(name), Cell(count_text(group.trials.n_target)), Cell(count_text(group.trials.n_nontarget)))
        for name, group in names.items()
    )
    return TableBlock(
        f"{id_}-trials", "Trials of each group", ("Group", capital(words.targets), capital(words.nontargets)), rows
    )


def _forests(subject: Subject, id_: str, names: Mapping[str, GroupRecord]) -> Iterator[FigureBlock | Prose]:
    """A dot and its interval for each group."""
    (whole,) = subject.systems.values()
    for key in _headline(subject)[:FORESTS]:
        figures = {name: group.metrics[key] for name, group in names.items() if key in group.metrics}
        if not any(figure.value is not None for figure in figures.values()):
            continue
        unit = whole.metrics[key].unit
        title = short_title(key)
        yield forest_figure(
            f"{id_}-{_forest_name(subject, key)}",
            f"{title} by group",
            "Dots with their intervals; the dashed line is all trials together.",
            f"{title} of {several(len(figures), 'group')}; the table below has the numbers.",
            figures,
            label=f"{title} ({unit})" if unit else title,
            reference=whole.metrics[key].value,
        )


def forest_id(subject: Subject, grouping: int, key: str) -> str:
    """Where a figure is drawn by the groups of a grouping, which are numbered; empty for one that is not."""
    drawn = bool(subject.groups) and key in _headline(subject)[:FORESTS]
    return f"groups-{grouping}-{_forest_name(subject, key)}" if drawn else ""


def _forest_name(subject: Subject, key: str) -> str:
    return f"{key.partition(':')[0].replace('_', '-')}-{_headline(subject).index(key)}"


def _overlays(subject: Subject, id_: str, names: Mapping[str, GroupRecord]) -> Iterator[FigureBlock | Prose | None]:
    """ROC and DET curves of all groups, where one drawing can tell them apart."""
    points = {name: group.curves.operating_points for name, group in names.items()}
    drawn = {name: one for name, one in points.items() if one is not None}
    missing = [name for name in names if name not in drawn]
    left_out = f" Without a curve: {', '.join(missing[:5])}." if missing and drawn else ""
    for kind, title, draw, curve in (("roc", "ROC curves", roc, roc_of), ("det", "DET curves", det, det_of)):
        yield curve_figure(
            f"{id_}-{kind}",
            f"{title} by group",
            f"Each group by itself.{left_out}",
            f"{title} of {several(len(drawn), 'group')}.",
            draw,
            {name: curve(one) for name, one in drawn.items()},
            subject.words,
            most=len(drawn),  # too many groups are not drawn at all: none of them comes first
        )


def _at_thresholds(subject: Subject, id_: str, names: Mapping[str, GroupRecord]) -> Iterator[TableBlock]:
    """The four counts of each group, then ratios of them: side by side they are wider than a sheet of paper."""
    first = next(iter(names.values()))
    cells, ratios = cell_names(subject), [capital(subject.words.ratio(ratio)) for ratio in RATIOS]
    for at, row in enumerate(first.thresholds):
        here = {name: group.thresholds[at] for name, group in names.items()}
        caption = f"Accepted when {row.accept or f'score >= {exact_digits(row.shown)}'}"
        counts = [(Cell(name), *(Cell(cell_text(one.cell(cell))) for cell in cells)) for name, one in here.items()]
        place = f"{id_}-threshold-{at + 1}"
        yield TableBlock(place, caption, ("Group", *(cell.upper() for cell in cells)), tuple(counts))
        shares = [
            (Cell(name), *(with_interval(one.metrics.get(ratio)) for ratio in RATIOS)) for name, one in here.items()
        ]
        yield TableBlock(f"{place}-ratios", f"{caption} (continued)", ("Group", *ratios), tuple(shares))


def _differences(subject: Subject, id_: str, by: tuple[str, ...]) -> Iterator[Block]:
    """Figures against pairs of groups; an interval that leaves 0 out is marked."""
    record = subject.record
    found = [one for one in record.differences if isinstance(one, GroupDifference) and tuple(one.group) == by]
    if not found:
        return
    pairs: dict[str, dict[str, MetricValue]] = {}
    for one in found:
        figure = MetricValue(value=one.difference, interval=one.interval, interval_reason=one.interval_reason)
        pairs.setdefault(one.pair, {})[one.metric] = figure
    pairs = {short: pairs[pair] for pair, short in distinct(pairs, 60).items()}
    first = [key for key in _headline(subject) if any(key in figures for figures in pairs.values())]
    yield from in_rows(f"{id_}-headline", "Differences, with intervals", first, pairs, "Groups")
    apart = [
        f"{shortened(one.pair)} in {short_title(one.metric)}" for one in found if one.clear and one.metric in first
    ]
    if apart:
        more = f" and {len(apart) - 8} more" if len(apart) > 8 else ""
        yield prose(
            f"Intervals that leave 0 out: {'; '.join(apart[:8])}{more}. No adjustment was made for their number."
        )
