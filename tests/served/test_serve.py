"""Serving from Python and from the command line: valid and invalid targets, refusals, shutdown."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors


def test_a_served_database_may_be_used_beside() -> None:
    with rs.connect(":memory:") as db, rs.serve(db, port=0, zk_port=None) as server, rs.connect(server.url) as client:
        client.create_table("t", ["f"])
        client.table("t").put("r", {"f:q": "1"})
        assert db.table("t").get("r")["f:q"] == b"1"
        db.table("t").put("r", {"f:q": "2"})
        assert client.table("t").get("r")["f:q"] == b"2"
        assert server.zk_port is None
        assert server.zk_url is None


def test_a_stopped_server_gives_the_directory_free(tmp_path: Path) -> None:
    with rs.serve(tmp_path / "db", port=0, zk_port=0) as server:
        with pytest.raises(errors.DatabaseLocked, match="rowstone serve"):
            rs.connect(tmp_path / "db")
        server.stop()
        server.stop()
    rs.connect(tmp_path / "db").close()


def test_beyond_this_machine_only_when_agreed() -> None:
    with pytest.raises(errors.InvalidArgument, match="insecure"):
        rs.serve(":memory:", host="0.0.0.0", port=0, zk_port=None)
    with pytest.raises(errors.InvalidArgument, match="no-such"):
        rs.serve(":memory:", host="no-such", port=0, zk_port=None)
    with rs.serve(":memory:", host="0.0.0.0", port=0, zk_port=None, insecure=True) as server:
        assert server.url.startswith("hbase://127.0.0.1:")
        rs.connect(server.url).close()


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(errors.RowstoneError, match=str(port)):
            rs.serve(tmp_path / "db", port=port, zk_port=None)
    # The directory is released.
    rs.connect(tmp_path / "db").close()


@pytest.mark.parametrize("name", ["port", "zk_port", "thrift_port", "thrift2_port", "rest_port", "info_port"])
def test_a_port_that_there_is_not(name: str) -> None:
    ports: dict[str, int] = {"port": 0, "zk_port": 0, name: 99_999}
    with pytest.raises(errors.InvalidArgument, match="port 99999 is outside 0 to 65535"):
        rs.serve(":memory:", **ports)  # type: ignore[arg-type]


def test_the_fixture_and_the_context_manager(rowstone_server: str) -> None:
    with rs.connect(rowstone_server) as db:
        assert db.tables() == []
    with rs.testing.server(zookeeper=True) as url:
        assert url.startswith("hbase+zk://")
        with rs.connect(url) as db:
            assert db.create_table("t", ["f"])


def command_line(directory: Path | str, *options: str) -> list[str]:
    """`rowstone serve` on free ports."""
    main = "from rowstone.cli import main; main()"
    return [sys.executable, "-c", main, "serve", str(directory), "--port", "0", "--zk-port", "0", *options]


@contextmanager
def running(directory: Path | str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `rowstone serve` in another process and yield its URL."""
    command = command_line(directory)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            ready = process.stdout.readline()
            assert ready.startswith("ready: hbase://"), ready
            yield process, ready.split()[1].rstrip(",")
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_ends_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path / "db") as (process, url):
        with rs.connect(url) as db:
            db.create_table("t", ["f"])
            db.table("t").put("r", {"f:q": "1"})
        process.send_signal(number)
        output, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        assert "stopped" in output
    with rs.connect(tmp_path / "db") as db:
        assert db.table("t").get("r")["f:q"] == b"1"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_right_before_the_waiting_is_not_missed(number: signal.Signals) -> None:
    # In a process of its own: after a signal the deadline remains until the process ends.
    program = (
        "import os, signal; from rowstone.cli.serving.run import end_asked_for\n"
        f"handler = signal.getsignal({number.value})\n"
        f"with end_asked_for() as wait: os.kill(os.getpid(), {number.value}); wait()\n"
        f"assert signal.getsignal({number.value}) is handler"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_acknowledged_writes_survive_a_kill(tmp_path: Path) -> None:
    with running(tmp_path / "db") as (process, url):
        with rs.connect(url) as db:
            db.create_table("t", ["f"], splits=["5"])
            for number in range(10):
                db.table("t").put(str(number), {"f:q": str(number)})
            assert db.table("t").increment("n", "f:n", 3) == 3
        process.kill()
        process.wait()
    with rs.connect(tmp_path / "db") as db:
        table = db.table("t")
        assert sum(1 for _ in table.scan()) == 11
        assert table.increment("n", "f:n", 0) == 3


def test_messages_as_json(tmp_path: Path) -> None:
    command = command_line(tmp_path / "db", "--log-format", "json")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        assert ready["event"] == "ready"
        assert ready["directory"] == str(tmp_path / "db")
        assert datetime.fromisoformat(ready["time"]).tzinfo is not None
        with rs.connect(ready["url"]) as db:
            assert db.tables() == []
        # The directory is in use: a second server reports that in the same form.
        second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert second.returncode == 4, "locked"
        failed = json.loads(second.stdout)
        assert failed["event"] == "failed"
        assert "open for writing" in failed["error"]
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=60)
    assert [json.loads(line)["event"] for line in output.splitlines()] == ["stopping", "stopped"]


@pytest.mark.parametrize("options", [["--tls-certificate", "a.pem"], ["--tls-only"], ["--tls-client-ca", "a.pem"]])
def test_tls_needs_a_certificate_and_its_key(tmp_path: Path, options: list[str]) -> None:
    command = command_line(tmp_path / "db", *options)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "--tls-key" in done.stdout + done.stderr
    assert not (tmp_path / "db").exists()


def test_a_directory_keeps_the_name_of_its_cluster(tmp_path: Path) -> None:
    names = []
    for _ in range(2):
        with rs.serve(tmp_path / "db", port=0, zk_port=None) as server, rs.connect(server.url) as client:
            names.append(client.admin.servers.status().cluster_id)
    assert names[0] == names[1]


def test_the_files_of_a_snapshot_are_served_read_only(tmp_path: Path) -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.table("t").put(b"row", {b"f:q": b"value"})
        db.admin.snapshot("nightly", "t")
        db.admin.snapshots.export("nightly", tmp_path / "root")
    with running(f"root+file://{tmp_path}/root?snapshot=nightly") as (_, url), rs.connect(url) as client:
        table = client.table("t")
        assert [(row.key, row[b"f:q"]) for row in table.scan()] == [(b"row", b"value")]
        with pytest.raises(errors.RowstoneError, match="only read"):
            table.put(b"row", {b"f:q": b"another"})
        with pytest.raises(errors.RowstoneError, match="only read"):
            client.admin.major_compact("t")
