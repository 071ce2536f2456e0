"""Failures of a real HBase that a client survives, with correct results, nothing twice and nothing missing."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone import errors
from tests.hbase.cluster.proxy import CuttingProxy
from tests.hbase.cluster.server import StandaloneHBase

PUTS = 100_000
LEASE_SECONDS = 15


@pytest.fixture(scope="module")
def mortal() -> Iterator[StandaloneHBase]:
    """A server that the tests may kill: what it acknowledged is with the operating system, and its leases are short."""
    settings = {
        "fs.file.impl": "org.apache.hadoop.fs.RawLocalFileSystem",
        "hbase.wal.provider": "filesystem",
        # Also how long a starting master waits for hbase:meta.
        "hbase.client.scanner.timeout.period": str(LEASE_SECONDS * 1000),
    }
    with StandaloneHBase(servers=1, settings=settings) as server:
        yield server


def keys(count: int) -> list[bytes]:
    return [f"{number:08}".encode() for number in range(count)]


def test_a_server_is_killed_during_puts(mortal: StandaloneHBase) -> None:
    with rs.connect(mortal.url) as db:
        db.create_table("puts", ["f"], splits=["00050000"])
        table = db.table("puts")
        problems: list[BaseException] = []

        def write() -> None:
            try:
                with table.batch(buffer_bytes=50_000) as batch:
                    for key in keys(PUTS):
                        batch.put(key, {"f:a": key})
                        if key.endswith(b"00"):
                            # HBase may have forgotten the value, but not that it was added.
                            with contextlib.suppress(errors.ResultLost):
                                table.increment("counter", "f:n")
            except BaseException as error:
                problems.append(error)

        writer = threading.Thread(target=write)
        writer.start()
        while not table.exists("00020000"):
            time.sleep(0.01)
        mortal.kill()
        mortal.start()
        writer.join()
        assert problems == []
        assert [row.key for row in table.scan(stop="counter")] == keys(PUTS)
        # A restart forgets nonces: an increment whose answer was lost may have been done twice, but never lost.
        assert table.increment("counter", "f:n", 0) in (PUTS // 100, PUTS // 100 + 1)


def test_a_server_is_killed_during_a_scan(mortal: StandaloneHBase) -> None:
    with rs.connect(mortal.url) as db:
        table = db.table("puts")
        for reverse in (False, True):
            found: list[bytes] = []
            with table.scan(start=None if not reverse else "counter", stop="counter" if not reverse else None,
                            include_start=False, reverse=reverse) as rows:  # fmt: skip
                for row in rows:
                    found.append(row.key)
                    if len(found) == PUTS // 3:
                        mortal.kill()
                        mortal.start()
            assert found == (keys(PUTS)[::-1] if reverse else keys(PUTS))


def test_a_scanner_is_idle_beyond_its_lease(mortal: StandaloneHBase) -> None:
    with rs.connect(mortal.url) as db, db.table("puts").scan(stop="counter") as rows:
        found = [next(rows).key for _ in range(50)]
        time.sleep(LEASE_SECONDS * 1.3)
        found += [row.key for row in rows]
    assert found == keys(PUTS)


def test_a_dead_server_ends_in_an_error_within_the_time(mortal: StandaloneHBase) -> None:
    with rs.connect(mortal.url, operation_timeout_ms=1500) as db:
        table = db.table("puts")
        assert table.exists("00000000")
        mortal.kill()
        started = time.monotonic()
        with pytest.raises((errors.ConnectionFailed, errors.OperationTimeout)):
            table.get("00000000")
        assert time.monotonic() - started < 15
        mortal.start()
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                assert table.exists("00000000")
                break
            except (errors.ClusterError, errors.RetryError):
                continue


def test_regions_split_and_move_under_a_scan(cluster: rs.Database) -> None:
    cluster.create_table("moving", ["f"], splits=["00010000"])
    table = cluster.table("moving")
    wanted = keys(30_000)
    with table.batch() as batch:
        for key in wanted:
            batch.put(key, {"f:a": key})
    servers = [server.name for server in cluster.admin.servers.status().servers]
    cluster.admin.switches.set("balancer", False)

    def move(number: int) -> None:
        if len(cluster.admin.regions.list("moving")) == 2:
            cluster.admin.regions.split(cluster.admin.regions.list("moving")[1], "00020000")
        for place in cluster.admin.regions.locations("moving"):
            cluster.admin.regions.move(place.region, servers[number % 2])

    for reverse in (False, True):
        found: list[bytes] = []
        steps = 0
        for row in table.scan(reverse=reverse):
            found.append(row.key)
            if len(found) % 9_000 == 0:
                steps += 1
                move(steps)
        assert found == (wanted[::-1] if reverse else wanted)
    assert [row.key for row in table.get_many(wanted[::1000])] == wanted[::1000]
    cluster.admin.switches.set("balancer", True)
    cluster.drop_table("moving", force=True)


def test_connections_are_cut_in_the_middle_of_frames(cluster: rs.Database, hbase: StandaloneHBase) -> None:
    cluster.create_table("cut", ["f"], splits=["00002000"])
    ports = [int(server.name.split(",")[1]) for server in cluster.admin.servers.status().servers]
    proxies = [CuttingProxy(port, least=200, most=600_000, seed=port) for port in ports]
    hosts = {f"localhost:{port}": f"127.0.0.1:{proxy.port}" for port, proxy in zip(ports, proxies, strict=True)}
    wanted = keys(4_000)
    with rs.connect(hbase.url, hosts=hosts) as db:
        table = db.table("cut")
        rounds = 0
        while sum(proxy.cuts for proxy in proxies) < 20 or rounds < 2:
            rounds += 1
            with table.batch(buffer_bytes=20_000) as batch:
                for key in wanted:
                    batch.put(key, {"f:a": key * 10})
            for _ in range(300):
                table.increment("n", "f:n")
            assert table.increment("n", "f:n", 0) == 300 * rounds
            assert [row.key for row in table.scan(stop="n")] == wanted
            assert [row.key for row in table.get_many(wanted)] == wanted
        for proxy in proxies:
            proxy.calm()
            proxy.close()
    cluster.drop_table("cut", force=True)


def test_targets_that_are_no_hbase(hbase: StandaloneHBase) -> None:
    for url in (
        "hbase://127.0.0.1:1",
        "hbase://no-such-host.invalid:16000",
        f"hbase://127.0.0.1:{hbase.zookeeper_port}",
    ):
        started = time.monotonic()
        with pytest.raises(errors.ConnectionFailed):
            rs.connect(url, connect_timeout_ms=3_000)
        assert time.monotonic() - started < 10
    assert issubclass(errors.ConnectionFailed, ConnectionError)
