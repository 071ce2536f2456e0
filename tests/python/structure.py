"""Sources for the structure tests: the project's files, and Rust text without comments, strings and tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CRATES = ("model", "arrow", "engine", "rpc", "py")
PYTHON_FOLDERS = ("python", "tests", "benches", "examples")

_SKIPPED = re.compile(
    r"""//[^\n]*
      | /\*.*?\*/
      | b?r(?P<hashes>\#*)".*?"(?P=hashes)
      | b?"(?:\\.|[^"\\])*"
      | b?'(?:\\(?:x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|.)|[^'\\])'
    """,
    re.VERBOSE | re.DOTALL,
)
_TEST_MODULE = re.compile(r"#\[cfg\(test\)\]\s*(?:#!?\[[^\]]*\]\s*)*mod \w+ \{")


def name_of(file: Path) -> str:
    """The file's path relative to the project's root."""
    return file.relative_to(ROOT).as_posix()


def rust_files(folder: str = "crates") -> list[Path]:
    """All Rust files below a folder, without generated ones."""
    return [file for file in sorted((ROOT / folder).rglob("*.rs")) if "target" not in file.parts]


def python_files() -> list[Path]:
    """All Python files of the project."""
    files = (file for folder in PYTHON_FOLDERS for file in (ROOT / folder).rglob("*.py"))
    return sorted(file for file in files if "__pycache__" not in file.parts)


def is_test(file: Path) -> bool:
    """Whether a Rust file is compiled for tests only."""
    return "tests" in file.parts or file.stem == "tests"


def bare(text: str) -> str:
    """Rust text with comments and literals blanked out; line numbers stay the same."""
    return _SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def product(file: Path) -> str:
    """The text of a Rust file as returned by `bare`, without test modules."""
    text = bare(file.read_text())
    while match := _TEST_MODULE.search(text):
        end = closing(text, match.end() - 1)
        text = text[: match.start()] + re.sub(r"[^\n]", " ", text[match.start() : end]) + text[end:]
    return text


def closing(text: str, opening: int) -> int:
    """The index after the brace that closes the one at `opening`."""
    depth = 0
    for place in range(opening, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return place + 1
    raise ValueError("a brace is never closed")


def rust_functions(text: str) -> Iterator[tuple[str, int]]:
    """Functions with bodies in `bare` text, each with its number of lines."""
    for match in re.finditer(r"\bfn (\w+)", text):
        nesting = 0
        for place in range(match.end(), len(text)):
            character = text[place]
            nesting += (character in "([") - (character in ")]")
            if nesting == 0 and character == ";":
                break
            if nesting == 0 and character == "{":
                yield match.group(1), text.count("\n", match.start(), closing(text, place)) + 1
                break
