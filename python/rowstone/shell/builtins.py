"""Functions of the shell that are no commands: they print no time and no error of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import Exit, UnknownName
from rowstone.shell.java import JavaClass
from rowstone.shell.values import inspect, to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session


def _help(session: Session, topic: Any = None) -> None:
    session.help(topic)


def _tools(session: Session) -> None:
    session.help("tools")


def _exit(session: Session, status: Any = 0) -> None:
    raise Exit(status if isinstance(status, int) and not isinstance(status, bool) else 0 if status else 1)


def _puts(session: Session, *values: Any) -> None:
    for value in values or ("",):
        if isinstance(value, list):
            for item in value:
                _puts(session, item)
        else:
            text = to_s(value)
            session.formatter.write(text if text.endswith("\n") else f"{text}\n")


def _print(session: Session, *values: Any) -> None:
    for value in values:
        session.formatter.write(to_s(value))


def _p(session: Session, *values: Any) -> Any:
    for value in values:
        session.formatter.write(f"{inspect(value)}\n")
    return values[0] if len(values) == 1 else list(values) or None


def _import(session: Session, *classes: Any) -> list[Any]:
    for item in classes:
        if not isinstance(item, JavaClass):
            raise UnknownName(f"cannot import {inspect(item)}: name a class")
        session.evaluator.variables[item.path.rpartition(".")[2]] = item
    return list(classes)


def _debug(session: Session) -> None:
    session.debug = not session.debug
    _is_debug(session)


def _is_debug(session: Session) -> None:
    session.formatter.write(f"Debug mode is {'ON' if session.debug else 'OFF'}\n\n")


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "help": _help,
    "tools": _tools,
    "exit": _exit,
    "quit": _exit,
    "puts": _puts,
    "print": _print,
    "p": _p,
    "import": _import,
    "java_import": _import,
    "debug": _debug,
    "debug?": _is_debug,
}
"""By name; the first argument is the session."""
