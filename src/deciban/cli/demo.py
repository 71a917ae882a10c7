"""``deciban demo``: the main job on data that the command makes itself."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from deciban.cli import options
from deciban.cli.output import busy, errors_end_here, say, whole_file, write


def demo(output: options.Folder = Path("deciban-demo")) -> None:
    """Simulate a speaker-comparison test, evaluate it and write the record and a readable report."""
    with errors_end_here():
        from deciban.records.writing import as_markdown, as_text
        from deciban.scanning import scan
        from deciban.workflow.demonstrate import write_trials
        from deciban.workflow.evaluate import evaluate

        path, record, report = output / "speakers.csv", output / "record.json", output / "report.md"
        with whole_file(path) as file:
            write_trials(file)
        table = scan(path, sources=("enrolled", "tested"), conditions="channel")
        with busy("evaluating"):
            result = evaluate(table, by="channel", costs=["preset=voxsrc"])
        for place, text in ((record, result.to_json()), (report, as_markdown(result))):
            with whole_file(place) as file:
                file.write_text(text, encoding="utf-8", newline="\n")
        write(as_text(result))
        say(
            f"deciban: wrote {path}, {record} and {report}",
            "deciban: the same from the command line:",
            f"  deciban evaluate {quote(str(path))} --source enrolled --source tested --by channel "
            "--cost preset=voxsrc",
        )
