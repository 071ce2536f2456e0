"""Names of tables."""

from __future__ import annotations

from typing import Any

from rowstone.server.thrift._session import table_name


def name_of(name: Any) -> str:
    """The table name in a ``TTableName``."""
    if name.ns in (None, b"", b"default"):
        return table_name(name.qualifier)
    return f"{table_name(name.ns)}:{table_name(name.qualifier)}"
