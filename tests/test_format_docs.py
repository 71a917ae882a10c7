"""The page of formats has every reader, shows files that are really read, and commands that there are."""

from __future__ import annotations

import re
from pathlib import Path

from deciban.tables.formats.catalogue import READERS
from tests.format_examples import EXAMPLES

PAGE = (Path(__file__).parent.parent / "docs" / "formats.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")[1:]}


def test_every_reader_has_a_row_and_a_section_in_order():
    assert re.findall(r"^\| \[([^]]+)\]\(#([^)]+)\)", PAGE, flags=re.MULTILINE) == [(name, name) for name in READERS]
    assert list(SECTIONS) == list(READERS)


def test_lines_shown_are_lines_that_are_tested():
    for name, section in SECTIONS.items():
        shown = re.findall(r"```text\n(.*?)\n```", section, flags=re.DOTALL)
        mine = [example for example in EXAMPLES.values() if example.reader == name]
        files = [text.rstrip("\n") for one in mine for text in (one.scores, one.key) if text]
        assert shown == files


def test_every_section_has_a_command():
    for name, section in SECTIONS.items():
        (command,) = re.findall(r"^\$ (deciban evaluate .*)$", section, flags=re.MULTILINE)
        assert command.endswith(f"--reader {name}") or name == "bosaris-hdf5"


def test_every_reader_is_named_by_scan():
    import deciban as db

    assert all(re.search(rf"\b{re.escape(name)}\b", db.scan.__doc__ or "") for name in READERS)
