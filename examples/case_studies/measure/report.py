"""Results of a case study: tables of text, for the terminal and for its page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Grid:
    """A table with headings."""

    title: str
    headings: Sequence[str]
    lines: Sequence[Sequence[str]]

    def __str__(self) -> str:
        rows = [self.headings, *self.lines]
        widths = [max(len(row[place]) for row in rows) for place in range(len(self.headings))]
        texts = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([self.title, "", texts[0], "  ".join("-" * width for width in widths), *texts[1:]])

    def markdown(self) -> str:
        """The table in Markdown."""
        rows = [self.headings, ["---"] * len(self.headings), *self.lines]
        texts = ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
        return "\n".join([f"**{self.title}**", "", *texts])


@dataclass(frozen=True)
class Stored:
    """Storage of a design after a major compaction, when each cell is stored once.

    ``cell_bytes`` is the size of all cells in an HFile before compression, without index and Bloom filter.
    """

    design: str
    key: str
    rows: int
    cells: int
    cell_bytes: int
    file_bytes: int
    load_seconds: float


@dataclass(frozen=True)
class Cost:
    """Cost of a query with a design.

    ``calls`` counts gets and scans; ``rows`` and ``cells`` reached the client; ``wanted`` is the number of rows in
    the answer, if it is a list. ``blocks`` counts file blocks read (64 KB each, uncompressed); ``micros`` is the
    median time.
    """

    query: str
    design: str
    calls: int
    rows: int
    cells: int
    written: int
    wanted: int | None
    blocks: int
    micros: float


@dataclass
class Report:
    """All results of a study."""

    name: str
    title: str
    data: str
    stored: list[Stored] = field(default_factory=list)
    costs: list[Cost] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    advice: list[tuple[str, str]] = field(default_factory=list)
    choices: list[tuple[str, str]] = field(default_factory=list)

    def store(self, design: str) -> Stored:
        """The storage of a design."""
        return next(one for one in self.stored if one.design == design)

    def cost(self, query: str, design: str) -> Cost:
        """The cost of a query with a design."""
        return next(one for one in self.costs if (one.query, one.design) == (query, design))

    def all_grids(self) -> Iterable[Grid]:
        """All results as tables."""
        if self.stored:
            yield _stored(self.stored)
        if self.costs:
            yield _costs(self.costs)
        yield from self.grids
        yield Grid(
            "Advice of `rowstone advise`, and why it is not followed here",
            ("advice", "why"),
            self.advice or [("nothing of level warning or above", "")],
        )
        yield Grid("Which design to choose", ("when", "choose"), self.choices)

    def __str__(self) -> str:
        return "\n\n".join([f"{self.title}\n{'=' * len(self.title)}", self.data, *map(str, self.all_grids())])


def _stored(stored: Iterable[Stored]) -> Grid:
    lines = [
        (
            one.design,
            f"`{one.key}`",
            f"{one.rows:,}",
            f"{one.cells:,}",
            f"{one.cell_bytes / max(one.cells, 1):.1f}",
            f"{one.file_bytes:,}",
            f"{one.load_seconds:.2f}",
        )
        for one in stored
    ]
    headings = ("design", "row key", "rows", "cells", "bytes per cell", "file bytes", "load time, s")
    return Grid("Storage", headings, lines)


def _costs(costs: Iterable[Cost]) -> Grid:
    lines = [
        (
            one.query,
            one.design,
            f"{one.calls:,}",
            f"{one.rows:,}",
            f"{one.cells:,}",
            f"{one.written:,}" if one.written else "",
            "" if one.wanted is None else f"{one.wanted:,}",
            f"{one.blocks:,}",
            time_text(one.micros),
        )
        for one in costs
    ]
    headings = ("question", "design", "calls", "rows read", "cells read", "rows written", "wanted", "blocks", "time")
    return Grid("Cost of queries", headings, lines)


def time_text(micros: float) -> str:
    """A human-readable time."""
    if micros < 1_000:
        return f"{micros:.0f} µs"
    return f"{micros / 1_000:.1f} ms" if micros < 1_000_000 else f"{micros / 1_000_000:.2f} s"
