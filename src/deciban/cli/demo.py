"""``deciban demo``: the main job on data that the command makes itself."""

from __future__ import annotations

from pathlib import Path

from deciban.cli import options
from deciban.cli.output import errors_end_here, say, write


def demo(output: options.Folder = Path("deciban-demo")) -> None:
    """Simulate a speaker-comparison test, evaluate it and write the record and a readable report."""
    with errors_end_here():
        from deciban.records.tables import as_markdown, as_text
        from deciban.scanning import scan
        from deciban.workflow.demonstrate import write_trials
        from deciban.workflow.evaluate import evaluate

        output.mkdir(parents=True, exist_ok=True)
        path = write_trials(output / "speakers.csv")
        table = scan(path, label="label", scale="ln_lr", sources=("enrolled", "tested"), conditions="channel")
        result = evaluate(table, by="channel", costs=["preset=voxsrc"], interval="none")
        (output / "record.json").write_text(result.to_json(), encoding="utf-8")
        (output / "report.md").write_text(as_markdown(result), encoding="utf-8")
        write(as_text(result))
        say(f"deciban: wrote {path}, {output / 'record.json'} and {output / 'report.md'}")
        say(f"deciban: the same from the command line: deciban evaluate {path} --score ln_lr --by channel")
