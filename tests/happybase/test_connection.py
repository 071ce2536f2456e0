"""Connections: opening, sharing and closing; prefixes; errors; `install`."""

from __future__ import annotations

import gc
import os
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import happybase
from rowstone.happybase import _shared
from rowstone.happybase.connection import Connection


@pytest.fixture
def connection(rowstone_db: rs.Database) -> Iterator[Connection]:
    connection = Connection(database=rowstone_db)
    connection.create_table("t", {"cf": {}})
    yield connection
    connection.close()


@pytest.fixture(autouse=True)
def _nothing_is_left_open() -> Iterator[None]:
    yield
    gc.collect()
    assert not _shared._entries


def test_a_directory_is_shared_by_connections_and_closed_with_the_last(tmp_path: Path) -> None:
    first, second = Connection(tmp_path / "db"), Connection(str(tmp_path / "db"))
    assert first.database is second.database
    first.create_table("t", {"cf": {}})
    first.close()
    second.table("t").put("r", {"cf:q": "v"})
    second.close()
    with rs.connect(tmp_path / "db") as db:
        assert db.table("t").get("r")["cf:q"] == b"v"


def test_a_relative_path_and_a_link_mean_the_same_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "db").mkdir()
    (tmp_path / "link").symlink_to("db")
    connections = [Connection("./db"), Connection(tmp_path / "link"), Connection(str(tmp_path / "db"))]
    assert len({id(connection.database) for connection in connections}) == 1


def test_memory_lives_as_long_as_a_connection_to_it() -> None:
    first = Connection(":memory:")
    first.create_table("t", {"cf": {}})
    second = Connection(":memory:")
    first.close()
    assert second.tables() == [b"t"]
    second.close()
    assert Connection(":memory:").tables() == []


def test_a_given_database_stays_open(connection: Connection, rowstone_db: rs.Database) -> None:
    connection.table("t").put("r", {"cf:q": "v"})
    connection.close()
    assert not rowstone_db.closed
    assert rowstone_db.table("t").get("r")["cf:q"] == b"v"
    connection.open()
    assert connection.tables() == [b"t"]


def test_the_environment_stands_for_hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWSTONE_HAPPYBASE", str(tmp_path / "db"))
    for arguments in ((), ("thrift.example.com",), ("thrift.example.com", 9091), (None, None)):
        Connection(*arguments).close()
    assert (tmp_path / "db").is_dir()
    other = Connection(tmp_path / "other")
    assert other.database.path == str(tmp_path / "other")


def test_autoconnect_off_opens_nothing(tmp_path: Path) -> None:
    connection = Connection(tmp_path / "db", timeout=5000, autoconnect=False)
    assert not (tmp_path / "db").exists()
    assert connection.timeout == 5000
    with pytest.raises(happybase.TTransportException):
        connection.tables()
    connection.open()
    connection.open()
    assert connection.tables() == []


def test_a_closed_connection_says_so_and_opens_again(tmp_path: Path) -> None:
    connection = Connection(tmp_path / "db")
    connection.create_table("t", {"cf": {}})
    connection.close()
    connection.close()
    for call in (connection.tables, connection.table("t").families, lambda: connection.table("t").row("r")):
        with pytest.raises(happybase.TTransportException):
            call()
    connection.open()
    assert connection.tables() == [b"t"]


def test_failed_connections_raise_thrift_errors(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(happybase.TException) as caught:
        Connection(tmp_path / "file")
    assert caught.value.__cause__ is not None
    with rs.connect(tmp_path / "db"), pytest.raises(happybase.TTransportException) as caught:
        Connection(tmp_path / "db")
    assert isinstance(caught.value.__cause__, rs.errors.DatabaseLocked)
    with rs.connect(":memory:") as db:
        pass
    with pytest.raises(happybase.TTransportException):
        Connection(database=db)


def test_a_collected_connection_lets_go(tmp_path: Path) -> None:
    connection = Connection(tmp_path / "db")
    del connection
    gc.collect()
    rs.connect(tmp_path / "db").close()


def test_a_cluster_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(happybase.TTransportException, match="ROWSTONE_HAPPYBASE") as caught:
        Connection("127.0.0.1", port, timeout=500)
    assert isinstance(caught.value.__cause__, rs.errors.ConnectionFailed)


@pytest.mark.parametrize("arguments", [{"transport": "x"}, {"compat": "1.0"}, {"protocol": "x"}])
def test_unknown_modes_are_refused(arguments: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="must be one of"):
        Connection(autoconnect=False, **arguments)  # type: ignore[arg-type]


def test_names_with_a_prefix(rowstone_db: rs.Database) -> None:
    plain = Connection(database=rowstone_db)
    mine = Connection(database=rowstone_db, table_prefix="mine")
    dotted = Connection(database=rowstone_db, table_prefix=b"mine", table_prefix_separator=".")
    for connection in (plain, mine, dotted):
        connection.create_table("t", {"cf:": {}})
    assert plain.tables() == [b"mine.t", b"mine_t", b"t"]
    assert mine.tables() == dotted.tables() == [b"t"]
    assert mine.table("t").name == b"mine_t"
    assert mine.table("t", use_prefix=False).name == b"t"
    mine.disable_table("t")
    assert not mine.is_table_enabled("t")
    assert dotted.is_table_enabled("t")
    mine.enable_table("t")
    mine.delete_table("t", disable=True)
    assert plain.tables() == [b"mine.t", b"t"]
    with pytest.raises(TypeError):
        Connection(database=rowstone_db, table_prefix=123)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Connection(database=rowstone_db, table_prefix_separator=2.1)  # type: ignore[arg-type]


def test_tables_of_a_namespace(rowstone_db: rs.Database) -> None:
    rowstone_db.admin.namespaces.create("ns")
    connection = Connection(database=rowstone_db)
    connection.create_table("ns:t", {"cf": {}})
    assert connection.tables() == [b"ns:t"]
    connection.table(b"ns:t").put("r", {"cf:q": "v"})
    assert rowstone_db.table("ns:t").get("r")["cf:q"] == b"v"


def test_older_hbase_has_less(rowstone_db: rs.Database) -> None:
    Connection(database=rowstone_db).create_table("t", {"cf": {}})

    def scan(compat: str, **arguments: object) -> list[object]:
        return list(Connection(database=rowstone_db, compat=compat).table("t").scan(**arguments))  # type: ignore[arg-type]

    for compat, arguments in (
        ("0.90", {"filter": "x"}),
        ("0.94", {"sorted_columns": True}),
        ("0.96", {"reverse": True}),
    ):
        with pytest.raises(NotImplementedError):
            scan(compat, **arguments)
    assert scan("0.96", sorted_columns=True) == scan("0.98", reverse=True) == scan("0.90") == []


def test_errors_say_what_java_would_and_what_rowstone_did(connection: Connection) -> None:
    with pytest.raises(happybase.IOError) as caught:
        connection.table("nope").row("r")
    assert caught.value.message.startswith(b"org.apache.hadoop.hbase.TableNotFoundException: ")
    assert isinstance(caught.value.__cause__, rs.errors.TableNotFound)
    assert isinstance(caught.value, happybase.TException)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is happybase.IOError
    assert again.message == caught.value.message
    with pytest.raises(happybase.AlreadyExists):
        connection.create_table("t", {"cf": {}})


def test_scans_accept_filters(connection: Connection) -> None:
    table = connection.table("t")
    for number in range(4):
        table.put(f"r{number}", {"cf:q": str(number)})
    filters = ("RowFilter(>=, 'binary:r2')", b"ValueFilter(>=, 'binary:2')", rs.filters.PrefixFilter(b"r"))
    assert [len(list(table.scan(filter=each))) for each in filters] == [2, 2, 4]
    assert list(table.scan(filter="PageFilter(1)", limit=5, include_timestamp=True)) == list(
        table.scan(limit=1, include_timestamp=True)
    )
    with pytest.raises(happybase.IllegalArgument):
        list(table.scan(filter="Nope("))


def test_errors_on_the_way_through_a_scan(connection: Connection) -> None:
    table = connection.table("t")
    with table.batch() as batch:
        for number in range(3000):
            batch.put(f"{number:05}", {"cf:q": "v"})
    scan = table.scan()
    next(scan)
    connection.database.close()
    with pytest.raises(happybase.IOError) as caught:
        list(scan)
    assert isinstance(caught.value.__cause__, rs.errors.DatabaseClosed)


def test_one_connection_serves_many_threads(connection: Connection) -> None:
    table = connection.table("t")

    def count() -> None:
        for _ in range(200):
            table.counter_inc("c", "cf:n")

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.counter_get("c", "cf:n") == 1600


def test_a_counter_is_set_however_quickly_it_was_counted(connection: Connection) -> None:
    """Increments within one millisecond are ahead of the clock; a plain put would be hidden behind them."""
    table = connection.table("t")
    for _ in range(20):
        for _ in range(5):
            table.counter_inc("c", "cf:n", 7)
        table.counter_set("c", "cf:n", 3)
        assert table.counter_get("c", "cf:n") == 3


def test_a_connection_in_the_child_of_a_fork_opens_its_own(tmp_path: Path) -> None:
    script = f"""
import os, sys
from rowstone import happybase
connection = happybase.Connection(":memory:")
connection.create_table("t", {{"cf": {{}}}})
child = os.fork()
if child == 0:
    assert not connection.transport.is_open()
    connection.open()
    assert connection.tables() == []
    other = happybase.Connection({str(tmp_path / "db")!r})
    assert other.tables() == []
    sys.stdout.flush()
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert connection.tables() == [b"t"]
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_install_makes_happybase_mean_this_package() -> None:
    script = """
import sys
import rowstone.happybase
rowstone.happybase.install()
rowstone.happybase.install()
import happybase, happybase.util
from happybase.pool import NoConnectionsAvailable
from Hbase_thrift import AlreadyExists, IOError, IllegalArgument
assert happybase is rowstone.happybase
assert happybase.Connection(":memory:").tables() == []
assert happybase.util.bytes_increment(b"a") == b"b"
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_install_refuses_where_the_other_is_there_already() -> None:
    script = """
import sys, types
sys.modules["happybase"] = types.ModuleType("happybase")
import rowstone.happybase, rowstone.errors
try:
    rowstone.happybase.install()
except rowstone.errors.StateError:
    sys.exit(0 if sys.modules["happybase"] is not rowstone.happybase and "Hbase_thrift" not in sys.modules else 1)
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_rowstone_alone_does_not_import_it() -> None:
    script = "import sys, rowstone; sys.exit('rowstone.happybase' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True, env=os.environ)
