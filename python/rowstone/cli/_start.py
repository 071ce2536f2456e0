"""Entry point of the command line: fast paths for the shell and the server, everything else through `_main`."""

import sys
from typing import Any


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line. Errors of the store end it with their status, a closed pipe ends it silently."""
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
    """Run a plain call of a command that has a fast path and return its status; None for all others."""
    if words[:1] == ["serve"]:
        from rowstone.cli import _plain_serve

        return _plain_serve.plain_call(words[1:])
    from rowstone.cli import _shell

    return _shell.plain_call(words)
