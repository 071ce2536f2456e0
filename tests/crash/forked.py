"""A child that may be killed at any moment, and the journal that it wrote until then."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

from tests.crash.oracle import Lost


def journal_of(child: Callable[[int], object], seconds: float | None) -> bytes:
    """Return the complete lines that a fork of this process writes.

    A fork, because starting Python takes longer than the recovery.

    Args:
        child: Runs in the fork, with the descriptor to write to; it ends the process itself.
        seconds: How long it lives after its first line, until it is killed; ``None`` lets it end by itself.

    Raises:
        Lost: It ended in another way, without a line that says why (``X ...``).
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        child(writing)
        os._exit(3)
    os.close(writing)
    timer = threading.Timer(seconds or 0.0, os.kill, [pid, signal.SIGKILL])
    with os.fdopen(reading, "rb") as pipe:
        journal = pipe.readline()
        if seconds is not None:
            timer.start()
        journal += pipe.read()
    # Not before the timer has ended may the process be forgotten: its number may become another's.
    if seconds is not None:
        timer.join()
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code != (0 if seconds is None else -signal.SIGKILL) and b"\nX " not in b"\n" + journal:
        raise Lost(f"the child ended with {code}")
    # The last line may be cut: a kill can come between two writes.
    return journal[: journal.rfind(b"\n") + 1]
