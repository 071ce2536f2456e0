"""Conventions that no tool checks: exports, module docstrings, locks, paths. Sizes and layers have their own tests."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def tracked(*patterns: str) -> list[Path]:
    """The project's files: those in git, and new ones that it does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    listed = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout
    return [ROOT / line for line in sorted(set(listed.splitlines())) if (ROOT / line).is_file()]


SOURCES = tracked("*.py", "*.rs")


def is_test(path: Path) -> bool:
    return "tests" in path.parts or path.name == "tests.rs"


def test_waiting_threads_are_in_no_table_of_the_process() -> None:
    """Locks of that kind break a database that a forked child opens; see crates/engine/src/sys/lock.rs."""
    manifests = tracked("*Cargo.toml")
    assert manifests
    for path in manifests:
        assert "parking_lot" not in path.read_text(), path


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield each statement, and whether only type checkers see it."""
    for node in body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from (*node.body, *node.orelse)
        else:
            yield node


def test_every_file_of_a_test_program_is_compiled() -> None:
    """A file that `all.rs` does not name would be no test."""
    programs = tracked("crates/*/tests/all.rs")
    assert len(programs) >= 2
    for program in programs:
        tests, manifest = program.parent, program.parents[1] / "Cargo.toml"
        targets = set(re.findall(r'\[\[test\]\]\nname = "(\w+)"', manifest.read_text()))
        files = {path.stem for path in tests.glob("*.rs")} | {path.parent.name for path in tests.glob("*/mod.rs")}
        assert set(re.findall(r"^mod (\w+);$", program.read_text(), re.MULTILINE)) == files - targets


def test_commands_name_rust_tests_that_exist() -> None:
    """With a filter that selects nothing, `cargo test` succeeds."""
    found = 0
    for file in tracked("Makefile", "CONTRIBUTING.md", "crates/*/tests/all.rs", "tests/planted/patches/*.patch"):
        for crate, filters in re.findall(r"-p rowstone-(\w+).* --test all (.*)", file.read_text()):
            for module, name in re.findall(r"(\w+)::(\w*)", filters):
                found += 1
                assert f"fn {name}" in (ROOT / f"crates/{crate}/tests/{module}.rs").read_text(), f"{file}: {module}"
    assert found >= 20


EXPORTS = ("__all__", "__getattr__", "(__getattr__, __dir__)", "_NAMES")


def test_init_files_only_export() -> None:
    for path in tracked("python/**/__init__.py"):
        for node in statements(ast.parse(path.read_text()).body):
            is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            is_export = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in EXPORTS
            assert is_docstring or is_export or isinstance(node, ast.ImportFrom), f"{path}:{node.lineno}"


def test_every_module_says_what_it_is_for() -> None:
    for path in SOURCES:
        text = path.read_text()
        if path.suffix == ".py" and text.strip():
            assert ast.get_docstring(ast.parse(text)), path
        if path.suffix == ".rs" and "src" in path.parts and not is_test(path):
            assert text.startswith("//!"), path


_THIRD_PERSON = re.compile(
    r"(Adds|Answers|Applies|Checks|Closes|Converts|Creates|Deletes|Does|Ends|Finds|Gets|Iterates|Opens|Raises|Reads"
    r"|Removes|Renames|Replaces|Returns|Runs|Sends|Sets|Starts|Stops|Takes|Tests|Waits|Writes|Yields)\b"
)


def test_docstrings_of_functions_speak_in_the_imperative() -> None:
    """Or they are noun phrases: "Return the row", "The row of a key", not "Returns the row"."""
    for path in tracked("python/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert not _THIRD_PERSON.match(ast.get_docstring(node) or ""), f"{path}:{node.lineno}"


def test_nothing_names_a_machine() -> None:
    """No paths of a developer's machine."""
    words = [r"/home/\w", "/" + "root/", "/" + "work/"]
    for path in tracked():
        if path.suffix in (".py", ".pyi", ".rs", ".md", ".toml", ".txt", ".java", ".xml") or path.name == "Makefile":
            text = path.read_text()
            for word in words:
                assert not re.search(word, text), f"{path.relative_to(ROOT)}: {word}"


def test_subjects_of_recent_commits_are_short() -> None:
    """At most 72 characters, since this is asked for. An archive has no commits."""
    command = ["git", "log", "-20", "--no-merges", "--since=2026-11-23T14:00:00Z", "--format=%s"]
    subjects = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False).stdout.splitlines()
    assert not [subject for subject in subjects if len(subject) > 72]
