"""Imports between parts of the Python package point down, and modules and folders form no circles.

The layers of the package are in `rowstone/__init__.py`. Imports inside functions count, imports for type
checkers do not.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import median

from tests.python.structure import ROOT

PACKAGE = ROOT / "python/rowstone"

EXTRAS = {
    ("_base.last_use", "schema.heat"): "on closing, a database writes its heat map",
    ("_base.stores", "_core.inspect.key_axis"): "a report in a notebook draws the regions along the keys",
    ("_core.database", "admin"): "`db.admin`, created on first use",
    ("_core.database", "indexes._create"): "`db.create_index`",
    ("_core.table", "_core.inspect.column_catalogue"): "`table.column_catalogue`",
    ("admin._areas.metrics", "schema.heat._map"): "`db.admin.metrics.heat_map`",
    ("jobs.copies._schema", "indexes._create"): "a copied table has indexes of its own",
    ("jobs.copies._schema", "indexes._definition"): "indexes that a cluster cannot maintain are left out",
    ("jobs.copies._schema", "indexes._entries"): "they have tables of entries of their own",
    ("admin._incoming_files", "hfile"): "a bulk load cuts files that span regions",
    ("admin._backup", "jobs.copies._backup"): "a backup through a URL copies tables",
    (
        "server.dashboard._heat",
        "schema.heat",
    ): "the explorer shows a directory's last use, and polls a cluster's regions",
    ("server.dashboard.data.advice", "schema.advise"): "the explorer shows schema advice",
    ("coprocessors._described", "indexes._maintenance"): "a table's descriptor names indexes",
    ("coprocessors._master", "indexes._create"): "changes of tables with indexes are checked",
}
"""Lazily loaded extras: modules that import a higher one inside a function, each with its reason."""

Graph = Mapping[str, Iterable[str]]


def layers() -> dict[str, int]:
    """The parts of the package by their layer."""
    text = (PACKAGE / "__init__.py").read_text()
    lines = [line.removeprefix("#") for line in text.splitlines() if line.startswith("#")]
    heights: dict[str, int] = {}
    for height, part in enumerate(" ".join(lines).partition("Layers:")[2].split("<")):
        heights.update(dict.fromkeys(re.findall(r"\w+", part), height))
    return heights


def modules() -> dict[str, Path]:
    """All modules by their names below `rowstone`."""
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        words = file.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(words[:-1] if words[-1] == "__init__" else words)] = file
    del found[""]
    return found


def imported(file: Path) -> Iterator[tuple[str, str, bool]]:
    """For each import of our own code in ``file``: the package, the name, and whether it is inside a function."""
    tree = ast.parse(file.read_text())
    unseen = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and id(node) not in unseen:
            for alias in node.names:
                yield node.module, alias.name, node.col_offset > 0


def edges() -> dict[tuple[str, str], bool]:
    """Pairs of modules where the first imports the second, and whether only inside functions."""
    known = modules()
    found: dict[tuple[str, str], bool] = {}
    for module, file in known.items():
        for package, name, inside in imported(file):
            names = (f"{package}.{name}".removeprefix("rowstone."), package.removeprefix("rowstone."))
            target = next((one for one in names if one in known), None)
            if package.partition(".")[0] == "rowstone" and target not in (None, module):
                found[module, target] = found.get((module, target), True) and inside  # type: ignore[index]
    return found


EDGES = edges()


def upward() -> set[tuple[str, str]]:
    """Imports whose target is in another part and not in a lower layer."""
    heights = layers()
    parts = {pair: tuple(name.partition(".")[0] for name in pair) for pair in EDGES}
    return {pair for pair, (own, other) in parts.items() if own != other and heights[other] >= heights[own]}


def circles(graph: Graph) -> list[set[str]]:
    """Groups of nodes each of which reaches all others of its group."""

    def reach(start: str) -> set[str]:
        seen, waiting = set[str](), list(graph.get(start, ()))
        while waiting:
            if (node := waiting.pop()) not in seen:
                seen.add(node)
                waiting.extend(graph.get(node, ()))
        return seen

    reached = {node: reach(node) for node in graph}
    found: list[set[str]] = []
    for node, others in reached.items():
        if node in others and not any(node in circle for circle in found):
            found.append({other for other in others if node in reached.get(other, ())})
    return found


def folder_circles(allowed: Iterable[tuple[str, str]]) -> list[set[str]]:
    """Import circles between modules, and between the direct children (modules or folders) of each folder."""
    graphs: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for pair in EDGES.keys() - set(allowed):
        own, other = (name.split(".") for name in pair)
        graphs["modules"][pair[0]].add(pair[1])
        for depth in range(1, min(len(own), len(other))):
            if own[:depth] == other[:depth] and own[depth] != other[depth]:
                folder = ".".join(own[:depth])
                graphs[folder][f"{folder}.{own[depth]}"].add(f"{folder}.{other[depth]}")
    return [circle for graph in graphs.values() for circle in circles(graph)]


def test_the_chain_names_every_part() -> None:
    assert set(layers()) == {name for name in modules() if "." not in name}


def test_imports_point_down() -> None:
    assert not upward() - EXTRAS.keys()


def test_nothing_imports_in_a_circle() -> None:
    assert not folder_circles(EXTRAS)


def test_extras_are_imported_inside_functions() -> None:
    assert [pair for pair in EXTRAS if not EDGES.get(pair)] == []


def test_every_extra_is_needed() -> None:
    """Without it an import would point up, or close a circle."""
    needed = upward()
    for pair in EXTRAS.keys() - needed:
        assert folder_circles(EXTRAS.keys() - {pair}), pair


def test_folders_are_small() -> None:
    """At most 22 entries at the top, and 15 files in any other folder."""
    assert len([path for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]) <= 22
    folders = {file.parent for file in PACKAGE.rglob("*.py")} - {PACKAGE}
    counts = {str(folder.relative_to(PACKAGE)): len(list(folder.glob("*.py"))) for folder in folders}
    assert not {folder: count for folder, count in counts.items() if count > 15}


def test_files_have_one_idea_each() -> None:
    """The median file has at least 80 lines, and at most 15 % of the files have fewer than 40."""
    counts = [len(file.read_text().splitlines()) for file in PACKAGE.rglob("*.py")]
    assert median(counts) >= 80
    assert sum(count < 40 for count in counts) <= 0.15 * len(counts)
