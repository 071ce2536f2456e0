"""Leases: a scanner that its client abandoned expires."""

from __future__ import annotations

import rowstone as rs
from rowstone.server.dashboard._figures import figures_of
from tests.checklist import checklist

ROWS = 10_000
MOST_SCANS = 1_000


def fill(db: rs.Database) -> None:
    """Fill a table that does not fit into one answer, nor into those that a client requests ahead."""
    db.create_table("t", ["f"])
    table = db.table("t")
    for first in range(0, ROWS, 1_000):
        table.multi([rs.Put(f"{number:06}", {"f:q": b"v" * 1_000}) for number in range(first, first + 1_000)])


def numbers(server: rs.Server) -> tuple[int, int, int]:
    """Numbers of scanners: open for clients, expired on the server, and open in the store."""
    figures = figures_of(server.database, server)
    assert figures.calls is not None
    found = figures.calls.numbers
    return found["open_scanners"], found["expired_scanners"], figures.stats["open_scanners"]


@checklist("067", clause="an abandoned one is freed when its lease ends")
def test_an_abandoned_scanner_is_freed_when_its_lease_ends() -> None:
    # A lease of a millisecond expires as soon as the clock moves.
    with rs.serve(":memory:", port=0, zk_port=None, lease_ms=1) as server, rs.connect(server.url) as client:
        fill(server.database)
        table = client.table("t")
        abandoned = table.scan()
        first = next(abandoned)
        for _ in range(MOST_SCANS):
            # Continuing a scan makes the server check the leases; it also does that once a second.
            assert sum(1 for _ in table.scan()) == ROWS
            still_open, expired, in_store = numbers(server)
            if still_open == 0:
                break
        assert (still_open, in_store) == (0, 0)
        assert expired >= 1
        # The client can still continue: it resumes after the last row that it received.
        assert [first.key, *(row.key for row in abandoned)] == [b"%06d" % number for number in range(ROWS)]


@checklist("067", clause="an abandoned one is freed when its lease ends")
def test_a_scanner_is_kept_while_its_lease_runs() -> None:
    with rs.serve(":memory:", port=0, zk_port=None) as server, rs.connect(server.url) as client:
        fill(server.database)
        with client.table("t").scan() as slow:
            next(slow)
            assert sum(1 for _ in client.table("t").scan()) == ROWS
            assert numbers(server) == (1, 0, 1)
        # The client does not wait for the call that closes the scanner.
        for _ in range(MOST_SCANS):
            client.table("t").get("000000")
            if numbers(server) == (0, 0, 0):
                break
        assert numbers(server) == (0, 0, 0)
