"""REST scanners: idle ones expire and are then reported as gone; their number is limited."""

from __future__ import annotations

import http.client
from concurrent.futures import ThreadPoolExecutor

import pytest

import rowstone as rs
from rowstone.server import rest
from rowstone.server.rest._scanners import OpenScanner, Scanners
from tests.rest.session import JSON, Step, run


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def opened(database: rs.Database, name: str = "t") -> OpenScanner:
    if name not in database.tables():
        database.create_table(name, ["f"])
    return OpenScanner("me", name, database.table(name).scan(), 10)


def test_an_idle_scanner_ends(database: rs.Database) -> None:
    clock = Clock()
    scanners = Scanners(idle_seconds=60, clock=clock)
    first, second = scanners.add(opened(database)), scanners.add(opened(database))
    kept, ended = scanners.get(first), scanners.get(second)
    clock.now = 40
    assert scanners.get(first) is kept
    clock.now = 70
    # The second scanner was idle for a minute, the first was not.
    assert scanners.get(first) is kept
    assert scanners.get(second) is None
    assert scanners.was_open(second)
    assert not scanners.was_open(first)
    assert not scanners.was_open("never")
    assert ended is not None
    assert ended._scanner.closed
    assert kept is not None
    assert not kept._scanner.closed


def test_a_scanner_whose_cells_take_long_is_not_idle(database: rs.Database) -> None:
    """Regression: it was removed while a request used it, and the next request for any scanner waited for that."""
    clock = Clock()
    scanners = Scanners(idle_seconds=60, clock=clock)
    name = scanners.add(opened(database))
    scanner = scanners.get(name)
    assert scanner is not None
    with ThreadPoolExecutor(1) as another:
        with scanners.using(name, scanner):
            clock.now = 61
            assert another.submit(scanners.get, "none").result(timeout=20) is None
            clock.now = 130
        clock.now = 180
        assert another.submit(scanners.get, name).result(timeout=20) is scanner
        assert not scanner._scanner.closed
        clock.now = 241
        assert another.submit(scanners.get, name).result(timeout=20) is None


def test_scanners_in_use_are_not_taken_for_room(database: rs.Database) -> None:
    scanners = Scanners(most=1)
    names = [scanners.add(opened(database))]
    scanner = scanners.get(names[0])
    assert scanner is not None
    with ThreadPoolExecutor(1) as another, scanners.using(names[0], scanner):
        names.append(another.submit(scanners.add, opened(database)).result(timeout=20))
        assert scanners.was_open(names[1])
        assert scanners.get(names[0]) is scanner


def test_the_one_used_longest_ago_makes_room(database: rs.Database) -> None:
    clock = Clock()
    scanners = Scanners(most=2, clock=clock)
    names = []
    for second in range(3):
        clock.now = float(second)
        names.append(scanners.add(opened(database)))
        if second:
            scanners.get(names[0])
    assert [scanners.get(name) is not None for name in names] == [True, False, True]


def test_a_gateway_that_stops_closes_its_scanners(database: rs.Database) -> None:
    with rest.serve(database, port=0) as gateway:
        database.create_table("t", ["f"])
        run(gateway.port, [Step("PUT", "/t/scanner", body={})], "none")
        assert database.admin.metrics.stats()["open_scanners"] == 1
    assert database.admin.metrics.stats()["open_scanners"] == 0


@pytest.mark.parametrize("change", ["disable_table", "drop_table"])
def test_a_scanner_ends_with_its_table(database: rs.Database, change: str) -> None:
    """As in HBase, the scanner of a disabled or deleted table is gone."""
    database.create_table("t", ["f"], splits=["5"])
    for number in range(10):
        database.table("t").put(str(number), {"f:q": "x"})
    with rest.serve(database, port=0) as gateway:
        client = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=30)

        def send(method: str, path: str, body: str | None = None) -> tuple[int, str | None, bytes]:
            client.request(method, path, body, {"Content-Type": JSON, "Accept": JSON})
            answer = client.getresponse()
            return answer.status, answer.headers["Location"], answer.read()

        _, place, _ = send("PUT", "/t/scanner", "{}")
        assert place is not None
        assert send("GET", f"{place}?c=1")[0] == 200
        getattr(database.admin, change)("t", **({"force": True} if change == "drop_table" else {}))
        met = [send("GET", f"{place}?c=1")[0] for _ in range(10)]
        assert met.count(410) == 1
        assert set(met) <= {200, 410, 404}
        assert send("GET", place)[0] == 404
        client.close()
