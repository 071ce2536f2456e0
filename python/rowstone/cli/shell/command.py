"""The decorator of the shell's commands.

A command is a function of a session and the typed arguments. Its name is the function's, without the
underscore that avoids a clash with a Python name (`list_`). Its docstring is its help text.
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
        """The help text, ending with a newline. Indents examples, because formatters may remove the indentation."""
        paragraphs = inspect.cleandoc(self.function.__doc__ or "").split("\n\n")
        return "\n\n".join(indent(one, "  ") if one.startswith(PROMPT) else one for one in paragraphs) + "\n"


COMMANDS: dict[str, Command] = {}
"""Commands of the modules imported so far, by name. `rowstone.cli.shell.registry` imports the others."""


def command(*, directory: str = "done", cluster: str = "done") -> Callable[[Function], Function]:
    """Register a function as a shell command."""

    def add(function: Function) -> Function:
        name = function.__name__.rstrip("_")
        COMMANDS[name] = Command(name, function, directory, cluster)
        return function

    return add
