"""Processes that are forked to be killed, and what they say until then."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from select import select

PIPE_BYTES = 1 << 20


class Silent(AssertionError):
    """A process said nothing for too long."""


class Child:
    """A fork of this process that runs `work` with a descriptor to write lines to."""

    def __init__(self, work: Callable[[int], object]) -> None:
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
        os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """The status of the process, negative for a signal."""
        os.close(self._reading)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def say(pipe: int, text: str) -> None:
    """Writes a line. Below 4096 bytes, a write to a pipe is never split."""
    os.write(pipe, text.replace("\n", " ").encode()[:3000] + b"\n")


def until(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Waits for a condition.

    Raises:
        Silent: It did not come true in time.
    """
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Silent(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.02)
