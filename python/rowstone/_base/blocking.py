"""Check of arguments that must be a database or a table: not a path or a name, and no object of `rowstone.aio`."""

import os

from rowstone.errors import InvalidType


def check_blocking(argument: str, given: object) -> None:
    """Raise `InvalidType` for a path, a name, or an object of `rowstone.aio`, whose methods return coroutines."""
    if isinstance(given, (str, bytes, os.PathLike)):
        wanted = "Table: db.table(name)" if argument == "table" else "Database: rowstone.connect(path)"
        raise InvalidType(f"{argument} is {given!r}: pass a {wanted}")
    if type(given).__module__.startswith("rowstone.aio."):
        kind = type(given).__name__
        raise InvalidType(
            f"{argument} is a {kind} of rowstone.aio: pass the synchronous {kind}, for example of "
            "rowstone.connect(path, reuse=True), and make the call in a thread with asyncio.to_thread"
        )
