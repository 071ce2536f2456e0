"""Queries in SQL that the explorer offers."""

from __future__ import annotations

from rowstone.server.dashboard._site import Request, Site, address_of

_LARGEST_ROWS = (
    "-- bytes: keys, names, timestamps and values of all stored versions and markers, before compression\n"
    "SELECT row, count(*) AS cells,\n"
    "  sum(20 + octet_length(row) + octet_length(family) + octet_length(qualifier) + octet_length(value)) AS bytes\n"
    "FROM stored GROUP BY row ORDER BY bytes DESC LIMIT 20"
)
TWO_ROWS = (
    "SELECT family, qualifier, a.value AS a, b.value AS b, a.value IS DISTINCT FROM b.value AS differs\n"
    "FROM (FROM cells WHERE row = 'KEY 1') a\n"
    "FULL JOIN (FROM cells WHERE row = 'KEY 2') b USING (family, qualifier) ORDER BY differs DESC"
)
EXAMPLES = {
    "largest rows": _LARGEST_ROWS,
    "columns by frequency": "SELECT family, qualifier, count(*) AS rows\n"
    "FROM cells GROUP BY ALL ORDER BY rows DESC LIMIT 20",
    "newest cells": "SELECT row, family, qualifier, epoch_ms(timestamp) AS time\n"
    "FROM cells ORDER BY timestamp DESC LIMIT 20",
    "two rows side by side": TWO_ROWS,
}
"""Queries that a link puts into the form and, unless keys must be filled in, runs."""


def largest_rows(site: Site, request: Request) -> str:
    """The address of the largest rows of a table."""
    return address_of("sql", request.rest, query=_LARGEST_ROWS, token=site.token_of(request.user, "sql"))
