"""Waiting for the signal to stop."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator

from rowstone import _native

STOP_TIMEOUT_S = 60
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def end_asked_for(stop_timeout_s: int = STOP_TIMEOUT_S) -> Iterator[Callable[[], None]]:
    """Yield a function that returns when SIGINT or SIGTERM has arrived. For the main thread.

    Each signal writes a byte into a pipe, so one that arrives right before the wait is not missed, as it would be with
    a lock. If the block has not ended ``stop_timeout_s`` seconds after the signal, the process is killed. That deadline
    needs no interpreter: it also holds if a thread never releases it.
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
