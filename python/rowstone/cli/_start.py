"""Where the command line begins: the shell at once, everything else through `_main`."""

import sys
from typing import Any


def main(arguments: list[str] | None = None) -> Any:
    """Runs the command line; errors of the store end it with status 1, a closed pipe in silence."""
    from rowstone.cli._shell import plain_call

    try:
        status = plain_call(sys.argv[1:] if arguments is None else arguments)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        from rowstone.cli._main import end_with

        return end_with(error)
    if status is not None:
        sys.exit(status)
    from rowstone.cli._main import main as all_commands

    return all_commands(arguments)
