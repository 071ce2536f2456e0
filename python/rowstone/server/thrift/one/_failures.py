"""The exceptions of the first service."""

from rowstone.server.thrift._failures import Declared


def illegal_argument(text: str) -> Declared:
    """``IllegalArgument``, which some methods declare."""
    return Declared("ia", text)


def java_illegal_argument(text: str) -> Declared:
    """``IllegalArgument`` with the text of a Java exception."""
    return illegal_argument(f"java.lang.IllegalArgumentException: {text}")


def already_exists() -> Declared:
    """``AlreadyExists`` of ``createTable``."""
    return Declared("exist", "table name already in use")
