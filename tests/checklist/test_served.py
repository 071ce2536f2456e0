"""Statements of the checklist about tables behind a server."""

from __future__ import annotations

import inspect
import time
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone.testing import ManualClock
from tests.checklist import checklist


@pytest.fixture
def served(db: rs.Database) -> Iterator[str]:
    db.create_table("t", ["f"])
    with rs.serve(db, port=0, zk_port=None) as server:
        yield server.url


@checklist("027", clause="a remote table leaves it to the server")
def test_the_server_says_when(db: rs.Database, clock: ManualClock, served: str) -> None:
    with rs.connect(served) as remote:
        remote.table("t").put("r", {"f:q": "v"})
    [cell] = db.table("t").get("r").cells
    assert cell.timestamp == clock.now
    assert abs(cell.timestamp - time.time() * 1000) > 60_000


@checklist("061", clause="everywhere with the same signature")
def test_the_four_operations_are_the_same_everywhere(db: rs.Database, clock: ManualClock, served: str) -> None:
    def four(table: rs.Table) -> list[object]:
        table.put("r", {"f:q": "v"})
        found: list[object] = [table.get("r")["f:q"], [row.key for row in table.scan()]]
        table.delete("r")
        # A put in the millisecond of the delete would stay hidden, as in HBase.
        clock.advance(1)
        return [*found, table.exists("r")]

    with rs.connect(served) as remote:
        tables = [db.table("t"), remote.table("t")]
        assert [four(table) for table in tables] == [[b"v", [b"r"], False]] * 2
        for name in ("put", "get", "scan", "delete"):
            first, second = (inspect.signature(getattr(table, name)) for table in tables)
            assert first == second
