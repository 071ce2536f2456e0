"""Context of pages and endpoints."""

from __future__ import annotations

import itertools
import os
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from rowstone.errors import AccessDenied, RowstoneError
from rowstone.server.dashboard._figures import figures_of
from rowstone.server.dashboard._heat import HeatSource
from rowstone.server.dashboard._history import History

if TYPE_CHECKING:
    from rowstone._core.database import Database
    from rowstone.server.serve import Server

_MOST_NAMES = 10


@dataclass(frozen=True)
class Site:
    """A database, its server if there is one, and the recent metrics of both.

    Attributes:
        titles: Titles of the pages by the first part of their path, in menu order.
        has_data: Whether there are pages with the data of tables. can_write: Whether those can change data.
        has_sql: Whether there is a page for SQL.
        heat: Heat maps of the tables.
        changes: Changes by the pages that may be undone, the newest last.
        outcomes: Outcomes of the last 20 changes that no page has shown, newest last. numbers: Numbers for them.
        access_token: A secret that clients must present, in the address or as a cookie; empty: none is needed.
    """

    database: Database
    server: Server | None
    history: History
    titles: Mapping[str, str]
    heat: HeatSource
    has_data: bool = False
    can_write: bool = False
    has_sql: bool = False
    access_token: str = field(default="", repr=False)
    changes: deque[Any] = field(default_factory=lambda: deque(maxlen=20))
    outcomes: deque[Any] = field(default_factory=lambda: deque(maxlen=20))
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1), repr=False)
    started_seconds: float = field(default_factory=time.time)
    _secret: bytes = field(default_factory=lambda: os.urandom(32), repr=False)

    def token_of(self, user: str, purpose: str) -> str:
        """The token of a user's forms for one purpose, which pages of other sites cannot read."""
        import hmac

        return hmac.new(self._secret, f"{purpose}:{user}".encode(), "sha256").hexdigest()

    @property
    def host(self) -> str:
        """The machine's host name."""
        return os.uname().nodename


@dataclass(frozen=True)
class Request:
    """A request for a page.

    Attributes:
        rest: The rest of the path, a table's name. query: The query parameters. form: The fields of a POST.
        page: The first part of the path.
        database: The database as the user sees it. user: Their name, empty without authentication.
        client: Their address.
    """

    rest: str
    query: Mapping[str, str]
    database: Database
    user: str = ""
    client: str = ""
    form: Mapping[str, str] = field(default_factory=dict)
    page: str = ""

    def number(self, name: str, default: int, least: int = 1) -> int:
        """An integer parameter, at least ``least``; the default if it is invalid."""
        text = self.query.get(name, "")
        return max(int(text), least) if text.isascii() and text.isdigit() and len(text) < 9 else default


def check_heat(site: Site, database: Database, name: str) -> None:
    """Raise `AccessDenied` unless the user whose view the database is may see the heat map of a table: it has keys."""
    # The site's own database has all permissions, and may be that of a cluster, whose servers count.
    if database is not site.database:
        database.admin.metrics.was_used(name)


def may_see_heat(site: Site, database: Database, name: str) -> bool:
    """Whether `check_heat` passes."""
    try:
        check_heat(site, database, name)
    except AccessDenied:
        return False
    return True


class NotFound(Exception):
    """The page or object does not exist; the message names what is missing.

    ``tables`` are names of tables that exist. They follow the message, on pages as links.
    """

    def __init__(self, reason: str, tables: Sequence[str] = ()) -> None:
        super().__init__(f"{reason} {', '.join(tables)}." if tables else reason)
        self.reason = reason
        self.tables = tuple(tables)


def no_table(database: Database, name: str) -> NotFound:
    """The error, with the names of the tables that exist: all, or of many the most similar ones."""
    text = f"There is no table '{name}'."
    try:
        names = database.tables()
    except RowstoneError:
        return NotFound(text)
    if not names:
        return NotFound(f"{text} The database has no tables.")
    shown = names if len(names) <= _MOST_NAMES else get_close_matches(name, names, _MOST_NAMES, 0.3)
    which = "The tables are" if len(names) > 1 else "The only table is"
    which = which if shown is names else "Similar names are"
    return NotFound(f"{text} {which}:", shown) if shown else NotFound(text)


def site_of(database: Database, server: Server | None, titles: Mapping[str, str], **options: Any) -> Site:
    """Create the site of a database; ``options`` are attributes of `Site`."""
    given: dict[str, Any] = {"heat": HeatSource(database), **options}
    return Site(database, server, History(lambda: figures_of(database, server)), titles, **given)


def address_of(page: str, rest: str = "", /, **query: object) -> str:
    """The URL path of one of our pages.

    >>> address_of("tables", "n:t", page=2), address_of("")
    ('/tables/n%3At?page=2', '/')
    """
    path = f"/{page}/{quote(rest, safe='')}" if rest else f"/{page}"
    given = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in query.items() if value)
    return f"{path}?{given}" if given else path
