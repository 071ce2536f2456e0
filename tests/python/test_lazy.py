"""Lazy imports: `rowstone` imports its names on first use, and type checkers see the same names."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import rowstone
from rowstone._base import lazy as _lazy


def list_imports() -> dict[str, str]:
    """Names that `rowstone/__init__.py` imports for type checkers, by module; modules have an empty text."""
    tree = ast.parse(Path(rowstone.__file__).read_text())
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    found = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        assert node.module is not None
        found.update({name.name: node.module.partition(".")[2] for name in node.names})
    return found


def test_type_checkers_see_all_lazy_names() -> None:
    modules = {name for name, module in list_imports().items() if module == ""}
    assert modules == set(_lazy.LAZY)
    assert {name: module for name, module in list_imports().items() if module} == _lazy.PLACES


def test_all_names_are_there_and_listed() -> None:
    for name in (*rowstone.__all__, *_lazy.LAZY):
        assert getattr(rowstone, name) is getattr(rowstone, name), name
        assert name in dir(rowstone)
    assert not hasattr(rowstone, "nothing")


def test_the_package_alone_imports_next_to_nothing() -> None:
    code = "import sys, rowstone; print(*(name for name in sys.modules if name.startswith('rowstone')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert set(done.stdout.split()) == {"rowstone", "rowstone._base", "rowstone._base.lazy", "rowstone._base.version"}
