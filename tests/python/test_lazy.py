"""Lazy imports: packages import names on first use, and type checkers see the same names."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import rowstone
from rowstone import coprocessors, schema, server

PACKAGES = [rowstone, coprocessors, schema, server]


def list_imports(package: ModuleType) -> dict[str, str]:
    """Names that a package imports for type checkers, by module; modules have an empty text."""
    tree = ast.parse(Path(str(package.__file__)).read_text())
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    found = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        assert node.module is not None
        found.update({name.name: node.module.removeprefix(package.__name__).lstrip(".") for name in node.names})
        # They take names as public that are imported with `as`, or listed in `__all__`.
        assert package is not rowstone or all(name.asname == name.name for name in node.names)
    return found


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_type_checkers_see_all_lazy_names(package: ModuleType) -> None:
    lazy = inspect.getclosurevars(package.__getattr__).nonlocals
    assert list_imports(package) == {**dict.fromkeys(lazy["submodules"], ""), **lazy["modules"]}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_all_names_are_there_and_listed(package: ModuleType) -> None:
    for name in (*getattr(package, "__all__", ()), *list_imports(package)):
        assert getattr(package, name) is getattr(package, name), name
        assert name in dir(package)
    assert not hasattr(package, "nothing")


def test_the_package_alone_imports_next_to_nothing() -> None:
    code = "import sys, rowstone; print(*(name for name in sys.modules if name.startswith('rowstone')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert set(done.stdout.split()) == {"rowstone", "rowstone._base", "rowstone._base.lazy", "rowstone._base.version"}
