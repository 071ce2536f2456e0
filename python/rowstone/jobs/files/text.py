"""Parsing of decimal text, for files whose fields have number types."""

import re
from collections.abc import Callable
from typing import Any

from rowstone.jobs.files.parquet import arrow, arrow_type

Decoder = Callable[[bytes], Any]
"""Converts stored bytes to a value of a file."""

_INTEGER = re.compile(rb"[+-]?[0-9]+")


def number_decoder(name: str, field: str) -> Decoder | None:
    """Return the text parser for ``field``, whose Arrow type is ``name``; None if that is not a number type."""
    kind = arrow_type(name, field)
    if arrow().types.is_integer(kind):
        return decimal_integer
    return decimal_number if arrow().types.is_floating(kind) else None


def decimal_integer(data: bytes) -> int:
    """Parse an integer from decimal text.

    >>> decimal_integer(b"-41")
    -41
    """
    if not _INTEGER.fullmatch(data):
        raise ValueError("it is not a decimal integer")
    return int(data)


def decimal_number(data: bytes) -> float:
    """Parse a number from decimal text, with or without an exponent.

    >>> decimal_number(b"1.5e3")
    1500.0
    """
    if b"_" in data:
        raise ValueError("it is not a decimal number")
    try:
        return float(data)
    except ValueError:
        raise ValueError("it is not a decimal number") from None
