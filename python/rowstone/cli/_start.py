"""Entry point of the command line: fast paths for the shell and the server, everything else through `_main`."""

import sys
from contextlib import ExitStack
from pathlib import Path
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
        from rowstone.cli.serving import plain

        return plain.plain_call(words[1:])
    return _plain_shell(words)


_FLAGS = {
    "-n": "noninteractive",
    "--noninteractive": "noninteractive",
    "--json": "as_json",
    "--read-only": "read_only",
}
_PLACES = {"shell": (0, 2), "exec": (2, 2)}


def _plain_shell(words: list[str]) -> int | None:
    """Run ``shell`` or ``exec`` if it has only known flags, and return the status; None for any other words."""
    command, places = words[0] if words else "", [word for word in words[1:] if not word.startswith("-")]
    flags = [word for word in words[1:] if word.startswith("-")]
    least, most = _PLACES.get(command, (0, -1))
    if not least <= len(places) <= most or not all(flag in _FLAGS for flag in flags):
        return None
    options: dict[str, Any] = {_FLAGS[flag]: True for flag in flags}
    if command == "shell":
        return run_shell(*places, **options)
    return None if "noninteractive" in options else run_commands(*places, **options)


def run_shell(
    directory: str = ":memory:",
    file: str | None = None,
    *,
    noninteractive: bool = False,
    as_json: bool = False,
    read_only: bool = False,
) -> int:
    """Run the shell; return the exit status."""
    from rowstone.cli import shell
    from rowstone.cli.common.tables import open_to_write

    with ExitStack() as stack:
        script = stack.enter_context(Path(file).open(encoding="utf-8", errors="surrogateescape")) if file else None
        db = stack.enter_context(open_to_write(directory, read_only=read_only))
        return shell.run_shell(db, script=script, interactive=not noninteractive, as_json=as_json)


def run_commands(directory: str, commands: str, *, as_json: bool = False, read_only: bool = False) -> int:
    """Run commands and print only their output; return the exit status."""
    from rowstone.cli import shell
    from rowstone.cli.common.tables import open_to_write

    with open_to_write(directory, read_only=read_only) as db:
        return shell.run_shell(db, interactive=False, as_json=as_json, commands=commands)
