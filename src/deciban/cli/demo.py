"""``deciban demo``: the main job on data that the command makes itself."""

from __future__ import annotations

import os
from pathlib import Path
from shlex import quote

from deciban.cli import options
from deciban.cli.output import busy, errors_end_here, make_folder, say, write
from deciban.errors import DecibanError, MissingExtraError
from deciban.values.whole_file import whole_file, write_file


def demo(output: options.Folder = Path("deciban-demo")) -> None:
    """Simulate a speaker-comparison test, evaluate it and write the record and a readable report."""
    with errors_end_here():
        from deciban.records.writing import as_text
        from deciban.report.writing import write_report
        from deciban.tables.scanning import scan
        from deciban.workflow.demonstrate import write_trials
        from deciban.workflow.evaluating.evaluate import evaluate

        path, record = output / "speakers.csv", output / "record.json"
        report, missing = _report(output)
        make_folder(output)
        replaced = [target for target in (path, record, report) if os.path.lexists(target)]
        for target in replaced:
            if not target.is_file():
                raise DecibanError(f"{target}: cannot be written: it is there already, and no file")
        with whole_file(path) as file:
            write_trials(file)
        table = scan(path, sources=("enrolled", "tested"), conditions="channel")
        with busy("evaluating"):
            result = evaluate(table, by="channel", costs=["preset=voxsrc"])
        write_file(record, result.to_json())
        with busy("writing the report"):
            write_report(result, report)
        write(as_text(result))
        say(
            f"deciban: wrote {path}, {record} and {report}",
            *([f"deciban: no page, but tables in Markdown: {missing}"] if missing else []),
            *([f"deciban: replaced what was there: {', '.join(map(str, replaced))}"] if replaced else []),
            "deciban: the same from the command line:",
            f"  deciban report {quote(str(path))} --source enrolled --source tested --by channel "
            f"--cost preset=voxsrc -o {quote(str(report))}",
        )


def _report(folder: Path) -> tuple[Path, str]:
    """The report to write: a page, or Markdown and the reason where what draws pages is not installed."""
    from deciban.report.writing import check_report

    page = folder / "report.html"
    try:
        check_report(page)
    except MissingExtraError as error:
        return folder / "report.md", str(error)
    return page, ""
