"""A JVM that runs main classes one after another (`java/RunMains.java`), so that they share its startup cost."""

from __future__ import annotations

import os
import selectors
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.hbase.cluster.server import end_with_parent


class JavaFailed(Exception):
    """A program did not end in time, or ended its JVM."""


class JavaRunner:
    """Runs main classes in one JVM, and starts another if that one has ended."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._command, self._folder = [*command, "RunMains"], folder
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, output: Path, arguments: Sequence[str], seconds: float) -> int:
        """Run a main class with arguments, write its output to a file, and return its exit code."""
        if self._process is None or self._process.poll() is not None:
            self._start()
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\t".join([str(output), *arguments]).encode() + b"\n")
        process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            answered = selector.select(seconds)
        answer = os.read(process.stdout.fileno(), 100) if answered else b""
        if not answer:
            self.close()
            raise JavaFailed("its JVM ended" if answered else f"it took longer than {seconds:.0f} s")
        return int(answer)

    def _start(self) -> None:
        with (self._folder / "java.out").open("ab") as errors:
            self._process = subprocess.Popen(
                self._command, cwd=self._folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                preexec_fn=end_with_parent,
            )  # fmt: skip

    def close(self) -> None:
        """End the JVM."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                assert pipe is not None
                pipe.close()
            self._process = None
