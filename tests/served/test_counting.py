"""Increments run on the server: clients in two processes increment one counter without reading it first."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import rowstone as rs
from rowstone.server.dashboard._figures import figures_of
from tests.checklist import checklist

EACH = 300
COUNT = """
import sys
import rowstone as rs
with rs.connect(sys.argv[1]) as db:
    table = db.table("t")
    table.get("warm")
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(int(sys.argv[2])):
        print(table.increment("r", "f:n"))
"""


def calls(server: rs.Server) -> dict[str, int]:
    """Number of calls about rows, by method."""
    found = figures_of(server.database, server).calls
    assert found is not None
    methods = {name: found.of(name) for name in ("Get", "Mutate", "Multi", "Scan", "ExecService")}
    return {name: count for name, count in methods.items() if count}


@contextmanager
def counting(server: rs.Server) -> Iterator[subprocess.Popen[str]]:
    """Start a client that has found the table and begins on request."""
    command = [sys.executable, "-c", COUNT, server.url, str(EACH)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.communicate()


@checklist("138", clause="two clients agree, one call per increment")
def test_two_processes_count_in_one_counter() -> None:
    with rs.serve(":memory:", port=0, zk_port=None) as server, ExitStack() as running:
        server.database.create_table("t", ["f"])
        clients = [running.enter_context(counting(server)) for _ in range(2)]
        # Each client has found the table and its region.
        before = calls(server)
        for client in clients:
            assert client.stdin is not None
            client.stdin.write("go\n")
            client.stdin.flush()
        told = [[int(line) for line in client.communicate()[0].split()] for client in clients]
        assert [client.returncode for client in clients] == [0, 0]
        # No number is repeated or missing, and each client saw its own numbers grow.
        assert sorted(told[0] + told[1]) == list(range(1, 2 * EACH + 1))
        assert all(numbers == sorted(numbers) for numbers in told)
        assert int.from_bytes(server.database.table("t").get("r")["f:n"], "big") == 2 * EACH
        # No client read the counter before it wrote.
        assert calls(server) == {**before, "Mutate": 2 * EACH}
