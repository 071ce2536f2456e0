"""The systems under test."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Protocol

import rowstone as rs
from tests.hbase.cluster.processes import HBaseProcesses
from tests.hbase.cluster.server import free_ports
from tests.linearizability.history import Outage
from tests.linearizability.workers import TABLES

SPLITS = ["4000", "8000", "c000"]


class Target(Protocol):
    """A system that can be killed and started again."""

    url: str
    nonces_survive: bool
    """Whether an increment that is repeated after a kill takes effect once."""
    can_move: bool
    has_plain_table: bool
    """Whether the first table has families of the usual behaviour."""

    def create_tables(self, db: rs.Database) -> None:
        """Create the tables of the clients."""
        ...

    def kill(self, dice: random.Random) -> Outage:
        """Kill a server, and start it again."""
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
        self.url = f"hbase://127.0.0.1:{self._port}"
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
        """Without unique timestamps, or families of the new behaviour, a delete hides the puts of its millisecond."""
        plain, ordered = TABLES
        unique = {"rowstone.unique.timestamps": True}
        db.create_table(plain, ["f", "g"], splits=SPLITS, configuration=unique)
        family = rs.Family(new_version_behavior=True)
        db.create_table(ordered, {"f": family, "g": family}, splits=SPLITS)

    def kill(self, dice: random.Random) -> Outage:
        """Kill the server, and start it again at once or a little later."""
        began = time.monotonic_ns()
        self._end()
        if dice.random() < 0.2:
            time.sleep(dice.random())
        self._process = self._start()
        return Outage(began, time.monotonic_ns())

    def _end(self) -> None:
        self._process.kill()
        self._process.communicate()

    def close(self) -> None:
        """Kill the server."""
        self._end()
        self._log.close()


class Cluster:
    """A real HBase: ZooKeeper, master and region servers in processes of their own."""

    nonces_survive = False
    can_move = True
    has_plain_table = False

    def __init__(self, servers: int) -> None:
        self._hbase = HBaseProcesses(servers=servers)
        self._hbase.start()
        self.url = self._hbase.url

    def create_tables(self, db: rs.Database) -> None:
        """Families of the new behaviour: otherwise a delete hides the puts of its millisecond."""
        family: Any = rs.Family(new_version_behavior=True)
        for name in TABLES:
            db.create_table(name, {"f": family, "g": family}, splits=SPLITS)
        db.admin.switches.set("balancer", False)

    def kill(self, dice: random.Random) -> Outage:
        """Kill a region server, and start another one in its place."""
        began = time.monotonic_ns()
        self._hbase.restart_server(dice.randrange(self._hbase.server_count))
        return Outage(began, time.monotonic_ns())

    def close(self) -> None:
        """End all processes, and remove their files."""
        self._hbase.close()
