"""Format of answers: exactly as the oracle prints them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.script.text import to_text

Answer = list[str]
"""The lines printed for one command, without the indentation all of them share."""

BETWEEN_CELLS = "  |  "
NOTHING = "(none)"


def cell_text(
    row: bytes,
    column: tuple[bytes, bytes],
    timestamp: int,
    kind: str,
    value: bytes,
    tags: Iterable[tuple[int, bytes]] = (),
) -> str:
    """`row/family:qualifier@timestamp[#Kind]=value[ tagN:value...]`"""
    family, qualifier = column
    marker = "" if kind == "Put" else f"#{kind}"
    head = f"{to_text(row)}/{to_text(family)}:{to_text(qualifier)}@{timestamp}{marker}"
    return f"{head}={to_text(value)}" + "".join(f" tag{n}:{to_text(data)}" for n, data in tags)


def rows_text(rows: Iterable[Sequence[str]]) -> Answer:
    """A scan: one line per row, or per piece of a row."""
    return [BETWEEN_CELLS.join(row) for row in rows] or [NOTHING]


def result_text(cells: Sequence[str] | None) -> Answer:
    """The result of a get, increment or append; None if HBase returns no result at all."""
    if cells is None:
        return ["-> null"]
    if not cells:
        return ["-> (empty)"]
    return ["-> ", *(f"   {cell}" for cell in cells)]


def error_text(name: str, message: str) -> Answer:
    """An operation that failed."""
    return [f"!! {name}: {message}"]
