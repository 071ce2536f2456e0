"""What every page and endpoint is given."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

from rowstone.sight._figures import figures_of
from rowstone.sight._history import History

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone._server.serve import Server


@dataclass(frozen=True)
class Site:
    """A database, the server in front of it if there is one, and what was seen of both of late."""

    database: Database
    server: Server | None
    history: History
    started_seconds: float = field(default_factory=time.time)

    @property
    def host(self) -> str:
        """The machine's name."""
        return os.uname().nodename


@dataclass(frozen=True)
class Request:
    """What a page is asked: the rest of its address, and the parameters behind it."""

    rest: str = ""
    query: Mapping[str, str] = field(default_factory=dict)

    def number(self, name: str, default: int) -> int:
        """A whole number, at least 1; the default where it is none."""
        text = self.query.get(name, "")
        return max(int(text), 1) if text.isascii() and text.isdigit() and len(text) < 9 else default


class NotFound(Exception):
    """There is no such page; the message says what is not there."""


def site_of(database: Database, server: Server | None) -> Site:
    """The site of a database."""
    return Site(database, server, History(lambda: figures_of(database, server)))


def address_of(page: str, rest: str = "", /, **query: object) -> str:
    """An address of ours.

    >>> address_of("tables", "n:t", page=2), address_of("")
    ('/tables/n%3At?page=2', '/')
    """
    path = f"/{page}/{quote(rest, safe='')}" if rest else f"/{page}"
    given = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in query.items() if value)
    return f"{path}?{given}" if given else path
