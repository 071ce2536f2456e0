"""What a call may use: whose it is, that user's view of the database, and the gateway's scanners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowstone.errors import InvalidName

if TYPE_CHECKING:
    from rowstone._database import Database
    from rowstone._table import Table
    from rowstone.thrift._scanners import Scanners

HERE = ("localhost", 0)
"""Where regions of a directory are that nobody serves."""


def view_of(database: Database, user: str | None) -> Database:
    """The database as ``user`` may use it; where the gateway knows no users, as whoever serves it may."""
    return database if user is None else database.as_user(user)


@dataclass(frozen=True)
class Session:
    """One user's connection, or one request of his over HTTP.

    Attributes:
        database: His view of it.
        user: His name, or None where the gateway knows no users.
        scanners: Open scanners of the whole gateway.
        region_server: Host and port that regions of a directory are said to be at.
    """

    database: Database
    user: str | None
    scanners: Scanners
    region_server: tuple[str, int] = HERE

    def table(self, name: bytes) -> Table:
        """The table of that name. Raises `TableNotFound`, `InvalidName`."""
        return self.database.table(table_name(name))

    def server_of(self, place: str | None) -> tuple[str, int, int]:
        """Host, port and start code of a region's server, of which a cluster says ``"host,port,startcode"``."""
        if place is None:
            return (*self.region_server, 0)
        host, port, start_code = place.split(",")
        return host, int(port), int(start_code)


def table_name(name: bytes) -> str:
    """A table's name as text."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        raise InvalidName(f"{name!r} is no name of a table") from None
