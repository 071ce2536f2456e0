"""Imports between the parts of the Python package point down the chain in `rowstone/__init__.py`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.python.structure import ROOT

PACKAGE = ROOT / "python/rowstone"

LATE = {
    ("admin", "jobs"): "a backup through a URL copies tables",
    ("admin", "schema"): "`db.admin.metrics.heat_map`",
    ("_base", "schema"): "a database that closes writes its heat map",
    ("_core", "admin"): "`db.admin`, made when it is asked for",
    ("_core", "indexes"): "`db.create_index`",
    ("coprocessors", "indexes"): "a table's description names indexes",
}
"""Parts that import a higher one inside a function, each with its reason."""


def chain() -> dict[str, int]:
    """The parts of the package by their layer."""
    text = (PACKAGE / "__init__.py").read_text()
    lines = [line.removeprefix("#") for line in text.splitlines() if line.startswith("#")]
    heights: dict[str, int] = {}
    for height, part in enumerate(" ".join(lines).partition("Layers:")[2].split("<")):
        heights.update(dict.fromkeys(re.findall(r"\w+", part), height))
    return heights


def parts() -> set[str]:
    """Modules and packages directly below `rowstone`."""
    found = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    return found - {"__init__"}


def imports(file: Path) -> Iterator[tuple[str, bool]]:
    """The parts that `file` imports, and whether inside a function. Imports for type checkers do not count."""
    tree = ast.parse(file.read_text())
    unseen = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names if id(node) not in unseen else ():
            words = name.split(".")
            if words[0] == "rowstone" and len(words) > 1:
                yield words[1], isinstance(node, ast.stmt) and node.col_offset > 0


def upward() -> dict[tuple[str, str], set[bool]]:
    """Pairs of parts where the first imports the second although it is not in a lower layer, and how."""
    heights = chain()
    found: dict[tuple[str, str], set[bool]] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        part = file.relative_to(PACKAGE).with_suffix("").parts[0]
        if part == "__init__":
            continue
        for target, inside in imports(file):
            if target in heights and target != part and heights[target] >= heights[part]:
                found.setdefault((part, target), set()).add(inside)
    return found


def test_the_chain_names_every_part() -> None:
    assert set(chain()) == parts()


def test_imports_of_modules_point_down() -> None:
    assert not [pair for pair, places in upward().items() if False in places]


def test_late_imports_that_point_up_are_known() -> None:
    """An exception that is no longer needed fails too."""
    assert set(upward()) == set(LATE)
