"""Checks of options that are whole numbers."""

from typing import Any

from rowstone.errors import InvalidArgument, InvalidType


def check_number(name: str, number: Any, *, least: int = 1) -> None:
    """Raise `InvalidType` unless an option is an int, and `InvalidArgument` if it is below ``least``.

    >>> check_number("workers", 0)
    Traceback (most recent call last):
    rowstone.errors.InvalidArgument: workers is 0: at least 1
    """
    if not isinstance(number, int) or isinstance(number, bool):
        raise InvalidType(f"{name} must be an int, not {type(number).__name__}")
    if number < least:
        raise InvalidArgument(f"{name} is {number}: at least {least}")
