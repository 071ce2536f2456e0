"""Check of arguments that must not be objects of `rowstone.aio`."""

from rowstone.errors import InvalidType


def check_blocking(argument: str, given: object) -> None:
    """Raise `InvalidType` for an object of `rowstone.aio`, whose methods return coroutines."""
    if type(given).__module__.startswith("rowstone.aio."):
        kind = type(given).__name__
        raise InvalidType(
            f"{argument} is a {kind} of rowstone.aio: pass the synchronous {kind}, for example of "
            "rowstone.connect(path, reuse=True), and make the call in a thread with asyncio.to_thread"
        )
