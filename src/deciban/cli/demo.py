"""``deciban demo``: the main job on data that the command makes itself."""

from __future__ import annotations

import os
from pathlib import Path
from shlex import quote

from deciban.cli import options
from deciban.cli.output import busy, errors_end_here, make_folder, say, write, write_file
from deciban.errors import DecibanError
from deciban.files.whole import whole_file


def demo(output: options.Folder = Path("deciban-demo")) -> None:
    """Simulate a speaker-comparison test, evaluate it and write the record and a readable report."""
    with errors_end_here():
        from deciban.records.writing import as_markdown, as_text
        from deciban.scanning import scan
        from deciban.workflow.demonstrate import write_trials
        from deciban.workflow.evaluate import evaluate

        path, record, report = output / "speakers.csv", output / "record.json", output / "report.md"
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
        write_file(report, as_markdown(result))
        write(as_text(result))
        say(
            f"deciban: wrote {path}, {record} and {report}",
            *([f"deciban: replaced what was there: {', '.join(map(str, replaced))}"] if replaced else []),
            "deciban: the same from the command line:",
            f"  deciban evaluate {quote(str(path))} --source enrolled --source tested --by channel "
            "--cost preset=voxsrc",
        )
