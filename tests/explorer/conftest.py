"""A database in memory, its explorer, and a client that has the token."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest

import rowstone as rs
from rowstone.server.dashboard import Dashboard, explore
from rowstone.testing import ManualClock

NOW = 1_700_000_000_000


@dataclass(frozen=True)
class Answer:
    """A response."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def html(self) -> str:
        """The body as text."""
        return self.body.decode()

    @property
    def text(self) -> str:
        """Text of the page below the menu, with single spaces."""
        main = self.html.partition("<main>")[2].partition("</main>")[0]
        return re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", " ", main)))


@dataclass
class Visitor:
    """A client of a page; ``cookie`` is sent with each request."""

    url: str
    headers: dict[str, str] = field(default_factory=dict)

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        place = urlsplit(self.url)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
        try:
            connection.request(method, path, body, {**self.headers, **(headers or {})})
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def get(self, page: str, table: str = "t", /, **query: Any) -> Answer:
        """A page of a table; ``first`` is the parameter ``from``."""
        if "first" in query:
            query["from"] = query.pop("first")
        return self.request("GET", f"/{page}/{quote(table, safe='')}?{urlencode(query)}")

    def text(self, page: str, table: str = "t", /, **query: Any) -> str:
        """The text of a page that exists."""
        found = self.get(page, table, **query)
        assert found.status == 200, (found.status, found.html)
        return found.text

    def post(self, page: str, table: str = "t", headers: dict[str, str] | None = None, /, **form: Any) -> Answer:
        """A form of a table's page."""
        sent = {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}
        return self.request("POST", f"/{page}/{quote(table, safe='')}", urlencode(form).encode(), sent)

    def token(self, table: str = "t") -> str:
        """The token in the forms that change data."""
        found = re.search(r'name="token" value="([0-9a-f]+)"', self.get("edit", table).html)
        assert found is not None
        return found[1]


def admit(page: Dashboard) -> Visitor:
    """A client with the cookie that the address of an explorer gives."""
    place = urlsplit(page.url)
    visitor = Visitor(f"{place.scheme}://{place.netloc}")
    answer = visitor.request("GET", f"{place.path}?{place.query}")
    assert answer.status == 303, answer
    visitor.headers["Cookie"] = answer.headers["set-cookie"].partition(";")[0]
    return visitor


@pytest.fixture
def db() -> Iterator[rs.Database]:
    """A table ``t`` with two families, of which ``f`` keeps three versions."""
    with rs.connect(":memory:", clock=ManualClock(NOW)) as found:
        found.create_table("t", {"f": rs.Family(max_versions=3), "g": {}})
        yield found


@pytest.fixture
def visitor(db: rs.Database) -> Iterator[Visitor]:
    """A client of the read-only explorer."""
    with explore(db) as page:
        yield admit(page)


@pytest.fixture
def writer(db: rs.Database) -> Iterator[Visitor]:
    """A client of an explorer that allows changes."""
    with explore(db, write=True) as page:
        yield admit(page)
