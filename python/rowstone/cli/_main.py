"""The commands by name, and error reporting.

A command line imports only its own command, and commands import their dependencies when they run. So each starts fast.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import typer

from rowstone.cli.common.group import Commands

COMMANDS = {
    "info": "commands.database:info",
    "tables": "commands.database:tables",
    "columns": "commands.database:columns",
    "scan": "commands.rows:scan",
    "get": "commands.rows:get",
    "count": "commands.count:command",
    "stats": "commands.database:stats",
    "top": "commands.top:command",
    "explore": "serving.explore:command",
    "heatmap": "schemas.heatmap:command",
    "hfile": "commands.hfile:command",
    "advise": "schemas.advise:command",
    "shell": "commands.shell:shell",
    "exec": "commands.shell:run_one",
    "import": "commands.import_:command",
    "export": "commands.export:command",
    "copy": "commands.copy:command",
    "compare": "commands.compare:command",
    "export-hfiles": "commands.files:export_hfiles",
    "import-hfiles": "commands.files:import_hfiles",
    "export-snapshot": "commands.files:export_snapshot",
    "import-snapshot": "commands.files:import_snapshot",
    "serve": "serving.command:command",
    "backup": "commands.backup:backup",
    "restore": "commands.backup:restore",
    "backups": "commands.backup:backups",
    "prune": "commands.backup:prune",
    "check": "commands.check:check",
    "repair": "commands.check:repair",
    "demo": "commands.shell:demo",
}
"""The module and function of each command, in the order of ``rowstone --help``."""
GROUPS = {"schema": "schemas.schema", "design": "schemas.design", "user": "commands.user"}
"""The modules of commands that are groups of commands."""


def _show_version(value: bool) -> None:
    if value:
        from rowstone._base.version import __version__

        typer.echo(f"rowstone {__version__}")
        raise typer.Exit


def _options(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    pass


def app_of(names: Iterable[str] = (*COMMANDS, *GROUPS)) -> typer.Typer:
    """Build the command line with the commands of these names."""
    app = typer.Typer(
        name="rowstone",
        cls=Commands,
        help="HBase for Python: query, serve, copy and check databases.",
        no_args_is_help=True,
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_options)
    for name in names:
        module, _, function = (COMMANDS.get(name) or GROUPS[name]).partition(":")
        found = import_module(f"rowstone.cli.{module}")
        if name in GROUPS:
            app.add_typer(found.app, name=name)
        else:
            command = getattr(found, function)
            app.command(name=name, help=command.__doc__)(command)
    return app


_SHELL_COMMANDS = frozenset(
    ("alter", "append", "create", "delete", "deleteall", "describe", "disable", "drop", "enable", "incr", "list", "put")
)
"""Commands of HBase's shell that users may try here."""

# By the name of the error's class.
_HINTS = {
    "DatabaseLocked": "close the other process; commands that only read work while it is open",
    "NotADatabase": "`rowstone demo` creates a database to explore",
    "TableNotFound": "`rowstone tables DIR` lists the tables",
    "NoSuchColumnFamily": "`rowstone tables DIR` lists the families of each table",
    "CorruptionError": "`rowstone check DIR` lists the damage, `rowstone repair DIR OUT` copies what is readable",
    "BadInput": "fix the line, or use `--bad-lines skip`: it writes such lines to another file and continues",
    "InvalidArgument": "`rowstone {command} --help` describes the arguments",
}


def command_of(words: Sequence[str]) -> str:
    """Return the command of a line, with that of a group such as ``schema``; COMMAND if there is none."""
    if words and words[0] in GROUPS:
        return " ".join(words[:2] if words[1:2] and not words[1].startswith("-") else words[:1])
    return words[0] if words and words[0] in COMMANDS else "COMMAND"


def report(error: Exception, words: Sequence[str]) -> None:
    """Print an error and its remedy to stderr; ``words`` are those of the command line."""
    typer.echo(f"error: {_message_of(error)}", err=True)
    for kind in type(error).__mro__:
        if kind.__name__ in _HINTS:
            typer.echo(f"hint: {_HINTS[kind.__name__].format(command=command_of(words))}", err=True)
            return


def _message_of(error: Exception) -> str:
    """Return the message of an error; of a missing file its path, without the operating system's words."""
    if not isinstance(error, FileNotFoundError) or error.filename is None:
        return str(error)
    path = Path(os.fsdecode(error.filename))
    return f"no such file: {path}" + ("" if path.parent.is_dir() else f" (there is no directory {path.parent})")


def end_with(error: Exception, words: Sequence[str]) -> None:
    """Exit with the status of an error that users can act on; raise any other."""
    from rowstone.cli.common.status import status_of
    from rowstone.errors import RowstoneError

    if not isinstance(error, (RowstoneError, OSError, ImportError)):
        raise error
    report(error, words)
    sys.exit(status_of(error))


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line. Errors of the store end it with their status, a closed pipe ends it silently."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] in _SHELL_COMMANDS:
        typer.echo(f"error: '{words[0]}' is a command of HBase's shell: rowstone exec DIR \"{words[0]} ...\"", err=True)
        from rowstone.cli.common.status import USAGE

        sys.exit(USAGE)
    try:
        is_one = bool(words) and words[0] in (*COMMANDS, *GROUPS)
        return app_of(words[:1])(arguments) if is_one else app_of()(arguments)
    except BrokenPipeError:
        # The reader of the output, such as `head`, has closed the pipe.
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        end_with(error, words)
