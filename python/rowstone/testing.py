"""What tests need: a clock that they move, and databases that live in memory.

The pytest plugin gives both as fixtures: ``rowstone_clock`` and ``rowstone_db``.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rowstone._native import ManualClock

if TYPE_CHECKING:
    from rowstone._database import Database

__all__ = ["ManualClock", "temporary_database"]


@contextmanager
def temporary_database(
    *, clock: ManualClock | None = None, configuration: Mapping[str, Any] | None = None
) -> Iterator["Database"]:
    """An empty database in memory that is gone at the end of the ``with`` block.

    Example:
        >>> from rowstone.testing import ManualClock, temporary_database
        >>> clock = ManualClock(1_000)
        >>> with temporary_database(clock=clock) as db:
        ...     _ = db.create_table("t", {"f": {"ttl": 1}})
        ...     t = db.table("t")
        ...     t.put("row", {"f:q": "value"})
        ...     clock.advance(1_001)
        ...     print(bool(t.get("row")))
        False
    """
    from rowstone._connect import connect

    with connect(":memory:", clock=clock, configuration=configuration) as db:
        yield db
