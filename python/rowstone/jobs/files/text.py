"""Parsing of decimal text, for files whose fields have number types."""

import re
from collections.abc import Callable
from typing import Any

from rowstone.jobs.files.parquet import arrow, arrow_type

Decoder = Callable[[bytes], Any]
"""Converts stored bytes to a value of a file."""

_INTEGER = re.compile(rb"[+-]?[0-9]+")


def number_decoder(name: str, field: str) -> Decoder | None:
    """The parser of text for ``field``, by the name of its Arrow type; None if that is not a number type."""
    kind = arrow_type(name, field)
    if arrow().types.is_integer(kind):
        return decimal_integer
    return decimal_number if arrow().types.is_floating(kind) else None


def decimal_integer(data: bytes) -> int:
    """The integer of a text.

    >>> decimal_integer(b"-41")
    -41
    """
    if not _INTEGER.fullmatch(data):
        raise ValueError("it is no integer in decimal")
    return int(data)


def decimal_number(data: bytes) -> float:
    """The number of a text, with or without an exponent.

    >>> decimal_number(b"1.5e3")
    1500.0
    """
    if b"_" in data:
        raise ValueError("it is no number in decimal")
    try:
        return float(data)
    except ValueError:
        raise ValueError("it is no number in decimal") from None
