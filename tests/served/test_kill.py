"""A server that is killed while clients write: they go on with the next one, nothing acknowledged is lost, and no
increment or append is done twice.

ROWSTONE_SERVED_KILLS changes how often, ROWSTONE_SERVED_SEED at which moments; `make served-kills`.
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
    """Threads, each with a client of its own: a round puts a row, counts in a counter of its own and in one of all,
    counts in a multi, and appends. What was acknowledged is counted."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._ended = False
        self.rounds = [0] * CLIENTS
        self.problems: list[BaseException] = []
        self._threads = [threading.Thread(target=self._work, args=(number,)) for number in range(CLIENTS)]
        self._changed = threading.Condition()
        # To connect is not tried again: no server is killed before all have.
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
        """Returns when so many more rounds are done, by whichever clients."""
        with self._changed:
            goal = sum(self.rounds) + more
            self._wait(lambda: sum(self.rounds) >= goal)

    def wait_for_each(self) -> None:
        """Returns when every client has done a round more: also one that slept long after a row of failures."""
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


def look(directory: Path, rounds: list[int]) -> None:
    """What is there is what was acknowledged, each thing once."""
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
                # What was counted is in files then, and its log is put away at the next start.
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
    look(tmp_path / "db", clients.rounds)
    print(f"seed {SEED}: {KILLS} kills, {5 * sum(clients.rounds)} acknowledged operations found, each done once")
