"""What a client leaves behind at a server: a scanner that nobody asks any more."""

from __future__ import annotations

import rowstone as rs
from rowstone.sight._figures import figures_of
from tests.checklist import checklist

ROWS = 10_000
MOST_SCANS = 1_000


def fill(db: rs.Database) -> None:
    """A table that no client gets in one answer, nor in those that it asks for ahead."""
    db.create_table("t", ["f"])
    table = db.table("t")
    for first in range(0, ROWS, 1_000):
        table.multi([rs.Put(f"{number:06}", {"f:q": b"v" * 1_000}) for number in range(first, first + 1_000)])


def numbers(server: rs.Server) -> tuple[int, int, int]:
    """Scanners that are open for clients, that the server let go, and that the store keeps cells for."""
    figures = figures_of(server.database, server)
    assert figures.calls is not None
    found = figures.calls.numbers
    return found["open_scanners"], found["expired_scanners"], figures.stats["open_scanners"]


@checklist("067", clause="an abandoned one is freed when its lease ends")
def test_an_abandoned_scanner_is_freed_when_its_lease_ends() -> None:
    # A lease of a millisecond is over as soon as the clock has moved on at all.
    with rs.serve(":memory:", port=0, zk_port=None, lease_ms=1) as server, rs.connect(server.url) as client:
        fill(server.database)
        table = client.table("t")
        abandoned = table.scan()
        first = next(abandoned)
        for _ in range(MOST_SCANS):
            # Whoever goes on with a scan makes the server look at the leases; it does once a second, too.
            assert sum(1 for _ in table.scan()) == ROWS
            still_open, expired, in_store = numbers(server)
            if still_open == 0:
                break
        assert (still_open, in_store) == (0, 0)
        assert expired >= 1
        # Its client may come back all the same: it goes on behind the last row that it had.
        assert [first.key, *(row.key for row in abandoned)] == [b"%06d" % number for number in range(ROWS)]


@checklist("067", clause="an abandoned one is freed when its lease ends")
def test_a_scanner_is_kept_while_its_lease_runs() -> None:
    with rs.serve(":memory:", port=0, zk_port=None) as server, rs.connect(server.url) as client:
        fill(server.database)
        with client.table("t").scan() as slow:
            next(slow)
            assert sum(1 for _ in client.table("t").scan()) == ROWS
            assert numbers(server) == (1, 0, 1)
        # Closing it is a call that the client does not wait for.
        for _ in range(MOST_SCANS):
            client.table("t").get("000000")
            if numbers(server) == (0, 0, 0):
                break
        assert numbers(server) == (0, 0, 0)
