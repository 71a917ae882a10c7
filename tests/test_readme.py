"""What the README shows is what the program does."""

import re
from pathlib import Path

import pytest

from deciban.workflow.demonstrate import write_trials

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)
    if found is None:
        pytest.fail(f"no {language} block in the README")
    return found.group(1)


def test_python_lines_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = ["score,defective", "0.9,1", "0.6,1", "0.4,1", "0.8,0", "0.4,0", "0.1,0"]
    Path("scores.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    exec(compile(block("python"), "README", "exec"), {})
    assert capsys.readouterr().out.startswith("0.7222222222222222 2\n")


def test_shown_output_is_the_program_s_output(deciban, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("deciban-demo").mkdir()
    write_trials(Path("deciban-demo/speakers.csv"))
    command, *shown = block("console").splitlines()
    printed = deciban(*command.split("#")[0].split()[2:]).out.splitlines()
    for line in shown:
        assert line == "…" or line in printed
