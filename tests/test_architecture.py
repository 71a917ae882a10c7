"""The shape: rows that import downward only, no cycle, a light import, small files, no forbidden word."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import deciban
from deciban.metrics.catalogue import METRICS

PACKAGE = Path(deciban.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

ROWS = {
    0: (
        "version",
        "public_names",
        "errors",
        "option_checks",
        "spelled",
        "log_domain",
        "scale",
        "objects",
        "arrays",
        "direction",
        "ratio",
        "labels",
        "source_keys",
        "trial_checks",
        "trials",
        "label_classes",
        "tandem_trials",
        "record",
        "kept",
        "whole_file",
        "toml_tables",
    ),
    1: (
        *("buckets", "count_columns", "counts_argument", "counts", "counts_files", "counts_reading", "tally"),
        *(
            "groups",
            "counting",
            "column_names",
            "columns",
            "frames",
            "files",
            "formats",
            "engines",
            "addresses",
            "databases",
            "assembling",
            "opening",
        ),
        *("bucket_keys", "scanning"),
        *("tandem_counts", "tandem_columns", "tandem_scanning", "equalising"),
    ),
    2: (
        *("pool", "cumulative", "confusion_matrix", "evidence", "forecasts", "simulate", "verbal", "curves"),
        *("losses", "binning", "logistic", "logistic_cells", "logistic_steps", "logistic_columns", "lr_support"),
    ),
    3: ("metrics", "calibration", "uncertainty"),
    4: ("records", "workflow", "pan", "sklearn"),
    5: ("vocabulary", "plots", "report"),
    6: ("cli", "__main__"),
}
"""Row of each module or package of deciban; imports go downward, or stay in the row."""

SIBLINGS = ("metrics", "calibration", "uncertainty")
"""Packages of row 3, which do not import one another."""

FORBIDDEN_NAMES = {"utils", "util", "helpers", "common", "base", "core"}

HEAVY = (
    "scipy",
    "narwhals",
    "duckdb",
    "typer",
    "rich",
    "matplotlib",
    "jinja2",
    "altair",
    "vl_convert",
    "pandas",
    "polars",
    "pyarrow",
    "sklearn",
)


def dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room(module: str) -> str:
    """The module or package directly below ``deciban`` that a module belongs to."""
    return module.split(".")[1] if "." in module else "deciban"


def row(module: str) -> int:
    return next(number for number, rooms in ROWS.items() if room(module) in rooms)


@cache
def imports(path: Path) -> frozenset[str]:
    """Modules of deciban that a file imports, at the top or inside functions, but not for the type checker alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    known = {dotted(module) for module in MODULES}
    found = set()
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "deciban":
            for alias in node.names:
                longer = f"{node.module}.{alias.name}"
                found.add(longer if longer in known else str(node.module))
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.split(".")[0] == "deciban"}
    return frozenset(found)


@pytest.mark.parametrize("path", [p for p in MODULES if p.parent != PACKAGE or p.name != "__init__.py"], ids=dotted)
def test_imports_go_down_the_rows(path):
    module = dotted(path)
    for imported in imports(path):
        assert imported != "deciban", f"{module} imports the package itself"
        if module == "deciban.counts" and imported in ("deciban.counting", "deciban.trials"):
            continue  # Counts.from_arrays counts, on first use
        assert row(imported) <= row(module), f"{module} (row {row(module)}) imports {imported} (row {row(imported)})"
        if {room(module), room(imported)} <= set(SIBLINGS):
            assert room(module) == room(imported), f"{module} imports its sibling {imported}"


def test_every_room_has_a_row():
    rooms = {room(dotted(path)) for path in MODULES} - {"deciban"}
    assert rooms == {name for names in ROWS.values() for name in names}


def top_imports(path: Path) -> set[str]:
    """Modules imported when the file is loaded."""
    known = {dotted(module) for module in MODULES}
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("deciban"):
            for alias in node.names:
                longer = f"{node.module}.{alias.name}"
                found.add(longer if longer in known else str(node.module))
    return found


def test_no_import_cycle():
    graph = {dotted(path): top_imports(path) for path in MODULES}
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, " -> ".join([*trail, module])
        if module not in done:
            for imported in graph.get(module, ()):
                visit(imported, (*trail, module))
            done.add(module)

    for module in graph:
        visit(module, ())


def loaded_by(code: str) -> set[str]:
    script = f"import sys; before = set(sys.modules); {code}; print(*sorted(set(sys.modules) - before))"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in out.stdout.split()}


@pytest.mark.parametrize(
    "code", ["import deciban", "import deciban; deciban.auc; deciban.Counts", "import deciban.pan"]
)
def test_import_loads_numpy_only(code):
    assert not loaded_by(code) & set(HEAVY)


def test_import_deciban_alone_loads_next_to_nothing():
    assert "numpy" not in loaded_by("import deciban")


def test_names_say_what_is_inside():
    assert not {path.stem for path in MODULES} & FORBIDDEN_NAMES


def test_no_public_name_is_hidden_by_a_module():
    public = {*deciban._HOME, *(metric.__name__ for metric in METRICS)}
    assert not public & {path.stem for path in MODULES if path.parent == PACKAGE}


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_files_stay_small(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_no_assert_and_no_broad_except(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Assert), f"{path.name}:{node.lineno} assert vanishes under -O"
        if isinstance(node, ast.ExceptHandler):
            name = getattr(node.type, "id", None)
            assert node.type is not None, f"{path.name}:{node.lineno} bare except"
            assert name not in ("Exception", "BaseException"), f"{path.name}:{node.lineno} broad except"


def test_every_public_name_can_be_had():
    for name in deciban._HOME:
        assert getattr(deciban, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        deciban.nothing  # noqa: B018 - the lookup is the test
