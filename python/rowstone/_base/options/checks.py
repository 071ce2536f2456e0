"""Checks of options: whole numbers, and lists of names, keys or values."""

from collections.abc import Iterable
from typing import Any, TypeVar

from rowstone.errors import InvalidArgument, InvalidType

_Item = TypeVar("_Item")


def check_number(name: str, number: Any, *, least: int = 1) -> None:
    """Raise `InvalidType` unless an option is a whole number, and `InvalidArgument` if it is below ``least``.

    >>> check_number("workers", 0)
    Traceback (most recent call last):
    rowstone.errors.InvalidArgument: workers is 0: at least 1
    """
    # Those of NumPy are whole numbers, too.
    if not hasattr(type(number), "__index__") or isinstance(number, bool):
        raise InvalidType(f"{name} must be an int, not {type(number).__name__}")
    if number < least:
        raise InvalidArgument(f"{name} is {number}: at least {least}")


def check_list(name: str, values: Any) -> None:
    """Raise `InvalidType` if an option with several values is one text or bytes, or cannot be iterated.

    >>> check_list("remove", "anchor")
    Traceback (most recent call last):
    rowstone.errors.InvalidType: remove must be a list, not 'anchor'; write ['anchor']
    """
    if isinstance(values, (str, bytes, bytearray, memoryview)):
        raise InvalidType(f"{name} must be a list, not {values!r}; write [{values!r}]")
    if not isinstance(values, Iterable):
        raise InvalidType(f"{name} must be a list, not {type(values).__name__}")


def as_list(name: str, values: Iterable[_Item] | None) -> list[_Item]:
    """Return the values as a list after `check_list`; None has no values."""
    if values is None:
        return []
    check_list(name, values)
    return list(values)
