"""The systems under test."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import rowstone as rs
from tests.hbase.cluster.processes import SESSION_SECONDS, HBaseProcesses
from tests.hbase.cluster.server import free_ports
from tests.linearizability.history import Outage
from tests.linearizability.workers import TABLES

SPLITS = ["4000", "8000", "c000"]


class Target(Protocol):
    """A system that can be killed and started again."""

    urls: tuple[str, ...]
    """Ways to connect; clients use all of them."""
    nonces_survive: bool
    """Whether an increment that is repeated after a kill takes effect once."""
    can_move: bool
    has_plain_table: bool
    """Whether the first table has families of the usual behavior."""

    def create_tables(self, db: rs.Database) -> None:
        """Create the tables of the clients."""
        ...

    def fail(self, dice: random.Random) -> tuple[str, Outage | None]:
        """Let a server fail, and start another one if it ends. Return the kind of the failure, and the outage if
        clients may have lost answers."""
        ...

    def find_problems(self) -> list[str]:
        """Problems that no failure explains."""
        ...

    def close(self) -> None:
        """End everything."""
        ...


class ServedDirectory:
    """`rowstone serve` on a directory."""

    nonces_survive = True
    can_move = False
    has_plain_table = True

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        [self._port] = free_ports(1)
        self.urls: tuple[str, ...] = (f"hbase://127.0.0.1:{self._port}",)
        self._log = (directory.parent / "serve.log").open("ab")
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        main = "from rowstone.cli import main; main()"
        command = [
            sys.executable,
            "-c",
            main,
            "serve",
            str(self._directory),
            "--port",
            str(self._port),
            "--zk-port",
            "-1",
        ]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._log)
        assert process.stdout is not None
        ready = process.stdout.readline()
        assert ready.startswith(b"ready"), ready
        return process

    def create_tables(self, db: rs.Database) -> None:
        """Without unique timestamps, or families of the new behavior, a delete hides the puts of its millisecond."""
        plain, ordered = TABLES
        unique = {"rowstone.unique.timestamps": True}
        db.create_table(plain, ["f", "g"], splits=SPLITS, configuration=unique)
        family = rs.Family(new_version_behavior=True)
        db.create_table(ordered, {"f": family, "g": family}, splits=SPLITS)

    def fail(self, dice: random.Random) -> tuple[str, Outage]:
        """Kill the server, and start it again at once or a little later."""
        began = time.monotonic_ns()
        self._end()
        if dice.random() < 0.2:
            time.sleep(dice.random())
        self._process = self._start()
        return "kill", Outage(began, time.monotonic_ns())

    def find_problems(self) -> list[str]:
        """None: the server that ends by itself does not answer the clients."""
        return []

    def _end(self) -> None:
        self._process.kill()
        self._process.communicate()

    def close(self) -> None:
        """Kill the server."""
        self._end()
        self._log.close()


class Cluster:
    """A real HBase: ZooKeeper, masters and region servers in processes of their own.

    Its failures come in rounds of random order. Without a backup, no master is killed. Without HDFS, no session
    expires, because the server could still write to a log that the master has read.
    """

    nonces_survive = False
    can_move = True
    has_plain_table = False

    def __init__(self, hbase: HBaseProcesses) -> None:
        self._hbase = hbase
        self._hbase.start()
        self.urls: tuple[str, ...] = (hbase.url, hbase.zookeeper_url)
        self._round: list[Callable[[random.Random], tuple[str, Outage | None]]] = []

    def create_tables(self, db: rs.Database) -> None:
        """Families of the new behavior: otherwise a delete hides the puts of its millisecond."""
        family: Any = rs.Family(new_version_behavior=True)
        for name in TABLES:
            db.create_table(name, {"f": family, "g": family}, splits=SPLITS)
        db.admin.switches.set("balancer", False)

    def fail(self, dice: random.Random) -> tuple[str, Outage | None]:
        """The next failure of the round."""
        if not self._round:
            self._round = [self._kill, self._pause]
            self._round += [self._kill_master] if len(self._hbase.master_ports) > 1 else []
            self._round += [self._pause_long, self._expire] if self._hbase.has_hdfs else []
            dice.shuffle(self._round)
        return self._round.pop()(dice)

    def _kill(self, dice: random.Random) -> tuple[str, Outage]:
        number = self._choose(dice)
        began = time.monotonic_ns()
        self._hbase.kill_server(number)
        return "kill", self._end_outage(began, number)

    def _pause(self, dice: random.Random) -> tuple[str, None]:
        """Shorter than the session: calls take longer, but none is sent twice."""
        self._hbase.pause_server(self._choose(dice), SESSION_SECONDS * dice.uniform(0.1, 0.3))
        return "pause", None

    def _pause_long(self, dice: random.Random) -> tuple[str, Outage]:
        """Longer than the session: the server is declared dead, and must end when it continues."""
        number = self._choose(dice)
        self._hbase.pause_server(number, SESSION_SECONDS * dice.uniform(1.5, 2.5))
        began = time.monotonic_ns()
        self._hbase.wait_for_end(number)
        return "long pause", self._end_outage(began, number)

    def _expire(self, dice: random.Random) -> tuple[str, Outage]:
        number = self._choose(dice)
        began = time.monotonic_ns()
        self._hbase.expire_server(number)
        self._hbase.wait_for_end(number)
        return "expired session", self._end_outage(began, number)

    def _end_outage(self, began: int, number: int) -> Outage:
        """Start another server in place of one that has ended. Its clients lost their answers when it did."""
        outage = Outage(began, time.monotonic_ns())
        self._hbase.start_server(number)
        return outage

    def _kill_master(self, dice: random.Random) -> tuple[str, None]:
        """No client sends data to a master."""
        self._hbase.restart_master()
        return "master failover", None

    def _choose(self, dice: random.Random) -> int:
        """A region server that works: it may have been started just now."""
        number = dice.randrange(self._hbase.server_count)
        self._hbase.wait_for_session(number)
        return number

    def find_problems(self) -> list[str]:
        """Processes that ended by themselves."""
        return self._hbase.find_ended()

    def close(self) -> None:
        """End all processes, and remove their files."""
        self._hbase.close()
