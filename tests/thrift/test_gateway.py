"""The Thrift gateway: scanners and their owners, authentication, HTTP, `rowstone serve`."""

from __future__ import annotations

import base64
import http.client
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import happybase
import rowstone as rs
from rowstone.errors import InvalidArgument, StorageError
from rowstone.server.thrift import Credentials, Gateway
from rowstone.server.thrift._scanners import OpenScanner, Scanners, TooManyScanners, UnknownScanner
from tests.thrift import clients, messages


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as database:
        database.create_table("t", ["f"])
        with database.table("t").batch() as batch:
            for number in range(20):
                batch.put(b"row%02d" % number, {"f:q": b"%d" % number})
        yield database


class Clock:
    """A clock in seconds, moved by the test."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def scanner(db: rs.Database, user: str | None = None) -> OpenScanner:
    return OpenScanner(lambda: db.table("t").scan(), user)


def test_idle_scanners_expire(db: rs.Database) -> None:
    clock = Clock()
    scanners = Scanners(60, clock=clock)
    number = scanners.add(scanner(db))
    for _ in range(3):
        clock.now += 59
        assert len(scanners.get(number, None).next(2)) == 2
    clock.now += 61
    with pytest.raises(UnknownScanner):
        scanners.get(number, None)
    assert len(scanners) == 0


def test_a_scanner_whose_rows_take_long_is_not_idle(db: rs.Database) -> None:
    """Regression: it expired while a request used it, and the thread that accepts clients waited for that."""
    clock = Clock()
    scanners = Scanners(60, clock=clock)
    seen = []

    def start() -> rs.Scanner:
        clock.now += 61
        forget = threading.Thread(target=scanners.forget_idle, daemon=True)
        forget.start()
        forget.join(20)
        seen.append((forget.is_alive(), len(scanners)))
        return db.table("t").scan()

    number = scanners.add(OpenScanner(start, None))
    assert len(scanners.get(number, None).next(2)) == 2
    assert seen == [(False, 1)]
    clock.now += 59
    assert len(scanners.get(number, None).next(2)) == 2


def test_a_scanner_is_its_users(db: rs.Database) -> None:
    scanners = Scanners(60)
    number = scanners.add(scanner(db, "ann"))
    for user in ("bob", None):
        with pytest.raises(UnknownScanner):
            scanners.get(number, user)
        with pytest.raises(UnknownScanner):
            scanners.close(number, user)
    scanners.close(number, "ann")
    assert len(scanners) == 0


def test_scanners_are_not_without_number(db: rs.Database) -> None:
    scanners = Scanners(60, most=2)
    numbers = [scanners.add(scanner(db)) for _ in range(2)]
    with pytest.raises(TooManyScanners):
        scanners.add(scanner(db))
    scanners.close(numbers[0], None)
    assert scanners.add(scanner(db)) not in numbers[1:]


def test_a_scanner_may_be_read_by_another_connection(db: rs.Database) -> None:
    with rs.server.thrift.serve(db, port=0) as gateway, clients.client(1, gateway.port) as first:
        number = first.scannerOpen(b"t", b"row18", [], {})
        with clients.client(1, gateway.port, "framed", "compact") as second:
            assert [row.row for row in second.scannerGetList(number, 5)] == [b"row18", b"row19"]


def test_a_change_behind_an_increment_is_never_hidden(db: rs.Database) -> None:
    with rs.server.thrift.serve(db, port=0) as gateway:
        table = happybase.Connection("127.0.0.1", gateway.port).table("t")
        for _ in range(20):
            for _ in range(5):
                table.counter_inc(b"count", b"f:n")
            table.counter_set(b"count", b"f:n", 0)
            assert table.counter_get(b"count", b"f:n") == 0


def post(port: int, body: bytes, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("POST", "/", body, {"Content-Type": "application/x-thrift", **(headers or {})})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize("body", [messages.TABLE_NAMES, messages.COMPACT_TABLE_NAMES], ids=["binary", "compact"])
def test_http_takes_calls_on_the_same_port(db: rs.Database, body: bytes) -> None:
    with rs.server.thrift.serve(db, port=0) as gateway:
        status, answer = post(gateway.port, body)
        assert status == 200
        assert b"getTableNames" in answer
        connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=20)
        for _ in range(3):
            connection.request("POST", "/any/path", body, {"Content-Type": "application/x-thrift"})
            assert connection.getresponse().read() == answer
        connection.close()


def test_thriftpy2s_http_client_works(db: rs.Database) -> None:
    from thriftpy2.http import make_client

    with rs.server.thrift.serve(db, port=0) as gateway:
        client = make_client(clients.service(1), host="127.0.0.1", port=gateway.port, timeout=20_000)
        assert client.getTableNames() == [b"t"]
        number = client.scannerOpen(b"t", b"row19", [], {})
        assert len(client.scannerGetList(number, 5)) == 1
        client.close()


def test_unauthenticated_clients_get_no_data(db: rs.Database) -> None:
    asked: list[Credentials] = []

    def authenticate(credentials: Credentials) -> str | None:
        asked.append(credentials)
        return "ann" if (credentials.user, credentials.password) == ("ann", "secret") else None

    with rs.server.thrift.serve(db, port=0, authenticate=authenticate) as gateway:
        good = {"Authorization": "Basic " + base64.b64encode(b"ann:secret").decode()}
        bad = {"Authorization": "Basic " + base64.b64encode(b"ann:wrong").decode()}
        assert post(gateway.port, messages.TABLE_NAMES, good)[0] == 200
        for headers in (
            bad,
            {},
            {"Authorization": "Basic !"},
            {"Authorization": "Bearer x"},
            {"Authorization": "Basic \xe9"},
        ):
            assert post(gateway.port, messages.TABLE_NAMES, headers) == (401, b"")
        with pytest.raises(Exception, match="read 0 bytes"), clients.client(1, gateway.port) as client:
            client.getTableNames()
    assert asked[0].address == "127.0.0.1"
    assert asked[-1].user is None


def test_credentials_do_not_show_their_password() -> None:
    shown = repr(Credentials("10.0.0.1", "ann", "a secret", {"authorization": "a secret"}))
    assert "ann" in shown
    assert "secret" not in shown


def test_calls_have_the_permissions_of_their_user() -> None:
    from thriftpy2.http import THttpHeaderFactory, make_client

    with rs.connect(":memory:", configuration={"hbase.security.authorization": True}) as db:
        db.create_table("t", ["f"])
        db.table("t").put("row", {"f:q": "value"})
        db.admin.permissions.grant("ann", "R", table="t")
        with rs.server.thrift.serve(db, port=0, authenticate=lambda credentials: credentials.user) as gateway:
            header = {"Authorization": "Basic " + base64.b64encode(b"ann:").decode()}
            client = make_client(
                clients.service(1),
                host="127.0.0.1",
                port=gateway.port,
                http_header_factory=THttpHeaderFactory(header),
                timeout=20_000,
            )
            assert len(client.getRow(b"t", b"row", {})) == 1
            put = clients.module(1).Mutation(column=b"f:q", value=b"other")
            with pytest.raises(clients.module(1).IOError) as refused:
                client.mutateRow(b"t", b"row", [put], {})
            assert refused.value.message.startswith("org.apache.hadoop.hbase.security.AccessDeniedException: ")
            assert not refused.value.canRetry
            client.close()


def test_wrong_calls_of_serve_are_refused(db: rs.Database) -> None:
    for options in ({"version": 3}, {"host": "here"}, {"host": "0.0.0.0"}, {"max_message_bytes": 10}):
        with pytest.raises(InvalidArgument):
            rs.server.thrift.serve(db, port=0, **options)  # type: ignore[arg-type]
    with rs.server.thrift.serve(db, port=0) as gateway, pytest.raises(StorageError):
        rs.server.thrift.serve(db, port=gateway.port)
    assert isinstance(gateway, Gateway)


def test_a_server_has_all_ports_and_regions_are_at_its_own(db: rs.Database) -> None:
    with rs.serve(db, port=0, zk_port=None, thrift_port=0, thrift2_port=0) as server:
        assert server.thrift_port is not None
        assert server.thrift2_port is not None
        connection = happybase.Connection("127.0.0.1", server.thrift_port)
        [region] = connection.table("t").regions()
        assert (region["server_name"], region["port"]) == (b"127.0.0.1", server.port)
        with clients.client(2, server.thrift2_port) as client:
            assert client.exists(b"t", clients.module(2).TGet(row=b"row01"))
        connection.close()
    with rs.serve(db, port=0, zk_port=None) as server:
        assert (server.thrift_port, server.thrift2_port) == (None, None)


def test_a_port_that_is_taken_leaves_no_server_behind(tmp_path: Path) -> None:
    with rs.connect(":memory:") as other, rs.server.thrift.serve(other, port=0) as gateway:
        with pytest.raises(StorageError):
            rs.serve(tmp_path / "db", port=0, zk_port=None, thrift_port=0, thrift2_port=gateway.port)
        with rs.connect(tmp_path / "db") as db:
            assert db.tables() == []


def test_rowstone_serve_says_its_thrift_ports(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-c",
        "from rowstone.cli import main; main()",
        "serve",
        str(tmp_path / "db"),
        "--port",
        "0",
        "--zk-port",
        "-1",
    ]
    command += ["--thrift-port", "0", "--thrift2-port", "0", "--log-format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            ready: dict[str, Any] = json.loads(process.stdout.readline())
            connection = happybase.Connection("127.0.0.1", ready["thrift_port"])
            connection.create_table("t", {"f": {}})
            with clients.client(2, ready["thrift2_port"]) as client:
                assert client.tableExists(clients.module(2).TTableName(qualifier=b"t"))
            connection.close()
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
