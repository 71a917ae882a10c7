"""The gallery: every picture is drawn, is small, and is the one that lies in the repository."""

import importlib.util
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

import deciban.plots
from deciban.plots.kinds import KINDS

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "gallery"


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        pytest.fail(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PICTURES = loaded(ROOT / "docs" / "gallery.py").pictures()


@pytest.mark.parametrize("name", PICTURES)
def test_picture(name, tmp_path):
    deciban.plots.save(PICTURES[name](), tmp_path / "a.svg")
    assert (tmp_path / "a.svg").stat().st_size < 60_000
    kept = FOLDER / f"{name}.svg"
    ET.parse(kept)
    # Other versions of matplotlib place things a little differently; what is written on the picture is the same.
    written = [re.findall(r"<!-- (.*?) -->", path.read_text(encoding="utf-8")) for path in (kept, tmp_path / "a.svg")]
    assert written[0] == written[1], "run python docs/gallery.py"


def test_the_folder_holds_these_pictures_and_the_readme_s():
    assert {path.stem for path in FOLDER.iterdir()} == {*PICTURES, "speaker_llrs"}
    assert "docs/gallery/speaker_llrs.svg" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_kind_is_in_the_gallery():
    shown = {re.sub(r"(_type_2|_multiples|_normalised|_corp|_band)+$", "", name) for name in PICTURES}
    assert {kind.draw.__name__ for kind in KINDS.values()} | {"ape_bars", "forest", "t_dcf"} == shown


def test_the_example_draws_the_picture_of_the_readme(tmp_path):
    command = [sys.executable, "-W", "error", str(ROOT / "examples" / "speaker_llrs.py")]
    plain = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    drawing = subprocess.run([*command, str(tmp_path / "new")], capture_output=True, text=True, check=True).stdout
    assert plain == drawing
    made = tmp_path / "new" / "speaker_llrs.svg"
    assert made.stat().st_size < 120_000
    written = [re.findall(r"<!-- (.*?) -->", path.read_text(encoding="utf-8")) for path in (FOLDER / made.name, made)]
    assert written[0] == written[1], "run python examples/speaker_llrs.py docs/gallery"
