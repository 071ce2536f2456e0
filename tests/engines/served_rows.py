"""A table of 20,000 rows on a server that counts the bytes it sends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

import rowstone as rs
from rowstone.engines import Compare, RowSchema, Sink, Source
from tests.engines.judge import Engine

pyarrow = pytest.importorskip("pyarrow")

SCHEMA = RowSchema("text", {"age": ("f:age", "int32"), "town": ("g:town", "text")})
ROWS = 20_000
FIRST, STOP = "r008000", "r010000"


@dataclass(frozen=True)
class Served:
    """A table on a server."""

    server: rs.Server
    source: Source

    def sent_bytes(self) -> int:
        """The bytes of all answers so far: ``sentBytes`` of HBase's metrics."""
        total: int = self.server._native.measured()["series"]["response"][1]
        return total


@contextmanager
def served_rows() -> Iterator[Served]:
    """A table of two regions."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f", "g"], splits=["r009"])
        columns = {
            "row": [f"r{number:06}" for number in range(ROWS)],
            "age": pyarrow.array(range(ROWS), "int32"),
            "town": ["x" * 50] * ROWS,
        }
        Sink(db, "t", SCHEMA).write(pyarrow.table(columns).to_batches())
        with rs.serve(db, port=0, zk_port=None) as server:
            yield Served(server, Source(server.url, "t", SCHEMA))


def check_key_range(engine: Engine, served: Served) -> None:
    """Read a key range of 2,000 rows: the server sends at most 1.1 times the bytes of its cells."""
    before = served.sent_bytes()
    [found] = engine.read(served.source, [Compare("row", ">=", FIRST) & Compare("row", "<", STOP)])
    assert len(list(found)) == 2000
    sent = served.sent_bytes() - before
    expected = cell_bytes(served.server.database)
    assert expected < sent <= 1.1 * expected


def cell_bytes(db: rs.Database) -> int:
    """The size of the range's cells as HBase sends them: a length, then the serialized KeyValue."""
    with db.table("t").scan(FIRST, STOP) as rows:
        return sum(
            4 + 8 + 2 + len(row.key) + 1 + len(cell.column) - 1 + 8 + 1 + len(cell.value)
            for row in rows
            for cell in row.cells
        )
