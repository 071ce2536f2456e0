"""Structs and enums of the second service."""

from __future__ import annotations

from typing import Any

from rowstone.server.thrift._idl import load
from rowstone.server.thrift._session import table_name

DOCUMENT = load("hbase2.thrift")


def choice(enum: str, number: int | None, default: str) -> str:
    """The name of an enum value; ``default`` if it is not set or unknown, as in HBase."""
    for name, one in DOCUMENT.enums[enum].items():
        if one == number:
            return name
    return default


def number_of(enum: str, name: str, default: str) -> int:
    """The number of an enum value."""
    choices = DOCUMENT.enums[enum]
    return choices.get(name, choices[default])


def name_of(name: Any) -> str:
    """The table name in a ``TTableName``."""
    if name.ns in (None, b"", b"default"):
        return table_name(name.qualifier)
    return f"{table_name(name.ns)}:{table_name(name.qualifier)}"
