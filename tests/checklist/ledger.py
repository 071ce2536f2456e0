"""The checklist ledger: compares the statements with the tests that cite them.

The tests are read as source, not imported: the ledger needs no extension and no test run.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).parent.parent
CLAUSES = Path(__file__).parent / "clauses.toml"

REASONS: Mapping[str, str] = {
    "explain": "explain",
    "key codec": "codecs of row keys",
    "value codec": "codecs of values",
    "join": "joins",
    "advisor": "the schema advisor: lint, warnings, column statistics",
    "heat map": "the heat map",
    "size report": "the report of sizes: keys, index, memory",
    "job": "jobs: import and export",
    "index": "secondary indexes",
    "recipe": "runnable case studies",
    "server": "a server or a cluster",
}
"""Reasons for which a clause may stay open."""


@dataclass(frozen=True)
class Item:
    """A statement: clauses that need a test, and clauses that wait for something (clause -> reason)."""

    number: str
    text: str
    clauses: tuple[str, ...]
    open: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Citation:
    """A test that says it proves a clause."""

    number: str
    clause: str
    test: str


@dataclass(frozen=True)
class Standing:
    """Status of an item."""

    item: Item
    tested: tuple[str, ...]
    untested: tuple[str, ...]

    @property
    def word(self) -> str:
        """`covered` only when every clause has a test."""
        if self.tested and not self.untested and not self.item.open:
            return "covered"
        return "partly" if self.tested else "open"


def read_items(path: Path = CLAUSES) -> dict[str, Item]:
    """The statements of the data file by number, in its order."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    items = {}
    for number, table in tables.items():
        unknown = set(table) - {"text", "clauses", "open"}
        if unknown:
            raise ValueError(f"item {number} has unknown keys: {sorted(unknown)}")
        items[number] = Item(number, table["text"], tuple(table.get("clauses", ())), table.get("open", {}))
    return items


def read_citations(folder: Path = TESTS) -> list[Citation]:
    """Every mark on a test function in a `test_*.py` anywhere below `folder`."""
    files = sorted(folder.rglob("test_*.py"))
    return [citation for file in files for citation in citations_of(file.read_text(encoding="utf-8"), file, folder)]


def citations_of(source: str, file: Path, folder: Path) -> Iterable[Citation]:
    """The marks in one file, on functions at its top."""
    for node in ast.parse(source, str(file)).body:
        if not isinstance(node, ast.FunctionDef):
            continue
        for mark in filter(_is_mark, node.decorator_list):
            number, clause = _literals(mark, file)
            if not node.name.startswith("test_"):
                raise ValueError(f"{file}:{node.lineno}: {node.name} cites {number} but is no test")
            yield Citation(number, clause, f"{file.relative_to(folder.parent)}::{node.name}")


def _is_mark(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "checklist"


def _literals(mark: ast.expr, file: Path) -> tuple[str, str]:
    assert isinstance(mark, ast.Call)
    try:
        (number,) = (ast.literal_eval(argument) for argument in mark.args)
        (clause,) = (ast.literal_eval(keyword.value) for keyword in mark.keywords if keyword.arg == "clause")
    except ValueError as error:
        raise ValueError(f"{file}:{mark.lineno}: a mark is checklist('001', clause='...')") from error
    return number, clause


def standings(items: Mapping[str, Item], citations: Iterable[Citation]) -> list[Standing]:
    """Compute the status of every item."""
    cited = {(citation.number, citation.clause) for citation in citations}
    result = []
    for item in items.values():
        tested = tuple(clause for clause in item.clauses if (item.number, clause) in cited)
        untested = tuple(clause for clause in item.clauses if (item.number, clause) not in cited)
        result.append(Standing(item, tested, untested))
    return result


def report(all_standings: Iterable[Standing]) -> str:
    """A line per item, what is missing below it, totals at the end."""
    lines, counts = [], dict.fromkeys(("covered", "partly", "open"), 0)
    for standing in all_standings:
        item = standing.item
        counts[standing.word] += 1
        total = len(item.clauses) + len(item.open)
        lines.append(f"{item.number}  {standing.word:<8} {len(standing.tested)}/{total}  {item.text}")
        lines += [f"                  untested: {clause}" for clause in standing.untested]
        lines += [f"                  waits for {reason}: {clause}" for clause, reason in item.open.items()]
    summary = ", ".join(f"{count} {word}" for word, count in counts.items())
    return "\n".join([*lines, "", f"{sum(counts.values())} items: {summary}"])
