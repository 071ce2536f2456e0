"""Waiting for the signal to end."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def end_asked_for() -> Iterator[Callable[[], None]]:
    """Gives a function that returns when SIGINT or SIGTERM has come. For the main thread.

    Each signal is a byte in a pipe, written when it comes: one that comes right before the waiting begins is not
    missed, as it would be by a lock.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    wakeup_before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    before = {number: signal.signal(number, lambda *_: None) for number in _SIGNALS}
    try:
        yield lambda: _read(reading)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup_before)
        os.close(reading)
        os.close(writing)


def _read(reading: int) -> None:
    os.read(reading, 1)
