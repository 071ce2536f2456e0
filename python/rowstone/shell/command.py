"""The decorator of the shell's commands.

A command is a function of a session and the arguments that were typed. Its name is the function's, without the
underscore that keeps a name of Python free (`list_`). Its docstring is its help.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import indent
from typing import Any, TypeVar

PROMPT = "hbase> "
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Command:
    """A command and its support: ``"done"``, ``"one server"``, ``"cluster only"``, ``"not in 2.6"``, ``"not yet"``."""

    name: str
    function: Callable[..., Any]
    on_directory: str
    on_cluster: str

    @property
    def help(self) -> str:
        """The help text, which ends with an end of line. Examples are indented, which formatters may undo."""
        paragraphs = inspect.cleandoc(self.function.__doc__ or "").split("\n\n")
        return "\n\n".join(indent(one, "  ") if one.startswith(PROMPT) else one for one in paragraphs) + "\n"


COMMANDS: dict[str, Command] = {}
"""The commands of all modules that are imported, by name. `rowstone.shell.registry` imports the others."""


def command(*, directory: str = "done", cluster: str = "done") -> Callable[[Function], Function]:
    """Adds a function to the shell's commands."""

    def add(function: Function) -> Function:
        name = function.__name__.rstrip("_")
        COMMANDS[name] = Command(name, function, directory, cluster)
        return function

    return add
