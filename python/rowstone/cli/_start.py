"""Where the command line begins: the shell and the server at once, everything else through `_main`."""

import sys
from typing import Any


def main(arguments: list[str] | None = None) -> Any:
    """Runs the command line; errors of the store end it with their status, a closed pipe in silence."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        status = _plain_call(words)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        from rowstone.cli._main import end_with

        return end_with(error, words)
    if status is not None:
        sys.exit(status)
    from rowstone.cli._main import main as all_commands

    return all_commands(arguments)


def _plain_call(words: list[str]) -> int | None:
    """The status of a plain call of a command that need not wait for the library; None for all others."""
    if words[:1] == ["serve"]:
        from rowstone.cli import _plain_serve

        return _plain_serve.plain_call(words[1:])
    from rowstone.cli import _shell

    return _shell.plain_call(words)
