"""Killing a server while clients write. They continue with the next one; no acknowledged write is lost, and no
increment or append is executed twice.

ROWSTONE_SERVED_KILLS sets the number of kills, ROWSTONE_SERVED_SEED their times; `make served-kills`.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random

import rowstone as rs

CLIENTS = 8
KILLS = int(os.environ.get("ROWSTONE_SERVED_KILLS", "10"))
SEED = int(os.environ.get("ROWSTONE_SERVED_SEED", "1"))
LONGEST_WAIT_SECONDS = 120


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def start(directory: Path, port: int) -> subprocess.Popen[str]:
    main = "from rowstone.cli import main; main()"
    command = [sys.executable, "-c", main, "serve", str(directory), "--port", str(port), "--zk-port", "-1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    ready = process.stdout.readline()
    assert ready.startswith("ready"), ready
    return process


class Clients:
    """Threads with a client each. A round puts a row, increments a counter of its own and a shared one, increments in
    a multi, and appends. Acknowledged operations are counted."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._ended = False
        self.rounds = [0] * CLIENTS
        self.problems: list[BaseException] = []
        self._threads = [threading.Thread(target=self._work, args=(number,)) for number in range(CLIENTS)]
        self._changed = threading.Condition()
        # Connecting is not retried, so no server is killed before all clients are connected.
        self._connected = threading.Barrier(CLIENTS + 1, timeout=LONGEST_WAIT_SECONDS)

    def _work(self, client: int) -> None:
        try:
            with rs.connect(self._url) as db:
                table = db.table("t")
                self._connected.wait()
                while not self._ended:
                    number = self.rounds[client]
                    table.put(f"{client}-{number:06}", {"f:q": str(number)})
                    table.increment(f"{client}-count", "f:n")
                    table.increment("all-count", "f:n", 2)
                    counts = rs.Increment(f"{client}-count", {"f:multi": 3})
                    [after, _] = table.multi([counts, rs.Get(f"{client}-count")])
                    assert isinstance(after, rs.Row), after
                    table.append(f"{client}-text", {"f:t": f"{number},"})
                    with self._changed:
                        self.rounds[client] += 1
                        self._changed.notify_all()
        except BaseException as error:
            with self._changed:
                self.problems.append(error)
                self._changed.notify_all()

    def start(self) -> None:
        for thread in self._threads:
            thread.start()
        self._connected.wait()

    def wait_for(self, more: int) -> None:
        """Return when the clients have completed this many more rounds in total."""
        with self._changed:
            goal = sum(self.rounds) + more
            self._wait(lambda: sum(self.rounds) >= goal)

    def wait_for_each(self) -> None:
        """Return when every client has completed another round, including one that backed off for long after several
        failures."""
        with self._changed:
            before = list(self.rounds)
            self._wait(lambda: all(now > then for now, then in zip(self.rounds, before, strict=True)))

    def _wait(self, done: Callable[[], bool]) -> None:
        reached = self._changed.wait_for(lambda: bool(self.problems) or done(), timeout=LONGEST_WAIT_SECONDS)
        assert reached, f"only {self.rounds} rounds, {LONGEST_WAIT_SECONDS} s later"

    def end(self) -> None:
        self._ended = True
        for thread in self._threads:
            thread.join()


def check(directory: Path, rounds: list[int]) -> None:
    """Check that exactly the acknowledged operations are in the tables, each once."""
    with rs.connect(directory) as db:
        found = {row.key: row for row in db.table("t").scan()}
    for client, count in enumerate(rounds):
        for number in range(count):
            assert found[f"{client}-{number:06}".encode()]["f:q"] == str(number).encode()
        counts = found[f"{client}-count".encode()]
        assert int.from_bytes(counts["f:n"], "big") == count
        assert int.from_bytes(counts["f:multi"], "big") == 3 * count
        text = "".join(f"{number}," for number in range(count))
        assert found[f"{client}-text".encode()]["f:t"] == text.encode()
    assert int.from_bytes(found[b"all-count"]["f:n"], "big") == 2 * sum(rounds)


def test_nothing_is_lost_and_nothing_done_twice(tmp_path: Path) -> None:
    random = Random(SEED)
    port = free_port()
    process = start(tmp_path / "db", port)
    clients = Clients(f"hbase://127.0.0.1:{port}")
    try:
        with rs.connect(f"hbase://127.0.0.1:{port}") as db:
            db.create_table("t", ["f"], splits=["2", "5"])
        clients.start()
        for kill in range(KILLS):
            clients.wait_for(random.randint(1, 60))
            if random.random() < 0.2:
                # The counted cells are then in files, and the log is archived at the next start.
                with rs.connect(f"hbase://127.0.0.1:{port}") as db:
                    db.admin.flush("t")
            process.kill()
            process.communicate()
            process = start(tmp_path / "db", port)
            if (kill + 1) % 10 == 0:
                print(f"seed {SEED}: {kill + 1} kills of {KILLS}, {sum(clients.rounds)} rounds", flush=True)
        clients.wait_for_each()
    finally:
        clients.end()
        process.kill()
        process.communicate()
    assert clients.problems == []
    check(tmp_path / "db", clients.rounds)
    print(f"seed {SEED}: {KILLS} kills, {5 * sum(clients.rounds)} acknowledged operations found, each done once")
