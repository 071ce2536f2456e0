"""Context of pages and endpoints."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

from rowstone.server.dashboard._figures import figures_of
from rowstone.server.dashboard._history import History

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone.server.serve import Server


@dataclass(frozen=True)
class Site:
    """A database, its server if there is one, and the recent metrics of both."""

    database: Database
    server: Server | None
    history: History
    started_seconds: float = field(default_factory=time.time)

    @property
    def host(self) -> str:
        """The machine's host name."""
        return os.uname().nodename


@dataclass(frozen=True)
class Request:
    """A request for a page: the rest of its path, and the query parameters."""

    rest: str = ""
    query: Mapping[str, str] = field(default_factory=dict)

    def number(self, name: str, default: int) -> int:
        """An integer parameter, at least 1; the default if it is invalid."""
        text = self.query.get(name, "")
        return max(int(text), 1) if text.isascii() and text.isdigit() and len(text) < 9 else default


class NotFound(Exception):
    """The page or object does not exist; the message names what is missing."""


def site_of(database: Database, server: Server | None) -> Site:
    """Create the site of a database."""
    return Site(database, server, History(lambda: figures_of(database, server)))


def address_of(page: str, rest: str = "", /, **query: object) -> str:
    """The URL path of one of our pages.

    >>> address_of("tables", "n:t", page=2), address_of("")
    ('/tables/n%3At?page=2', '/')
    """
    path = f"/{page}/{quote(rest, safe='')}" if rest else f"/{page}"
    given = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in query.items() if value)
    return f"{path}?{given}" if given else path
