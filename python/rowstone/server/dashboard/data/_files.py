"""Names and fields of files that browsers download."""

from __future__ import annotations

import re

from rowstone._base.printable import printable

_MOST_NAME_CHARACTERS = 60
_FORMULAS = (b"=", b"+", b"-", b"@")
_NUMBER = re.compile(rb"[+-]?[0-9]+(\.[0-9]+)?")


def file_name(*parts: str) -> str:
    r"""A file's name from its parts, without characters that a file system or a header may refuse.

    >>> file_name("n:t", "", 'a/"')
    'n-t-a--'
    """
    return "-".join(re.sub(r"[^A-Za-z0-9_.-]", "-", part)[:_MOST_NAME_CHARACTERS] for part in parts if part)


def csv_field(value: bytes | str) -> str:
    r"""Bytes or text for CSV, which no spreadsheet takes for a formula; numbers stay as they are.

    >>> print(csv_field(b"=1+1"), csv_field(b"-1.5"), csv_field(b"a=b"), csv_field("=ü"))
    \x3D1+1 -1.5 a=b \x3Dü
    """
    data = value.encode() if isinstance(value, str) else value
    is_formula = data[:1] in _FORMULAS and not _NUMBER.fullmatch(data)
    start, rest = (f"\\x{data[0]:02X}", value[1:]) if is_formula else ("", value)
    return start + (rest if isinstance(rest, str) else printable(rest))
