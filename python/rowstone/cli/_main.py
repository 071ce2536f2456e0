"""The commands, one per file, and error reporting.

A command line imports only its own command, and commands import their dependencies when they run. So each starts fast.
"""

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

import typer

_LOOKING = ("info", "tables", "columns", "scan", "get", "count", "stats", "top", "heatmap", "hfile", "advise")
_FILES = ("export-hfiles", "import-hfiles", "export-snapshot", "import-snapshot")
_MOVING = ("import", "export", "copy", "compare", *_FILES)
COMMANDS = (
    *_LOOKING, "shell", "exec", *_MOVING, "serve", "backup", "restore", "check", "repair", "demo",
)  # fmt: skip
GROUPS = ("schema", "design", "user")
"""Commands that are groups of commands."""


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
        help="HBase's data model in a directory: inspect databases and store files.",
        no_args_is_help=True,
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_options)
    for name in names:
        # `import` is a keyword, so its module is called `import_`.
        file = {"import": "import_"}.get(name, name.replace("-", "_"))
        module = import_module(f"rowstone.cli.{file}")
        if name in GROUPS:
            app.add_typer(module.app, name=name)
        else:
            app.command(name=name, help=module.command.__doc__)(module.command)
    return app


# By the name of the error's class.
_HINTS = {
    "DatabaseLocked": "close the other process, or only look: the other commands work beside it",
    "NotADatabase": "`rowstone demo` makes a database to look at",
    "TableNotFound": "`rowstone tables DIR` lists the tables",
    "NoSuchColumnFamily": "`rowstone tables DIR` lists the families of each table",
    "CorruptionError": "`rowstone check DIR` says what is lost, `rowstone repair DIR OUT` saves the rest into a copy",
    "BadInput": "mend the line, or `--bad-lines skip` keeps such lines in a file beside and goes on",
    "InvalidArgument": "`rowstone {command} --help` shows what it takes",
}


def command_of(words: Sequence[str]) -> str:
    """Return the command of a line, with that of a group such as ``schema``; COMMAND if there is none."""
    if words and words[0] in GROUPS:
        return " ".join(words[:2] if words[1:2] and not words[1].startswith("-") else words[:1])
    return words[0] if words and words[0] in COMMANDS else "COMMAND"


def report(error: Exception, words: Sequence[str]) -> None:
    """Print an error and its remedy to stderr; ``words`` are those of the command line."""
    typer.echo(f"error: {error}", err=True)
    for kind in type(error).__mro__:
        if kind.__name__ in _HINTS:
            typer.echo(f"hint: {_HINTS[kind.__name__].format(command=command_of(words))}", err=True)
            return


def end_with(error: Exception, words: Sequence[str]) -> None:
    """Exit with the status of an error that users can act on; raise any other."""
    from rowstone.cli._status import status_of
    from rowstone.errors import RowstoneError

    if not isinstance(error, (RowstoneError, OSError, ImportError)):
        raise error
    report(error, words)
    sys.exit(status_of(error))


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line. Errors of the store end it with their status, a closed pipe ends it silently."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        is_one = bool(words) and words[0] in (*COMMANDS, *GROUPS)
        return app_of(words[:1])(arguments) if is_one else app_of()(arguments)
    except BrokenPipeError:
        # The reader of the output, such as `head`, has closed the pipe.
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        end_with(error, words)
