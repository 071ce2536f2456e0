"""Work that a server defers until after its start; and clients that connect at once are still served.

Nothing here is timed: the cost of a start is what it imports. ``make bench-start`` has the milliseconds.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import happybase
import rowstone as rs
from rowstone.server.http.server import HttpServer
from tests.served.test_serve import command_line
from tests.thrift import clients

ROOT = Path(__file__).parents[2]
ALL_PORTS = ("--thrift-port", "0", "--thrift2-port", "0", "--rest-port", "0", "--info-port", "0")
LATER = (
    "anyio",
    "asyncio",
    "h11",
    "rowstone.admin",
    "rowstone.server.http.bounds",
    "rowstone.cli.commands.rows",
    "rowstone.cli.schemas.schema",
    "rowstone.filters",
    "rowstone.server.rest._application",
    "rowstone.server.security",
    "rowstone.server.dashboard._app",
    "rowstone.server.dashboard.metrics",
    "rowstone.server.thrift._conversation",
    "rowstone.server.thrift._idl",
    "ssl",
    "starlette",
    "typer",
    "uvicorn",
)
"""Modules that only some uses of a server need."""


TELLS = """
import sys
from rowstone.cli import main
from rowstone.cli.serving import logs
logs.LOGS["text"] = lambda event, text, fields: print(event, *sys.modules, flush=True)
main()
"""


def imported(directory: Path, *options: str) -> set[str]:
    """The modules that a server has imported when it is ready; it ends at once."""
    python, _, _, *words = command_line(directory, *options)
    with subprocess.Popen([python, "-c", TELLS, *words], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        event, *modules = process.stdout.readline().split()
        process.send_signal(signal.SIGTERM)
    assert event == "ready"
    return set(modules)


@pytest.mark.parametrize("options", [(), ALL_PORTS], ids=["plain", "all ports"])
def test_unused_modules_are_not_imported(tmp_path: Path, options: tuple[str, ...]) -> None:
    found = imported(tmp_path / "db", *options)
    assert "rowstone.server.serve" in found
    assert sorted(found & set(LATER)) == []


def test_concurrent_first_clients_are_served_on_every_port() -> None:
    """Many clients at once, several on each port: the first one initializes the port, and only once.

    In a process that has imported nothing yet. In pytest's own, threads that import also meet its rewriting of
    assertions, and CPython 3.11's `ast.parse` fails in several threads.
    """
    program = f"from {__name__} import ask_every_port; ask_every_port()"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr


def ask_every_port() -> None:
    """Start a server with every port, and ask each of them four times at once."""
    with rs.serve(":memory:", port=0, zk_port=None, thrift_port=0, thrift2_port=0, rest_port=0, info_port=0) as server:
        server.database.create_table("t", ["f"])

        def thrift(_: int) -> bool:
            connection = happybase.Connection("127.0.0.1", server.thrift_port)
            try:
                return connection.tables() == [b"t"]
            finally:
                connection.close()

        def thrift2(_: int) -> bool:
            assert server.thrift2_port is not None
            with clients.client(2, server.thrift2_port) as client:
                return bool(client.tableExists(clients.module(2).TTableName(qualifier=b"t")))

        def rest(_: int) -> bool:
            with urllib.request.urlopen(f"http://127.0.0.1:{server.rest_port}/") as answer:
                return bool(answer.read() == b"t\n")

        def info(_: int) -> bool:
            with urllib.request.urlopen(f"{server.info_url}ready") as answer:
                return bool(answer.read() == b"ready\n")

        with ThreadPoolExecutor(16) as pool:
            asked = [pool.submit(each, number) for number in range(4) for each in (thrift, thrift2, rest, info)]
            assert all(one.result(timeout=60) for one in asked)


def test_an_unused_http_server_ends_at_once() -> None:
    made = []
    with HttpServer(lambda: made.append(1), "127.0.0.1", 0):  # type: ignore[func-returns-value, arg-type]
        pass
    assert made == []


def test_an_application_that_cannot_be_made_closes_its_port(caplog: pytest.LogCaptureFixture) -> None:
    def make() -> None:
        raise LookupError("nothing is here")

    with HttpServer(make, "127.0.0.1", 0) as server:  # type: ignore[arg-type]
        with pytest.raises(OSError, match=r"."):
            urllib.request.urlopen(f"http://127.0.0.1:{server.port}/", timeout=60)
        server.stop()
    assert "nothing is here" in caplog.text
