"""The shell as a whole: on a terminal, with a pipe, from a file, or for a few commands."""

from __future__ import annotations

import io
import os
import shutil
import sys
from typing import TYPE_CHECKING, TextIO

from rowstone.shell import loop, pager
from rowstone.shell.errors import ShellError
from rowstone.shell.session import Session

if TYPE_CHECKING:
    from rowstone import Database


def execute(database: Database, text: str, *, as_json: bool = False) -> str:
    """What commands print, as `str`; times vary, see ``as_json`` for programs.

    Raises:
        ShellError: A command failed; nothing after it ran, and its message is HBase's.
    """
    out, messages = io.StringIO(), list[str]()
    session = Session(database, out, interactive=False, as_json=as_json, report=messages.append)
    loop.run_text(session, text)
    if messages:
        raise ShellError(messages[0])
    return out.getvalue()


def run_shell(
    database: Database,
    *,
    script: TextIO | None = None,
    interactive: bool = True,
    as_json: bool = False,
    commands: str | None = None,
) -> int:
    """Runs the shell on standard input and output until it ends; the status to exit with.

    Args:
        script: Statements to run first; the session ends there where it says ``exit`` or is not interactive.
        interactive: Go on after an error; else the first one ends the session with status 1.
        as_json: A JSON object per line instead of tables.
        commands: Statements to run instead of those of standard input, without prompts.
    """
    out = _output()
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty() and commands is None
    if on_terminal and not as_json:
        out = pager.paged(out)
    session = Session(
        database,
        out,
        interactive=interactive,
        width=_width,
        ask=lambda: sys.stdin.readline() or None,
        as_json=as_json,
        is_terminal=sys.stdout.isatty(),
    )
    echo = not as_json
    if commands is not None:
        return loop.run_text(session, commands)
    if script is not None:
        status, ended = _script(session, script, echo=echo)
        if ended or not interactive:
            return status
    if on_terminal:
        _prepare_terminal(session)
    if interactive and not as_json:
        out.write(loop.BANNER)
        session.formatter.write("Version ")
        session.run("version", [])
    read = loop.terminal_reader() if on_terminal else loop.stream_reader(_input(), out, echo=echo)
    return loop.run(session, read)


def _script(session: Session, script: TextIO, *, echo: bool) -> tuple[int, bool]:
    """The status of a script, and whether it asked to end the session or failed."""
    lines = loop.stream_reader(script, session.out, echo=echo)
    at_end = False

    def read(prompt: str) -> str | None:
        nonlocal at_end
        line = lines(prompt)
        at_end = line is None
        return line

    status = loop.run(session, read)
    return status, not at_end


def _prepare_terminal(session: Session) -> None:
    from rowstone.shell import completion, history

    completion.install(session)
    history.install()


def _width() -> int:
    """The terminal's width; 0 where the output is none, so that nothing is wrapped."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def _output() -> TextIO:
    """Standard output that takes any bytes: those of values need not be UTF-8."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="surrogateescape")
    return sys.stdout


def _input() -> TextIO:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape", encoding=os.environ.get("PYTHONIOENCODING") or "utf-8")
    return sys.stdin
