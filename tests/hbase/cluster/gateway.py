"""One of HBase's gateways in a process next to a standalone HBase, on a loopback port."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.hbase.cluster.server import JAVA_OPTIONS, end_with_parent

START_SECONDS = 180.0


class JavaGateway:
    """The process, once its port takes connections; also a context manager.

    Args:
        name: What it is, for messages. log: Where it writes.
        main: Its class, with arguments. places: Its class path.
    """

    def __init__(
        self, name: str, main: Sequence[str], places: Sequence[str], *, port: int, heap: str, log: Path
    ) -> None:
        self.port = port
        self._name = name
        self._log = log
        command = ["java", f"-Xmx{heap}", *JAVA_OPTIONS, "-cp", os.pathsep.join(places), *main]
        with log.open("wb") as out:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
                preexec_fn=end_with_parent,
            )  # fmt: skip
        self._wait()

    @property
    def process_id(self) -> int:
        """Its process."""
        return self._process.pid

    def _wait(self) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        self.close()
        raise RuntimeError(f"the {self._name} did not start:\n{self._log.read_text()[-3000:]}")

    def close(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
