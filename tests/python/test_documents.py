"""Public names are documented with examples; examples run; commands in documents exist."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import _native

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])


def test_every_public_name_is_documented_with_an_example() -> None:
    """Public classes and functions: the first line says what the caller gets, and those with behavior have an
    example."""
    for name in rs.__all__:
        value = getattr(rs, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name
    for value in (rs.connect, rs.Database, rs.Admin, rs.Table, rs.Family, rs.testing.webtable, rs.hfile, rs.errors):
        assert ">>> " in (inspect.getdoc(value) or ""), value


METHODS = sorted(name for name in vars(_native.Table) if not name.startswith("_") and name != "name")


@pytest.mark.parametrize("name", METHODS)
def test_examples_of_native_methods_run(name: str) -> None:
    """doctest skips methods that are not written in Python."""
    document = inspect.getdoc(getattr(_native.Table, name)) or ""
    assert len(document) > 40
    test = doctest.DocTestParser().get_doctest(document, {}, name, None, None)
    assert doctest.DocTestRunner().run(test).failed == 0
    assert test.examples or name == "exists_many"


def test_every_public_method_is_documented() -> None:
    for owner in (rs.Database, rs.Admin, rs.Table, rs.Row, rs.Cell, rs.Scanner, rs.BufferedWriter, rs.Delete):
        for name, member in inspect.getmembers(owner):
            if not name.startswith("_"):
                assert inspect.getdoc(member), f"{owner.__name__}.{name}"


def blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_of_the_tool_in_documents_exist(document: Path) -> None:
    from rowstone.cli._main import COMMANDS, GROUPS

    commands = {*COMMANDS, *GROUPS}
    for block in blocks(document, "(?:bash|sh|console|text)?"):
        for line in block.splitlines():
            words = line.removeprefix("$ ").split()
            if words[:1] == ["rowstone"] and len(words) > 1 and words[1].isalpha():
                assert words[1] in commands, line


# Case studies are modules with tests of their own.
SCRIPTS = sorted(path for path in ROOT.glob("examples/**/*.py") if "case_studies" not in path.parts)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_run(script: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_first_example_sees_its_anchors(tmp_path: Path) -> None:
    """Regression: it printed False before it deleted the only anchor, and after."""
    script = ROOT / "examples/quickstart.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert [line for line in done.stdout.splitlines() if "anchors" in line] == ["anchors: True", "anchors: False"]


def test_make_lists_its_targets() -> None:
    listed = subprocess.run(["make", "help"], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    for target in ("demo", "test", "test-hbase", "bench", "lint", "site", "fuzz", "wheel", "checklist"):
        assert f"make {target} " in listed


def test_the_demo_installs_only_what_it_imports(tmp_path: Path) -> None:
    """On a fresh machine it is ready in four minutes: no requirements of developers, no release build."""
    command = ["make", "--dry-run", "demo", f"VENV={tmp_path / 'venv'}"]
    steps = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert "maturin build --profile demo" in steps
    assert "--release" not in steps
    assert not re.search(r"(-r|--requirement) ", steps)
