"""Three layouts of a list. Entries are sorted and read from the first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Protocol

from examples.case_studies.measure.counted import Counted

from rowstone.filters import ColumnPaginationFilter
from rowstone.keys import Key, text, uint32

PAGE = 50
"""Entries of a page."""

Put = tuple[bytes, Any]


class Form(Protocol):
    """A layout of a list."""

    name: str
    key: str

    def rows(self, user: str, entries: list[str]) -> Iterator[Put]:
        """The rows of a user's list."""

    def first(self, table: Counted, user: str, count: int) -> list[str]:
        """The first entries."""

    def all(self, table: Counted, user: str) -> list[str]:
        """All entries."""

    def has(self, table: Counted, user: str, entry: str) -> bool:
        """Whether an entry is in the list."""

    def add(self, table: Counted, user: str, entry: str) -> None:
        """Adds an entry where it belongs."""


class Tall:
    """A row per entry, without a value."""

    name = "tall"
    key = "[user][entry]"
    row = Key(text("user"), text("entry"))

    def rows(self, user: str, entries: list[str]) -> Iterator[Put]:
        """See `Form`."""
        return ((self.row.encode(user, entry), {"d:": ""}) for entry in entries)

    def first(self, table: Counted, user: str, count: int) -> list[str]:
        """A scan with a limit."""
        with table.scan(*self.row.range(user=user), limit=count) as rows:
            return [self.row.decode(row.key).entry for row in rows]

    def all(self, table: Counted, user: str) -> list[str]:
        """A scan."""
        with table.scan(*self.row.range(user=user)) as rows:
            return [self.row.decode(row.key).entry for row in rows]

    def has(self, table: Counted, user: str, entry: str) -> bool:
        """A get."""
        return bool(table.get(self.row.encode(user, entry)))

    def add(self, table: Counted, user: str, entry: str) -> None:
        """A put."""
        table.put(self.row.encode(user, entry), {"d:": ""})


class Paged:
    """Rows of `PAGE` entries, made by hand: the entries, their number, and whether another page follows."""

    name = "paged"
    key = "[user][page]"
    row = Key(text("user"), uint32("page"))

    def rows(self, user: str, entries: list[str]) -> Iterator[Put]:
        """See `Form`."""
        for place in range(0, max(len(entries), 1), PAGE):
            yield self._page(user, place // PAGE, entries[place : place + PAGE], place + PAGE < len(entries))

    def _page(self, user: str, page: int, entries: list[str], more: bool) -> Put:
        columns = {"d:e": json.dumps(entries), "d:n": str(len(entries)), "d:m": "1" if more else "0"}
        return self.row.encode(user, page), columns

    def first(self, table: Counted, user: str, count: int) -> list[str]:
        """Gets of pages, until there are enough."""
        found: list[str] = []
        page, more = 0, True
        while more and len(found) < count:
            row = table.get(self.row.encode(user, page))
            found += json.loads(row["d:e"])
            more, page = row["d:m"] == b"1", page + 1
        return found[:count]

    def all(self, table: Counted, user: str) -> list[str]:
        """A scan of the pages."""
        with table.scan(*self.row.range(user=user)) as rows:
            return [entry for row in rows for entry in json.loads(row["d:e"])]

    def has(self, table: Counted, user: str, entry: str) -> bool:
        """Reads pages until one ends at or after the entry. Nothing locates the page directly."""
        with table.scan(*self.row.range(user=user)) as rows:
            for row in rows:
                entries = json.loads(row["d:e"])
                if entries and entries[-1] >= entry:
                    return entry in entries
        return False

    def add(self, table: Counted, user: str, entry: str) -> None:
        """Reads all pages and rewrites those from the entry on: each passes its last entry to the next."""
        with table.scan(*self.row.range(user=user)) as rows:
            pages = [json.loads(row["d:e"]) for row in rows]
        entries = sorted({*(one for page in pages for one in page), entry})
        changed = entries.index(entry) // PAGE
        for place in range(changed, (len(entries) - 1) // PAGE + 1):
            more = (place + 1) * PAGE < len(entries)
            table.put(*self._page(user, place, entries[place * PAGE : (place + 1) * PAGE], more))


class Wide:
    """A row per user, a column per entry."""

    name = "wide"
    key = "[user]"
    row = Key(text("user"))

    def rows(self, user: str, entries: list[str]) -> Iterator[Put]:
        """See `Form`."""
        yield self.row.encode(user), {f"d:{entry}": "" for entry in entries}

    def first(self, table: Counted, user: str, count: int) -> list[str]:
        """A get with a limit of columns."""
        return _entries(table.get(self.row.encode(user), cells_per_family=count))

    def first_by_filter(self, table: Counted, user: str, count: int) -> list[str]:
        """The same with a filter, as in HBase's shell."""
        return _entries(table.get(self.row.encode(user), filter=ColumnPaginationFilter(count, 0)))

    def all(self, table: Counted, user: str) -> list[str]:
        """A get of everything at once; large rows are read in pieces."""
        return _entries(table.get(self.row.encode(user)))

    def has(self, table: Counted, user: str, entry: str) -> bool:
        """A get of a column."""
        return bool(table.get(self.row.encode(user), [f"d:{entry}"]))

    def add(self, table: Counted, user: str, entry: str) -> None:
        """A put."""
        table.put(self.row.encode(user), {f"d:{entry}": ""})


def _entries(row: Any) -> list[str]:
    return [cell.qualifier.decode() for cell in row.cells]


FORMS: tuple[Form, ...] = (Tall(), Paged(), Wide())
