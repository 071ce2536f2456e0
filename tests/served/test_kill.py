"""A server that is killed while clients write: they go on with the next one, and nothing acknowledged is lost.

ROWSTONE_KILLS changes how often.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import rowstone as rs

WRITERS = 8
ACKNOWLEDGED_BETWEEN_KILLS = 400


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


class Writers:
    """Threads that put rows of their own, one after the other, and count what was acknowledged."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._ended = False
        self.acknowledged = [0] * WRITERS
        self.problems: list[BaseException] = []
        self._threads = [threading.Thread(target=self._write, args=(number,)) for number in range(WRITERS)]
        self._changed = threading.Condition()

    def _write(self, writer: int) -> None:
        try:
            with rs.connect(self._url) as db:
                table = db.table("t")
                while not self._ended:
                    number = self.acknowledged[writer]
                    table.put(f"{writer}-{number:06}", {"f:q": str(number)})
                    with self._changed:
                        self.acknowledged[writer] += 1
                        self._changed.notify_all()
        except BaseException as error:
            with self._changed:
                self.problems.append(error)
                self._changed.notify_all()

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def wait_for(self, more: int) -> None:
        with self._changed:
            goal = sum(self.acknowledged) + more
            assert self._changed.wait_for(lambda: bool(self.problems) or sum(self.acknowledged) >= goal, timeout=120)

    def end(self) -> None:
        self._ended = True
        for thread in self._threads:
            thread.join()


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    port = free_port()
    process = start(tmp_path / "db", port)
    try:
        with rs.connect(f"hbase://127.0.0.1:{port}") as db:
            db.create_table("t", ["f"], splits=["2", "5"])
        writers = Writers(f"hbase://127.0.0.1:{port}")
        writers.start()
        for _ in range(int(os.environ.get("ROWSTONE_KILLS", "3"))):
            writers.wait_for(ACKNOWLEDGED_BETWEEN_KILLS)
            process.kill()
            process.communicate()
            process = start(tmp_path / "db", port)
        writers.wait_for(ACKNOWLEDGED_BETWEEN_KILLS)
        writers.end()
    finally:
        process.kill()
        process.communicate()
    assert writers.problems == []
    with rs.connect(tmp_path / "db") as db:
        found = {row.key: row["f:q"] for row in db.table("t").scan()}
    for writer, count in enumerate(writers.acknowledged):
        for number in range(count):
            assert found[f"{writer}-{number:06}".encode()] == str(number).encode()
