"""One Java process that holds a real HBase region and answers one line at a time.

The process watches each command itself and ends after a hang; the reader here has its own, longer
limit for the case that the whole process is stuck.
"""

from __future__ import annotations

import itertools
import shutil
import subprocess
import tempfile
import threading
from collections import deque
from pathlib import Path

from tests.oracle.build import JAVA_OPENS, class_path
from tests.script.files import with_paths

HANG = "!! HANG"
END_MARK = "\x04"
START_SECONDS = 120.0


class OracleDied(Exception):
    """The Java process ended without an answer; the message contains the end of its error output."""


class OracleProcess:
    """A running oracle: `answer(line)` gives the lines HBase printed for it."""

    def __init__(self, command_timeout_ms: int = 20_000) -> None:
        self._timeout_seconds = command_timeout_ms / 1000 + START_SECONDS
        self._folder = Path(tempfile.mkdtemp(prefix="rowstone-oracle-"))
        self._file_numbers = itertools.count()
        self._process = subprocess.Popen(
            [
                "nice", "-n", "5", "java", "-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "-ea:org.apache.hadoop.hbase.regionserver.querymatcher...",
                f"-Droot={self._folder}", "-Dend.mark=true",
                f"-Dcommand.timeout.ms={command_timeout_ms}",
                "-cp", class_path(), *JAVA_OPENS,
                "org.apache.hadoop.hbase.regionserver.Oracle",
            ],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, encoding="utf-8", bufsize=1,
        )  # fmt: skip
        self._errors: deque[str] = deque(maxlen=40)
        threading.Thread(target=self._read_errors, daemon=True).start()

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        self._errors.extend(self._process.stderr)

    def answer(self, line: str) -> list[str]:
        """The answer to one command without its echo, each line without the three blanks before it.

        A hang gives `HANG` as the last line, and the process is of no more use.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        killer = threading.Timer(self._timeout_seconds, self._process.kill)
        killer.start()
        try:
            if line.startswith("bulkload "):
                line = with_paths(line, self._folder, self._file_numbers)
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
            return self._read_answer()
        except BrokenPipeError:
            raise OracleDied("".join(self._errors)) from None
        finally:
            killer.cancel()

    def _read_answer(self) -> list[str]:
        assert self._process.stdout is not None
        lines: list[str] = []
        for text in self._process.stdout:
            text = text.rstrip("\n")
            if text == END_MARK:
                return lines[1:]
            lines.append(text.removeprefix("   "))
        raise OracleDied("".join(self._errors))

    def close(self) -> None:
        """Ends the process and removes its folder; safe to call again."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        shutil.rmtree(self._folder, ignore_errors=True)
