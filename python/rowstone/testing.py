"""Test helpers: a clock that tests move, in-memory databases, and servers of them.

The pytest plugin offers them as fixtures: ``rowstone_clock``, ``rowstone_db`` and ``rowstone_server``.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rowstone._native import ManualClock

if TYPE_CHECKING:
    from rowstone._core.database import Database

__all__ = ["ManualClock", "server", "temporary_database"]


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
