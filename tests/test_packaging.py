"""What the package says of itself: versions in step, typed, nothing fetched or left out."""

import ast
import re
import tomllib
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import deciban
from deciban.metrics.catalogue import METRICS
from deciban.verbal.scales import SCALES

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, GROUPS = SETTINGS["project"], SETTINGS["dependency-groups"]


def lower_bounds(requirements: list[str]) -> dict[str, str]:
    pairs = (re.match(r"([a-z0-9-]+)(?:\[[a-z,]+\])?>=([\d.]+)$", requirement) for requirement in requirements)
    return {pair.group(1): pair.group(2) for pair in pairs if pair}


def test_lowest_versions_are_those_the_package_allows():
    pinned = dict(re.findall(r"^([a-z0-9-]+)==([\d.]+)$", (ROOT / "tests/lowest.txt").read_text(), re.MULTILINE))
    extras = PROJECT["optional-dependencies"]
    of_extras = [lower_bounds(extras[extra]) for extra in ("arrow", "report", "sklearn", "spark", "postgres")]
    optional = {name: low for bounds in of_extras for name, low in bounds.items()}
    engines = lower_bounds(GROUPS["engines"])
    tried = lower_bounds(GROUPS["test"]) | engines
    allowed = engines | lower_bounds(PROJECT["dependencies"])
    allowed |= {name: optional[name] for name in optional if name in tried}
    assert len(allowed) == len(PROJECT["dependencies"]) + 10
    for name, lowest in allowed.items():
        assert (pinned[name] + ".0").startswith(lowest), f"{name}: {pinned[name]} is tested, {lowest} is allowed"


def test_version_is_said_once():
    assert deciban.__version__ == version("deciban")


def test_package_is_typed():
    assert (Path(deciban.__file__).parent / "py.typed").exists()


def test_files_of_data_come_with_the_package():
    """The wheel holds every file of the package folder: nothing there is excluded, and what is read lies there."""
    assert SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"] == {"packages": ["src/deciban"]}
    kept_out = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    assert not [pattern for pattern in kept_out if pattern.endswith(".toml")]
    assert (files("deciban") / "workflow" / "validation" / "criteria_template.toml").is_file()
    folder = files("deciban") / "verbal"
    assert sorted(f"{name}.toml" for name in SCALES) == sorted(
        file.name for file in folder.iterdir() if file.name.endswith(".toml")
    )


def test_type_checkers_see_the_public_names():
    """``db.auc`` is found at run time through a table; type checkers read the imports beside it."""
    tree = ast.parse(Path(deciban.__file__).read_text(encoding="utf-8"))
    (guarded,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.asname: f"{node.module}.{alias.name}".removeprefix("deciban.")
        for node in guarded.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert {name: home for name, home in seen.items() if name in deciban._HOME} == {
        name: f"{home}.{name}" for name, home in deciban._HOME.items()
    }
    assert set(seen) - set(deciban._HOME) == {metric.__name__ for metric in METRICS}


def test_what_the_package_reads_is_packed_with_it():
    """A wheel holds every file of the folder: what is no module must be of a kind that is read at run time."""
    assert SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"] == {"packages": ["src/deciban"]}
    package = Path(deciban.__file__).parent
    data = {path.suffix for path in package.rglob("*.*") if path.suffix not in (".py", ".pyc")}
    assert data <= {".typed", ".html", ".j2", ".css", ".js", ".toml"}
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    assert not [line for line in ignored if line.endswith(tuple(data))], "hatchling leaves out what git ignores"
    for name in ("explorer.js", "explorer.css", "explorer.html.j2"):
        assert (package / "report/explorer" / name).read_text(encoding="utf-8")
