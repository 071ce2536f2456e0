"""The commands, one per file, and what happens when one fails.

Commands import what draws tables only when they draw: help is there at once.
"""

import sys
from typing import Any

import typer

from rowstone.cli import (
    advise,
    backup,
    check,
    columns,
    compare,
    copy,
    count,
    demo,
    design,
    exec,
    export,
    export_hfiles,
    export_snapshot,
    get,
    heatmap,
    hfile,
    import_,
    import_hfiles,
    import_snapshot,
    info,
    repair,
    restore,
    scan,
    schema,
    serve,
    shell,
    stats,
    tables,
    top,
    user,
)

app = typer.Typer(
    name="rowstone",
    help="HBase's data model in a directory: look into databases and store files.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

_LOOKING = (info, tables, columns, scan, get, count, stats, top, heatmap, hfile, advise)
_FILES = (export_hfiles, import_hfiles, export_snapshot, import_snapshot)
_MOVING = (import_, export, copy, compare, *_FILES)
_COMMANDS = (*_LOOKING, shell, exec, *_MOVING, serve, backup, restore, check, repair, demo)

for module in _COMMANDS:
    # A module cannot be called `import`.
    name = module.__name__.rpartition(".")[2].rstrip("_").replace("_", "-")
    app.command(name=name, help=module.command.__doc__)(module.command)

app.add_typer(schema.app, name="schema")
app.add_typer(design.app, name="design")
app.add_typer(user.app, name="user")


def _show_version(value: bool) -> None:
    if value:
        from rowstone._version import __version__

        typer.echo(f"rowstone {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    pass


# By the name of the error's class.
_HINTS = {
    "DatabaseLocked": "close the other process, or only look: the other commands work beside it",
    "NotADatabase": "`rowstone demo` makes a database to look at",
    "TableNotFound": "`rowstone tables DIR` lists the tables",
    "NoSuchColumnFamily": "`rowstone tables DIR` lists the families of each table",
    "CorruptionError": "`rowstone check DIR` says what is lost, `rowstone repair DIR OUT` saves the rest into a copy",
    "InvalidArgument": "`rowstone COMMAND --help` shows what a command takes",
}


def report(error: Exception) -> None:
    """Prints an error and what to do about it, on the error output."""
    typer.echo(f"error: {error}", err=True)
    for kind in type(error).__mro__:
        if kind.__name__ in _HINTS:
            typer.echo(f"hint: {_HINTS[kind.__name__]}", err=True)
            return


def end_with(error: Exception) -> None:
    """Ends the process with status 1 for an error that users can do something about; raises any other."""
    from rowstone.errors import RowstoneError

    if not isinstance(error, (RowstoneError, OSError, ImportError)):
        raise error
    report(error)
    sys.exit(1)


def main(arguments: list[str] | None = None) -> Any:
    """Runs the command line; errors of the store end it with status 1, a closed pipe in silence."""
    try:
        return app(arguments)
    except BrokenPipeError:
        # The reader of the output, such as `head`, has seen enough.
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        end_with(error)
