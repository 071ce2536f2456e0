"""Style limits: sizes of files and functions, and no unfinished work."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.python.structure import (
    CRATES,
    ROOT,
    bare,
    closing,
    is_test,
    name_of,
    product,
    python_files,
    rust_files,
    rust_functions,
)

MOST_FILE_LINES = 700
MOST_FUNCTION_LINES = 70
MOST_BINDING_LINES = 300
MOST_TRAIT_METHODS = 20
MOST_PARAMETERS = 10

LONG_FUNCTIONS: dict[str, str] = {}
"""Functions that may be longer, as `path::name`, each with its reason."""

_COMMAND = "typer makes an option of each parameter"
WIDE_FUNCTIONS = {
    "python/rowstone/cli/commands/compare.py::command": _COMMAND,
    "python/rowstone/cli/commands/export.py::command": _COMMAND,
    "python/rowstone/cli/commands/import_.py::command": _COMMAND,
    "python/rowstone/cli/commands/rows.py::scan": _COMMAND,
    "python/rowstone/happybase/table.py::scan": "the signature is happybase's",
}
"""Functions that may have more parameters, as `path::name`, each with its reason."""

LONG_BINDING_FILES: dict[str, str] = {}
"""Binding files that may be longer, each with its reason."""

_UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME)\b")
_VAGUE_TEST = re.compile(
    r"(?:def test_|#\[test\]\s+(?:#\[.*\]\s+)*fn )"
    r"((?:what|who|whom|whose|whoever|whatever|which|how|why|where|of|when_who)_\w+)"
)
_BANNED = re.compile(r"\.unwrap\(\)|\btodo!|\bunimplemented!|\bdbg!")


def line_count(file: Path) -> int:
    return len(file.read_text().splitlines())


def test_no_file_is_too_long() -> None:
    files = [*rust_files(), *python_files(), *(ROOT / "tests").rglob("*.java")]
    assert not [name_of(file) for file in files if line_count(file) > MOST_FILE_LINES]


def test_no_binding_file_is_too_long() -> None:
    """The binding converts and delegates; larger code belongs in a lower layer."""
    long = [name_of(file) for file in rust_files("crates/py/src") if line_count(file) > MOST_BINDING_LINES]
    assert sorted(long) == sorted(LONG_BINDING_FILES)


def python_functions(file: Path) -> list[tuple[str, int]]:
    tree = ast.parse(file.read_text())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        (node.name, (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in ast.walk(tree)
        if isinstance(node, kinds)
    ]


def test_no_function_is_too_long() -> None:
    functions = [(file, rust_functions(bare(file.read_text()))) for file in rust_files()]
    functions += [(file, iter(python_functions(file))) for file in python_files()]
    long = {
        f"{name_of(file)}::{name}": lines
        for file, found in functions
        for name, lines in found
        if lines > MOST_FUNCTION_LINES
    }
    assert sorted(long) == sorted(LONG_FUNCTIONS), long


def parameter_count(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The number of parameters, without `self`, `cls`, `*args` and `**kwargs`."""
    names = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    return len(names) - (names[:1] in (["self"], ["cls"])) + len(node.args.kwonlyargs)


def test_no_function_has_too_many_parameters() -> None:
    """Further options are a group: a `TypedDict` taken as `**options: Unpack[...]`, as in `rowstone.connect`."""
    wide = {
        f"{name_of(file)}::{node.name}": parameter_count(node)
        for file in sorted((ROOT / "python/rowstone").rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and parameter_count(node) > MOST_PARAMETERS
    }
    assert sorted(wide) == sorted(WIDE_FUNCTIONS), wide


def test_no_trait_is_too_wide() -> None:
    wide = []
    for file in rust_files():
        text = bare(file.read_text())
        for match in re.finditer(r"\btrait (\w+)[^{;]*\{", text):
            methods = re.findall(r"\bfn \w", text[match.end() : closing(text, match.end() - 1)])
            if len(methods) > MOST_TRAIT_METHODS:
                wide.append(f"{name_of(file)}::{match.group(1)}")
    assert not wide


def test_the_product_never_gives_up_on_input() -> None:
    """No `unwrap` and no placeholder outside tests; clippy denies `expect` and `panic!`."""
    wrong = [
        f"{name_of(file)}: {match.group()}"
        for crate in CRATES
        for file in rust_files(f"crates/{crate}/src")
        if not is_test(file)
        for match in _BANNED.finditer(product(file))
    ]
    assert not wrong


def test_nothing_is_left_for_later() -> None:
    files = [*rust_files(), *python_files(), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
    assert not [name_of(file) for file in files if _UNFINISHED.search(file.read_text())]


def test_names_of_tests_are_claims() -> None:
    """For example `invalid_settings_are_refused`, not `what_is_refused`."""
    files = [*python_files(), *rust_files(), *rust_files("fuzz")]
    assert not [f"{name_of(file)}: {name}" for file in files for name in _VAGUE_TEST.findall(file.read_text())]
