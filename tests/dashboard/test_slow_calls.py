"""Slow calls: by the settings of the database, for our shell, for clients and for the page."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.terminal import loop
from tests.dashboard.conftest import Asker

EVERY_CALL = {"hbase.ipc.warn.response.time": 0}


@pytest.fixture
def server() -> Iterator[rs.Server]:
    """A server for which every call is slow, and answers of more than 1,000 bytes are large."""
    settings = {**EVERY_CALL, "hbase.ipc.warn.response.size": 1_000, "hbase.regionserver.slowlog.ringbuffer.size": 50}
    with rs.serve(":memory:", port=0, zk_port=None, info_port=0, configuration=settings) as server:
        server.database.create_table("t", ["f"])
        yield server


def session_of(client: rs.Database, line: str) -> str:
    """Output of the shell."""
    out = io.StringIO()
    assert loop.run_text(Session(client, out), line) == 0
    return out.getvalue()


def test_clients_ask_for_them(client: rs.Database) -> None:
    [name] = client.admin.metrics.servers()
    t = client.table("t")
    t.put("a", {"f:q": b"v" * 2_000})
    t.get("a")
    [call] = client.admin.logs.slow_calls(name, large=True)
    assert call["method_name"] == "Get"
    assert call["param"].endswith("row= a")
    assert call["region_name"].startswith("t,,")
    assert call["type"] == "ALL"
    put = next(one for one in client.admin.logs.slow_calls(name) if one["method_name"] == "Mutate")
    assert put["type"] == "SLOW_LOG"
    assert put["param"].endswith("row= a, type= PUT")
    found = client.admin.logs.slow_calls(name, filters={"TABLE_NAME": "t"}, limit=50)
    assert {one["method_name"] for one in found} == {"Get", "Mutate"}
    assert client.admin.logs.clear_slow_calls([name]) == 1
    assert not client.admin.logs.slow_calls(name, large=True)


def test_our_shell_prints_them(client: rs.Database) -> None:
    client.table("t").get("a")
    text = session_of(client, "get_slowlog_responses '*', {'TABLE_NAME' => 't'}")
    assert text.startswith("Retrieved SlowLog Responses from RegionServers")
    [call] = [json.loads(text[text.index("{") : text.rindex("}") + 1])]
    assert (call["methodName"], call["param"].rpartition(" ")[2]) == ("Get", "a")
    assert "1/1 RegionServers" in session_of(client, "clear_slowlog_responses")
    assert "{" not in session_of(client, "get_slowlog_responses '*', {'TABLE_NAME' => 't'}")


def test_the_oldest_go(server: rs.Server, client: rs.Database) -> None:
    for number in range(60):
        client.table("t").get(f"row{number}")
    calls = server._native.slow_calls()
    assert len(calls) == 50
    assert calls[0]["param"].endswith("row59")
    assert calls[-1]["param"].endswith("row10")
    assert {"queue_time", "response_size", "client_address", "user_name"} <= calls[0].keys()


def test_the_page_shows_them(page: Asker, client: rs.Database) -> None:
    client.table("t").get("<i>row")
    text = page.text("slow")
    assert "row= &lt;i&gt;row" in text
    assert "<i>row" not in text


@pytest.mark.parametrize(
    ("settings", "count"),
    [
        ({}, 0),
        ({**EVERY_CALL, "hbase.regionserver.slowlog.buffer.enabled": False}, 0),
        ({"hbase.ipc.warn.response.time": -1, "hbase.ipc.warn.response.size": 0}, 1),
        (EVERY_CALL, 1),
    ],
)
def test_settings_say_what_is_slow(settings: dict[str, object], count: int) -> None:
    with rs.serve(":memory:", port=0, zk_port=None, configuration=settings) as server:
        server.database.create_table("t", ["f"])
        server.database.table("t").put("a", {"f:q": "value"})
        with rs.connect(server.url) as client:
            client.table("t").get("a")
        gets = [
            call for call in server._native.slow_calls() if call["method_name"] == "Get" and "row= a" in call["param"]
        ]
        assert len(gets) == count
        server._native.clear_slow_calls()
        assert not server._native.slow_calls()


def test_the_second_thrift_service_tells_them_too() -> None:
    """It returns those of the RPC; with access control, to administrators only."""
    from tests.thrift import clients

    t = clients.module(2)
    settings = {
        **EVERY_CALL,
        "hbase.ipc.warn.response.size": 1_000,
        "hbase.security.authorization": True,
        "hbase.superuser": "boss",
    }
    with rs.connect(":memory:", configuration=settings) as db, rs.serve(db, port=0, zk_port=None) as server:
        db.create_table("t", ["f"])
        db.admin.permissions.grant("ann", "RW", table="t")
        with rs.connect(server.url, user="ann") as client:
            client.table("t").put("a", {"f:q": b"v" * 2_000})
            client.table("t").get("a")
        names = [t.TServerName(hostName="localhost", port=server.port, startCode=0)]

        def read_log(user: str, **query: object) -> list[tuple[str, str]]:
            options = {"port": 0, "version": 2, "server": server}
            with (
                rs.server.thrift.serve(db, **options, authenticate=lambda _: user) as gateway,  # type: ignore[arg-type]
                clients.client(2, gateway.port) as caller,
            ):
                found = caller.getSlowLogResponses(names, t.TLogQueryFilter(**query))
                if query.get("limit") == 1:
                    assert caller.clearSlowLogResponses(names) == [True]
                return [(one.methodName, one.userName) for one in found]

        assert read_log("boss", logType=t.TLogType.LARGE_LOG) == [("Get", "ann")]
        assert {name for name, _ in read_log("boss", tableName="t", limit=50)} == {"Get", "Mutate"}
        assert read_log("boss", tableName="none") == []
        both = t.TFilterByOperator.AND
        assert read_log("boss", tableName="t", userName="bob", filterByOperator=both) == []
        assert read_log("boss", tableName="t", userName="ann", filterByOperator=both, limit=50)
        with pytest.raises(t.TIOError, match="AccessDenied"):
            read_log("ann")
        assert len(read_log("boss", limit=1)) == 1
        assert read_log("boss", tableName="t") == []
