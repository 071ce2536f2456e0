"""Cells as lines of text, as `java/Dump.java` writes them, and the first difference of two lists of lines.

    ROW FAMILY QUALIFIER TIMESTAMP TYPE VALUE

Bytes are hexadecimal. A value of more than 40 bytes is `#length:sha256`.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import rowstone as rs
from tests.roots.session import Dump
from tests.script import commands as c
from tests.script.parse import parse
from tests.script.runners import store_calls as calls
from tests.script.runners.store_filters import filter_option
from tests.script.text import to_text

LONGEST_VALUE = 40
SHOWN_BEFORE = 3
"""Number of equal lines that are shown before a difference."""


def value_text(value: bytes) -> str:
    """The last word of a line."""
    return value.hex() if len(value) <= LONGEST_VALUE else f"#{len(value)}:{hashlib.sha256(value).hexdigest()}"


def row_text(row: rs.Row) -> str:
    """The lines of a row."""
    return "".join(
        f"{cell.row.hex()} {cell.family.hex()} {cell.qualifier.hex()} {cell.timestamp} {cell.type} "
        f"{value_text(cell.value)}\n"
        for cell in row.cells
    )


def scan_options(line: str) -> dict[str, Any]:
    """The options of `Table.scan` for a line of the script language."""
    command = parse(line)
    assert isinstance(command, c.Scan), line
    return calls.scan_options(command.rows, command.read) | filter_option(rs, command.read.filter)


def dump(table: rs.Table, line: str) -> Dump:
    """Read a table as `RootSession.dump` does."""
    digest, rows, cells = hashlib.sha256(), 0, 0
    with table.scan(**scan_options(line)) as scanner:
        for row in scanner:
            text = row_text(row)
            rows += 1
            cells += text.count("\n")
            digest.update(text.encode())
    return Dump(rows, cells, digest.hexdigest())


def lines_of(table: rs.Table, line: str) -> Iterator[str]:
    """The cells, one a line."""
    with table.scan(**scan_options(line)) as scanner:
        for row in scanner:
            yield from row_text(row).splitlines(keepends=True)


def first_difference(expected: Iterable[str], found: Iterable[str]) -> str:
    """The first line that differs, with those before it; empty if there is none."""
    before: list[str] = []
    for number, (one, other) in enumerate(itertools.zip_longest(expected, found)):
        if one != other:
            shown = [f"    {readable(line)}" for line in before]
            return "\n".join([f"cell {number}:", *shown, f"  HBase {readable(one)}", f"  ours  {readable(other)}"])
        before = [*before[1 - SHOWN_BEFORE :], one or ""]
    return ""


def readable(line: str | None) -> str:
    """A line for people: `row/family:qualifier@timestamp Type value`."""
    if line is None:
        return "(no more cells)"
    row, family, qualifier, timestamp, kind, value = line.rstrip("\n").split(" ")
    names = [to_text(bytes.fromhex(word)) for word in (row, family, qualifier)]
    shown = value if value.startswith("#") else to_text(bytes.fromhex(value))
    return f"{names[0]}/{names[1]}:{names[2]}@{timestamp} {kind} {shown}"
