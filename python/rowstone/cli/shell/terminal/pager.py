"""Pager for long command output on a terminal: ``$PAGER``, or ``less``.

Output is buffered until it exceeds the screen. Then the pager receives it, and all further output as it
is printed. Leaving the pager with ``q`` or Ctrl-C ends the command, not the shell.
"""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO, cast

if TYPE_CHECKING:
    import subprocess

DEFAULTS = ("less", "more")
LESS = "FRXK"
"""Options of ``less``, unless $LESS is set: quit if everything fits, allow colors, leave the text, quit at Ctrl-C."""


def pager_command() -> str | None:
    """Command line of the pager; None if there is none, or if $PAGER is empty or ``cat``."""
    wanted = os.environ.get("PAGER")
    if wanted is None:
        return next((name for name in DEFAULTS if shutil.which(name)), None)
    return wanted if wanted.strip() not in ("", "cat") else None


def paged(out: TextIO) -> TextIO:
    """Wrap ``out``, a terminal, in a pager if one is available."""
    command = pager_command()
    if command is None:
        return out
    # A text stream, for which the library's own class is no `TextIO` to type checkers.
    return cast("TextIO", Pager(out, command, lambda: shutil.get_terminal_size().lines))


def leave(out: TextIO) -> None:
    """Close an open pager after Ctrl-C."""
    if isinstance(out, Pager):
        out.leave()


class Pager(io.TextIOBase):
    """Output for a terminal of ``height()`` lines. `flush` ends the page: it waits for the reader."""

    def __init__(self, out: TextIO, command: str, height: Callable[[], int]) -> None:
        super().__init__()
        self._out = out
        self._command = command
        self._height = height
        self._held: list[str] = []
        self._lines = 0
        self._process: subprocess.Popen[str] | None = None

    def isatty(self) -> bool:
        """Same as the terminal's."""
        return self._out.isatty()

    def write(self, text: str) -> int:
        """Buffer the text, or pass it to the pager. Raises `KeyboardInterrupt` if the reader has left."""
        if self._process is None:
            self._held.append(text)
            self._lines += text.count("\n")
            if self._lines >= self._height() - 1:
                self._open()
        else:
            self._send(text)
        return len(text)

    def flush(self) -> None:
        """Print the buffered text, or wait until the reader has left the pager."""
        if self._process is not None:
            self._close()
        self._show()

    def leave(self) -> None:
        """Close the pager at once, and print what it has not received."""
        if self._process is not None:
            self._process.terminate()
            self._close()
        self._show()

    def _show(self) -> None:
        self._out.write("".join(self._held))
        self._held, self._lines = [], 0
        self._out.flush()

    def _open(self) -> None:
        import subprocess  # most commands need no pager

        environment = {"LESS": LESS, **os.environ}
        self._out.flush()
        self._process = subprocess.Popen(
            self._command, shell=True, stdin=subprocess.PIPE, text=True, errors="surrogateescape", env=environment
        )
        held, self._held, self._lines = "".join(self._held), [], 0
        self._send(held)

    def _send(self, text: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text)
            self._process.stdin.flush()
        except BrokenPipeError:
            self._close()
            raise KeyboardInterrupt from None

    def _close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        try:
            if process.stdin is not None:
                process.stdin.close()
        except BrokenPipeError:
            pass
        while True:
            try:
                process.wait()
                return
            except KeyboardInterrupt:
                # The pager received the signal, too. One that ignores it is terminated.
                process.terminate()
