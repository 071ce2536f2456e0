"""The errors of the model, under the names HBase's exceptions have."""

from __future__ import annotations


class HBaseError(Exception):
    """An operation HBase refuses."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name
        self.message = message


def no_such_family(family: bytes) -> HBaseError:
    """The family is not in the table. HBase's message also names region and table."""
    message = f"Column family {family.decode('latin-1')} does not exist in region"
    return HBaseError("NoSuchColumnFamilyException", message)


def do_not_retry(message: str) -> HBaseError:
    """The request itself is wrong."""
    return HBaseError("DoNotRetryIOException", message)
