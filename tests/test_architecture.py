"""The shape: rows that import downward only, no cycle, a light import, small files, no forbidden word."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import deciban
from deciban.metrics.catalogue import METRICS

PACKAGE = Path(deciban.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

ROWS = {
    0: ("version", "public_names", "errors", "values"),
    1: ("trials",),
    2: ("counts",),
    3: ("tables",),
    4: ("passes", "curves", "verbal"),
    5: ("metrics", "calibration", "uncertainty"),
    6: ("records", "workflow", "pan", "sklearn"),
    7: ("vocabulary", "plots", "report"),
    8: ("cli", "__main__"),
}
"""Row of each module or package of deciban; imports go downward, or stay in the row."""

SIBLINGS = ("metrics", "calibration", "uncertainty")
"""Packages of one row, which do not import one another."""

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


KNOWN = {dotted(path) for path in MODULES}


def room(module: str) -> str:
    """The module or package directly below ``deciban`` that a module belongs to."""
    return module.split(".")[1] if "." in module else "deciban"


def row(module: str) -> int:
    return next(number for number, rooms in ROWS.items() if room(module) in rooms)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def modules_of(node: ast.AST) -> Iterator[str]:
    """Modules of deciban that an import statement names."""
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "deciban":
        for alias in node.names:
            longer = f"{node.module}.{alias.name}"
            yield longer if longer in KNOWN else str(node.module)
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "deciban")


def imports(path: Path) -> set[str]:
    """Modules of deciban that a file imports, at the top or inside functions, but not for the type checker alone."""
    typing_only = {
        inner
        for node in ast.walk(tree(path))
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    return {module for node in ast.walk(tree(path)) if node not in typing_only for module in modules_of(node)}


def faults_of_imports(path: Path) -> Iterator[str]:
    module = dotted(path)
    for imported in sorted(imports(path)):
        if imported == "deciban":
            yield f"{module} imports the package itself"
        elif row(imported) > row(module):
            yield f"{module} (row {row(module)}) imports {imported} (row {row(imported)})"
        elif {room(module), room(imported)} <= set(SIBLINGS) and room(module) != room(imported):
            yield f"{module} imports its sibling {imported}"


def test_imports_go_down_the_rows():
    assert [fault for path in MODULES if path != PACKAGE / "__init__.py" for fault in faults_of_imports(path)] == []


def test_every_room_has_a_row():
    rooms = {room(dotted(path)) for path in MODULES} - {"deciban"}
    assert rooms == {name for names in ROWS.values() for name in names}


def test_no_import_cycle():
    """Of what is imported when a file is loaded."""
    graph = {dotted(path): {found for node in tree(path).body for found in modules_of(node)} for path in MODULES}
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


def test_files_stay_small():
    assert [path for path in MODULES if len(path.read_text(encoding="utf-8").splitlines()) > 400] == []


def faults_of_statements(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Assert):
            yield f"{path}:{node.lineno} assert vanishes under -O"
        if isinstance(node, ast.ExceptHandler) and node.type is None:
            yield f"{path}:{node.lineno} bare except"
        if isinstance(node, ast.ExceptHandler) and getattr(node.type, "id", None) in ("Exception", "BaseException"):
            yield f"{path}:{node.lineno} broad except"


def test_no_assert_and_no_broad_except():
    assert [fault for path in MODULES for fault in faults_of_statements(path)] == []


def test_every_public_name_can_be_had():
    for name in deciban._HOME:
        assert getattr(deciban, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        deciban.nothing  # noqa: B018 - the lookup is the test
