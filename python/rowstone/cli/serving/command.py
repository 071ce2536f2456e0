"""``rowstone serve``"""

from inspect import Parameter, Signature, signature
from typing import Annotated, Any

import typer

from rowstone.cli.serving.options import BY_FLAG, BadOption, Options
from rowstone.cli.serving.run import run

Directory = Annotated[
    str,
    typer.Argument(
        help="The database's directory, created if missing; ':memory:'; or HBase's files, read-only (root+URL).",
        metavar="DIR",
    ),
]


def command(directory: Directory, **given: Any) -> None:
    """Serve a database to HBase's clients until Ctrl-C."""
    try:
        status = run(directory, Options(**given))
    except BadOption as error:
        raise typer.BadParameter(str(error)) from None
    if status:
        raise typer.Exit(status)


def _signature() -> Signature:
    """The signature from which typer reads the options."""
    options = [
        Parameter(
            option.name,
            Parameter.KEYWORD_ONLY,
            default=typer.Option(option.default, flag, **option.metadata["shown"]),
            annotation=option.type,
        )
        for flag, option in BY_FLAG.items()
    ]
    return Signature([signature(command).parameters["directory"], *options])


command.__signature__ = _signature()  # type: ignore[attr-defined]
