"""Entry points of the shell: on a terminal, with a pipe, from a file, or for a few commands."""

from __future__ import annotations

import io
import os
import shutil
import sys
from typing import TYPE_CHECKING, TextIO

from rowstone.cli.shell.errors import ShellError
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.terminal import loop, pager

if TYPE_CHECKING:
    from rowstone import Database


def execute(database: Database, text: str, *, as_json: bool = False) -> str:
    """Run commands and return their output as `str`. Printed times vary; use ``as_json`` in programs.

    Raises:
        ShellError: A command failed, with HBase's message. The commands after it did not run.
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
    """Run the shell on standard input and output until it ends; returns the exit status.

    Args:
        script: Statements to run first. The session ends after them if they call ``exit`` or it is not interactive.
        interactive: Continue after an error; otherwise the first error ends the session with status 1.
        as_json: Print one JSON object per line instead of tables.
        commands: Statements to run instead of standard input, without prompts.
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
    """Run a script; returns its status, and whether it exited or failed."""
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
    from rowstone.cli.shell.terminal import completion, history

    completion.install(session)
    history.install()


def _width() -> int:
    """The terminal's width; 0 if the output is not a terminal, so that nothing is wrapped."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def _output() -> TextIO:
    """Standard output that accepts any bytes: values need not be UTF-8."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="surrogateescape")
    return sys.stdout


def _input() -> TextIO:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape", encoding=os.environ.get("PYTHONIOENCODING") or "utf-8")
    return sys.stdin
