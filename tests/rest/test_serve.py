"""The gateway as a part of `rowstone.serve` and of the command."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.server import dashboard, rest
from tests.rest.session import Step, run
from tests.served.test_serve import command_line


def test_a_served_database_has_both_ports(tmp_path: Path) -> None:
    with rs.serve(tmp_path / "db", port=0, zk_port=None, rest_port=0) as server, rs.connect(server.url) as client:
        client.create_table("t", ["f"])
        client.table("t").put("r", {"f:q": "x"}, timestamp=7)
        assert server.rest_port is not None
        [answer] = run(server.rest_port, [Step("GET", "/t/r")], "none")
        assert answer["body"]["Row"][0]["Cell"][0]["timestamp"] == 7
        [regions] = run(server.rest_port, [Step("GET", "/t/regions")], "none")
        assert regions["body"]["Region"][0]["location"] == "HOST"
        with urllib.request.urlopen(f"http://127.0.0.1:{server.rest_port}/t/regions") as answer:
            assert f"location='127.0.0.1:{server.port}'" in answer.read().decode()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", server.rest_port), timeout=5)
    rs.connect(tmp_path / "db").close()


def test_without_one_there_is_no_port() -> None:
    with rs.serve(":memory:", port=0, zk_port=None) as server:
        assert server.rest_port is None


def test_a_port_that_is_taken_leaves_nothing_open(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(errors.StorageError, match=str(port)):
            rs.serve(tmp_path / "db", port=0, zk_port=None, rest_port=port)
    rs.connect(tmp_path / "db").close()


def test_the_command_serves_rest_until_sigterm(tmp_path: Path) -> None:
    command = command_line(tmp_path / "db", "--rest-port", "0", "--log-format", "json")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        with urllib.request.urlopen(f"http://127.0.0.1:{ready['rest_port']}/version/cluster") as answer:
            assert answer.read() == b"2.6.4"
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert [json.loads(line)["event"] for line in output.splitlines()] == ["stopping", "stopped"]


def test_a_cluster_behind_the_gateway() -> None:
    """The gateway of another process: it knows the database by its port alone."""
    from rowstone.server import rest

    with rs.testing.server() as url, rs.connect(url) as client, rest.serve(client, port=0) as gateway:
        client.create_table("t", ["f"], splits=["m"])
        client.table("t").put("r", {"f:q": "x"}, timestamp=7)
        row, regions, status, version = run(
            gateway.port,
            [Step("GET", path) for path in ("/t/r", "/t/regions", "/status/cluster", "/version/cluster")],
            "none",
        )
        assert row["body"]["Row"][0]["Cell"][0]["timestamp"] == 7
        assert [region["startKey"] for region in regions["body"]["Region"]] == ["", "bQ=="]
        assert status["status"] == 200
        assert "Region" in status["body"]["LiveNodes"][0]
        assert version["status"] == 200


@pytest.mark.parametrize("port", ["x", 1.5, None])
def test_a_port_that_is_no_number_is_refused_as_that_of_rpc(database: rs.Database, port: Any) -> None:
    """Regression: it was a TypeError about a comparison."""
    for begin in (rest.serve, rs.server.thrift.serve, dashboard.serve):
        with pytest.raises(errors.InvalidType, match=f"^port must be an int, not {type(port).__name__}$"):
            begin(database, port=port)  # type: ignore[operator]


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_an_occupied_port_gives_the_same_error_as_rpc(database: rs.Database, host: str) -> None:
    """Regression: the message had the errno in front and Python's words behind it."""
    told = []
    with dashboard.serve(database, host=host, port=0) as other:
        for begin in (rest.serve, rs.server.thrift.serve, dashboard.serve, rs.serve):
            with pytest.raises(errors.StorageError) as raised:
                begin(database, host=host, port=other.port)  # type: ignore[operator]
            told.append((str(raised.value), raised.value.errno))
    assert set(told) == {told[-1]}
    assert told[0][0].startswith("cannot listen on ")
