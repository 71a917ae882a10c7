"""What was evaluated: how many trials of which kind, from where, in which unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deciban.records.comparison import Comparison
from deciban.records.comparison_tables import trials_table
from deciban.records.display import exact_digits, number, shortened
from deciban.records.evaluation import Evaluation
from deciban.records.figures import TrialsSummary
from deciban.report.callouts import callouts
from deciban.report.section import Block, Cell, Code, Facts, Section, TableBlock, Words
from deciban.report.sections.validation_data import validation_data
from deciban.report.subject import Subject
from deciban.report.tabled import of_record_in_parts
from deciban.report.wording import both_classes, count_text
from deciban.tables.files.inputs import Input
from deciban.trials.direction import reversal

CODES = (
    "DEP-SOURCE",
    "DEP-UNKNOWN",
    "DUP",
    "FEW-TRIALS",
    "ROW-ORDER",
    "MISSING",
    "SCALE-HINT",
    "COVERAGE",
    "UNMATCHED",
)


def trials(subject: Subject) -> Section:
    """Make the section."""
    record = subject.record
    blocks: list[Block] = [*callouts(subject, CODES)]
    if isinstance(record, Comparison):
        blocks += of_record_in_parts("trials-of-systems", trials_table(record))
    else:
        blocks.append(Facts(tuple(_facts(record, subject))))
    if subject.validation is not None:
        blocks += validation_data(subject, subject.validation)
    if subject.whole.provenance.inputs:
        blocks.append(_inputs(subject.whole.provenance.inputs))
    return Section("trials", "What was evaluated", tuple(blocks))


def _counted(trials: TrialsSummary) -> str:
    """What scores were counted as."""
    if trials.resolution is None:
        return "distinct scores"
    return f"buckets of scores, each {exact_digits(trials.resolution)} wide: figures lie between the ends of brackets"


def _facts(record: Evaluation, subject: Subject) -> Iterator[tuple[str, Words]]:
    trials, columns = record.trials, record.provenance.columns
    weighted = " (sum of weights)" if trials.weighted else ""
    yield (
        "Trials",
        (
            f"{count_text(trials.n)}{weighted}: {both_classes(trials.n_target, trials.n_nontarget, subject.words)}, at "
            f"{count_text(trials.n_distinct)} {_counted(trials)}",
        ),
    )
    yield "Scale of the scores", (Code(trials.scale), *_prior(record))
    if trials.reversed:
        yield "Direction", (f"{reversal(columns)}; thresholds are those for the scores as given",)
    if columns.get("sources"):
        yield "Sources", tuple(_listed(columns["sources"]))
    if record.groups:
        groupings = dict.fromkeys(", ".join(group.by) for group in record.groups)
        yield "Groups", (f"{count_text(len(record.groups))}, by {'; by '.join(map(shortened, groupings))}",)
    if trials.dropped:
        yield "Left out", (f"{count_text(trials.dropped)} trials, whose score is missing",)
    if any(trials.failed.values()):
        failed = ", ".join(f"{count_text(n)} of class {name}" for name, n in trials.failed.items())
        yield "Never accepted", (f"{failed}, whose score is missing",)
    if trials.p_target is not None:
        origin = "the share of targets in the data" if trials.p_target_origin == "data" else "as given"
        yield "Prior of posteriors", (f"{number(trials.p_target)}, {origin}",)
    yield "Hash of the counts", (Code(trials.counts_sha256),)


def _prior(record: Evaluation) -> Words:
    prior = record.trials.prior
    return () if prior is None else (f", made under the prior {number(prior)}",)


def _listed(names: list[str]) -> Iterator[str | Code]:
    for at, name in enumerate(names):
        if at:
            yield " and "
        yield Code(shortened(name))


def _inputs(inputs: Sequence[Input]) -> TableBlock:
    rows = tuple(
        (
            Cell(shortened(one.path, 90)),
            Cell(count_text(one.rows)),
            Cell("-" if one.bytes is None else count_text(one.bytes)),
            Cell("-") if one.sha256 is None else Cell("", code=one.sha256),
        )
        for one in inputs
    )
    return TableBlock("inputs", "Files that were read", ("File", "Rows", "Bytes", "SHA-256"), rows, worded=(3,))
