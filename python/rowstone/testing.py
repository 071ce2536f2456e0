"""Test helpers: a clock that tests move, in-memory databases, servers of them, and sample tables.

The pytest plugin offers them as fixtures: ``rowstone_clock``, ``rowstone_db`` and ``rowstone_server``.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rowstone._native import ManualClock

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone._core.table import Table

__all__ = ["ManualClock", "server", "temporary_database", "user_activity", "webtable"]

START_MS = 1_700_000_000_000
_USERS = ("ann", "bob", "cid", "eva", "kim", "lea", "max", "zoe")
_ACTIONS = ("login", "view", "buy", "logout")

PAGE = "<html>..."

_CELLS: tuple[tuple[str, str, str, int], ...] = (
    ("com.cnn.www", "contents:html", PAGE, 3),
    ("com.cnn.www", "contents:html", PAGE, 5),
    ("com.cnn.www", "contents:html", PAGE, 6),
    ("com.cnn.www", "anchor:my.look.ca", "CNN.com", 8),
    ("com.cnn.www", "anchor:cnnsi.com", "CNN", 9),
    ("com.example.www", "contents:html", PAGE, 5),
    ("com.example.www", "people:author", "John Doe", 5),
)


@contextmanager
def temporary_database(
    *, clock: ManualClock | None = None, configuration: Mapping[str, Any] | None = None
) -> Iterator["Database"]:
    """Open an empty database in memory for the ``with`` block; it is discarded at the end.

    Example:
        >>> from rowstone.testing import ManualClock, temporary_database
        >>> clock = ManualClock(1_000)
        >>> with temporary_database(clock=clock) as db:
        ...     _ = db.create_table("t", {"f": {"ttl_seconds": 1}})
        ...     t = db.table("t")
        ...     t.put("row", {"f:q": "value"})
        ...     clock.advance(1_001)
        ...     print(bool(t.get("row")))
        False
    """
    from rowstone._core.connect import connect

    with connect(":memory:", clock=clock, configuration=configuration) as db:
        yield db


@contextmanager
def server(
    *, clock: ManualClock | None = None, configuration: Mapping[str, Any] | None = None, zookeeper: bool = False
) -> Iterator[str]:
    """Serve an empty in-memory database on free ports during the ``with`` block; yields the server's URL.

    Args:
        clock: The database's clock.
        configuration: Its settings, as for `rowstone.connect`.
        zookeeper: Yield the URL for connecting through ZooKeeper instead.

    Example:
        >>> import rowstone as rs
        >>> with rs.testing.server() as url, rs.connect(url) as db:
        ...     _ = db.create_table("t", ["f"])
        ...     print(db.tables())
        ['t']
    """
    from rowstone.server.serve import serve

    with (
        temporary_database(clock=clock, configuration=configuration) as db,
        serve(db, port=0, zk_port=0 if zookeeper else None) as served,
    ):
        yield served.zk_url or served.url


def webtable(db: "Database", name: str = "webtable") -> "Table":
    """Return the reference guide's table: two rows, families ``anchor``, ``contents``, ``people``, versions t3 to t9.

    It is created in ``db`` if it is missing, and keeps ten versions.

    Source: HBase reference guide, data model, tables 1 to 3.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     print(rs.testing.webtable(db).physical_view("anchor"))
        Row Key      Time Stamp  Column Family anchor
        -----------  ----------  -----------------------------
        com.cnn.www  t9          anchor:cnnsi.com = "CNN"
        com.cnn.www  t8          anchor:my.look.ca = "CNN.com"
    """
    from rowstone._base.schema import Family

    family = Family(max_versions=10)
    db.create_table(name, {"contents": family, "anchor": family, "people": family}, if_not_exists=True)
    table = db.table(name)
    for row, column, value, timestamp in _CELLS:
        table.put(row, {column: value}, timestamp=timestamp)
    return table


def user_activity(db: "Database", name: str = "user_activity", *, rows: int = 400) -> "Table":
    """Return a table whose keys are ``user-timestamp`` (8 bytes), while a report needs time ranges over all users.

    Column ``f:action`` is what the user did, ``f:at`` when (int64), ``f:amount`` (int64) what they paid. The table is
    created in ``db`` if it is missing.

    Args:
        rows: Number of rows; one every quarter of an hour from 2023-11-14 on.

    Source: HBase reference guide, secondary indexes and alternate query paths.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     table = rs.testing.user_activity(db)
        ...     first = next(iter(table.scan()))
        ...     print(len(list(table)), first.key[:4], first["f:action"])
        400 b'ann-' b'login'
    """
    db.create_table(name, ["f"], if_not_exists=True)
    table = db.table(name)
    with table.batch() as batch:
        for number in range(rows):
            time_ms = START_MS + number * 900_000
            key = _USERS[number % 8].encode() + b"-" + time_ms.to_bytes(8, "big")
            action = _ACTIONS[number // 8 % 4]
            data = {b"f:action": action.encode(), b"f:at": time_ms.to_bytes(8, "big")}
            if action == "buy":
                data[b"f:amount"] = (number * 7 % 100).to_bytes(8, "big")
            batch.put(key, data)
    return table
