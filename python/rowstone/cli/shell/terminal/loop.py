"""Read-eval-print loop: read lines until a statement is complete, run it, print its return value."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TextIO

from rowstone.cli.shell.errors import Exit, Failed, Incomplete, LanguageError, RubyError, ShellError, SyntaxMistake
from rowstone.cli.shell.ruby.syntax.parser import missing, parse
from rowstone.cli.shell.ruby.values.objects import plain
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.terminal import pager
from rowstone.cli.shell.values import inspect

BANNER = """\
Rowstone shell, with HBase's commands
Use "help" to get list of supported commands.
Use "exit" to quit this interactive shell.
"""

Reader = Callable[[str], str | None]
"""Returns the next line for a prompt, without its newline; None at the end of input."""


def run(session: Session, read: Reader) -> int:
    """Run statements until the input ends; returns the exit status.

    An interactive session prints an error and goes on. Otherwise the first error ends the session with
    status 1 and is printed to standard error.
    """
    numbers = iter(range(1, sys.maxsize))
    while True:
        try:
            statement = _statement(session, read, numbers)
            if statement is None:
                return 0
            _execute(session, statement)
        except KeyboardInterrupt:
            pager.leave(session.out)
            session.out.write("\n")
            session.out.flush()
        except Exit as end:
            return end.status
        except Failed as failure:
            return _end(session, f"{failure.kind}: {failure}")
        except LanguageError as error:
            if not session.interactive:
                return _end(session, f"{error.kind}: {_placed(error)}")
            _show(session, error)
        except ShellError as error:
            mistake = RubyError(str(error), error.kind)
            if not session.interactive:
                return _end(session, f"{mistake.kind}: {mistake}")
            _show(session, mistake)


def run_text(session: Session, text: str) -> int:
    """Run the statements of ``text`` without prompts; returns the exit status."""
    lines = iter(text.split("\n"))
    return run(session, lambda prompt: next(lines, None))


def _statement(session: Session, read: Reader, numbers: Iterator[int]) -> tuple[str, int] | None:
    """Read the next complete statement and the number of its first line; None at the end."""
    text, first, prompt = "", 0, "hbase:{number:03}:0> "
    names = session.evaluator.variables
    while True:
        number = next(numbers)
        first = first or number
        line = read(prompt.format(number=number))
        if line is None:
            if text:
                raise SyntaxMistake("syntax error, unexpected end-of-file", first)
            return None
        text = f"{text}\n{line}" if text else line
        if not text.strip():
            return text, first
        more = missing(text, names)
        if more is None:
            return text, first
        prompt = _continuation(more)


def _continuation(more: Incomplete) -> str:
    """The prompt of a continuation line, as ``irb`` in HBase's shell prints it: none inside a block."""
    if more.quote or more.continues:
        return f"hbase:{{number:03}}:{more.depth}{more.quote or '*'} "
    return ""


def _execute(session: Session, statement: tuple[str, int]) -> None:
    text, first = statement
    value, statements = None, parse(text, session.evaluator.variables, first)
    for node in statements:
        value = session.evaluator.value(node)
    if value is not None:
        session.formatter.result(plain(value), inspect(value))
    session.out.flush()


def _placed(error: LanguageError) -> str:
    """The error message, with the line number if known."""
    return f"(hbase):{error.line}: {error}" if isinstance(error, SyntaxMistake) and error.line else str(error)


def _show(session: Session, error: LanguageError) -> None:
    lines = _placed(error).split("\n")
    bold, line, both, plain = ("\033[1m", "\033[4m", "\033[0;1m", "\033[m") if session.is_terminal else ("",) * 4
    session.out.write(f"{bold}Traceback{plain} (most recent call last):\n")
    session.out.write(f"{bold}{error.kind} ({line}{lines[0]}{both}){plain}\n")
    session.out.write("".join(f"{bold}{rest}{plain}\n" for rest in lines[1:]))
    session.out.flush()


def _end(session: Session, message: str) -> int:
    session.out.flush()
    session.report(message)
    return 1


def stream_reader(stream: TextIO, out: TextIO, *, echo: bool) -> Reader:
    """Read lines from a file or a pipe. With ``echo``, print prompt and line, as HBase's shell does with a pipe."""

    def read(prompt: str) -> str | None:
        line = stream.readline()
        if echo:
            out.write(prompt + line if line else f"{prompt}\n")
        return line.rstrip("\n") if line else None

    return read


def terminal_reader() -> Reader:
    """Read lines from a terminal, with editing, history and completion."""

    def read(prompt: str) -> str | None:
        try:
            return input(prompt)
        except EOFError:
            print()
            return None

    return read
