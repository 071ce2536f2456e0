"""Waiting for the signal to end."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator

from rowstone import _native

STOP_TIMEOUT_S = 60
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def end_asked_for(stop_timeout_s: int = STOP_TIMEOUT_S) -> Iterator[Callable[[], None]]:
    """Gives a function that returns when SIGINT or SIGTERM has come. For the main thread.

    Each signal is a byte in a pipe, written when it comes: one that comes right before the waiting begins is not
    missed, as it would be by a lock. If the block has not ended ``stop_timeout_s`` after the signal, the process is
    killed. That deadline needs no interpreter: it also holds where a thread never releases it.
    """
    asked = _native.StopSignal(stop_timeout_s * 1000)
    os.set_blocking(asked.fileno(), False)
    wakeup_before = signal.set_wakeup_fd(asked.fileno(), warn_on_full_buffer=False)
    before = {number: signal.signal(number, lambda *_: None) for number in _SIGNALS}
    try:
        yield asked.wait
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup_before)
        asked.close()
