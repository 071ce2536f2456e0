"""Processes that are forked to be killed, and what they say until then."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from select import select

PIPE_BYTES = 1 << 20


class Silent(AssertionError):
    """A process said nothing for too long."""


class Child:
    """A fork of this process that runs `work` with a descriptor to write lines to."""

    def __init__(self, work: Callable[[int], object]) -> None:
        self._status: int | None = None
        self._reading, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._reading)
            code = 1
            try:
                work(writing)
                code = 0
            except BaseException as error:
                say(writing, f"X {type(error).__name__}: {error}")
            finally:
                # Nothing of what the parent wants to do at its end is to be done here.
                os._exit(code)
        os.close(writing)

    def lines(self, patience: float) -> Iterator[str]:
        """The lines of the process until it ends. The last one is left out where a kill cut it.

        Raises:
            Silent: There was none for `patience` seconds.
        """
        rest = b""
        while select([self._reading], [], [], patience)[0]:
            data = os.read(self._reading, PIPE_BYTES)
            if not data:
                return
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                yield line.decode()
        raise Silent(f"the process said nothing for {patience:.0f} s")

    def kill(self) -> None:
        """Kills the process, unless it was waited for: its number may be another's by then."""
        if self._status is None:
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """The status of the process, negative for a signal."""
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self._status

    def __enter__(self) -> Child:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Ends the process: what is mounted could not be unmounted while it has files open."""
        self.kill()
        self.wait()
        os.close(self._reading)


def say(pipe: int, text: str) -> None:
    """Writes a line. Below 4096 bytes, a write to a pipe is never split."""
    os.write(pipe, text.replace("\n", " ").encode()[:3000] + b"\n")
