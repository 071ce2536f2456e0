"""Quota matrix: every operation under a limit of every kind, and how often it passes before it is throttled.

It runs on any target of `rowstone.connect` that has quotas. The results of a real HBase are in `verdicts.json`,
recorded by ``python -m tests.quotas.record``.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

import rowstone as rs
from rowstone import errors

RECORDED = Path(__file__).parent / "verdicts.json"

LIMIT = 6
"""Requests per hour that each limit allows."""

MOST = 8
"""Number of attempts per operation."""

THROTTLED = "org.apache.hadoop.hbase.quotas.RpcThrottlingException"

KINDS = ("REQUEST_NUMBER", "READ_NUMBER", "WRITE_NUMBER", "ATOMIC_REQUEST_NUMBER")

Verdicts = dict[str, dict[str, int]]


def _multi(table: rs.Table) -> None:
    for result in table.multi([rs.Put("a", {"f:q": "1"}), rs.Put("b", {"f:q": "2"}), rs.Get("a")]):
        if isinstance(result, Exception):
            raise result


OPERATIONS: Mapping[str, Callable[[rs.Table], object]] = {
    "get": lambda table: table.get("a"),
    "exists": lambda table: table.exists("a"),
    "put": lambda table: table.put("a", {"f:q": "1"}),
    "delete": lambda table: table.delete("a", ["f:r"]),
    "increment": lambda table: table.increment("a", {"f:n": 1}),
    "append": lambda table: table.append("a", {"f:s": "x"}),
    "check_and_put": lambda table: table.check_and_mutate("a", "f:q", "EQUAL", "1", rs.Put("a", {"f:q": "1"})),
    "scan": lambda table: list(table.scan(limit=1)),
    "two gets": lambda table: table.get_many(["a", "b"]),
    "two puts and a get": _multi,
    "two changes of a row": lambda table: table.mutate_row("a", [rs.Put("a", {"f:q": "1"}), rs.Put("a", {"f:r": "2"})]),
}


def is_throttled(error: errors.RowstoneError) -> bool:
    """Whether the wait of a throttled operation exceeds its timeout."""
    return error.remote_class == THROTTLED or THROTTLED.rpartition(".")[2] in str(error)


def passed(table: rs.Table, operation: Callable[[rs.Table], object]) -> int:
    """Number of times that the operation passes before it is throttled."""
    for count in range(MOST):
        try:
            operation(table)
        except errors.RowstoneError as error:
            if not is_throttled(error):
                raise
            return count
    return MOST


def walk(db: rs.Database, *, settle: Callable[[rs.Table], None] = lambda table: None) -> Verdicts:
    """Count the passes of each operation, by kind of limit.

    Args:
        db: Its operations time out after a few seconds, so that none waits for an hourly limit.
        settle: Called after a limit is set on a table. Returns when the server applies the limit, and may use up one
            write of a KiB: the limits allow for that.
    """
    found: Verdicts = {}
    for kind in KINDS:
        for name, operation in OPERATIONS.items():
            # A new table each time, so that none of its limit is used up.
            table_name = f"t_{uuid.uuid4().hex[:12]}"
            db.create_table(table_name, ["f"])
            table = db.table(table_name)
            table.put("a", {"f:q": "1"})
            table.put("b", {"f:q": "1"})
            db.admin.quotas.set(kind, LIMIT, unit="HOURS", table=table_name)
            settle(table)
            found.setdefault(name, {})[kind] = passed(table, operation)
            db.admin.quotas.set(None, None, table=table_name)
            db.drop_table(table_name, force=True)
    return found


def recorded() -> Verdicts:
    """The recorded results of a real HBase."""
    verdicts: Verdicts = json.loads(RECORDED.read_text())
    return verdicts
