"""Fixtures for pytest: an isolated database in milliseconds.

- ``rowstone_clock``: a `rowstone.testing.ManualClock` at 1,700,000,000,000 ms.
- ``rowstone_db``: an empty ``:memory:`` database for each test. Its clock is ``rowstone_clock`` in tests that use that
  fixture too, and the machine's clock in others.
- ``rowstone_server``: the URL of a server of that database, for HBase clients.
- ``rowstone_happybase``: a `rowstone.happybase.Connection` to that database.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from rowstone import Database
    from rowstone.happybase import Connection
    from rowstone.testing import ManualClock

_START_MS = 1_700_000_000_000


@pytest.fixture
def rowstone_clock() -> "ManualClock":
    """A clock that stands still until the test moves it."""
    from rowstone.testing import ManualClock

    return ManualClock(_START_MS)


@pytest.fixture
def rowstone_db(request: pytest.FixtureRequest) -> Iterator["Database"]:
    """An empty database in memory, for this test alone."""
    from rowstone.testing import temporary_database

    clock = request.getfixturevalue("rowstone_clock") if "rowstone_clock" in request.fixturenames else None
    with temporary_database(clock=clock) as db:
        yield db


@pytest.fixture
def rowstone_server(rowstone_db: "Database") -> Iterator[str]:
    """The URL of a server of `rowstone_db`: ``hbase://127.0.0.1:PORT``."""
    from rowstone import serve

    with serve(rowstone_db, port=0, zk_port=None) as server:
        yield server.url


@pytest.fixture
def rowstone_happybase(rowstone_db: "Database") -> "Connection":
    """The happybase API on top of `rowstone_db`."""
    from rowstone.happybase import Connection

    return Connection(database=rowstone_db)
