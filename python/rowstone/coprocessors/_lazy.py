"""Lazy import of aggregates: they need the codecs of values, which not every program uses."""

from typing import Any

NAMES = ("Aggregates", "aggregate", "count_rows", "median")


def __getattr__(name: str) -> Any:
    if name not in NAMES:
        raise AttributeError(f"module 'rowstone.coprocessors' has no attribute {name!r}")
    from rowstone.coprocessors import _aggregates

    return getattr(_aggregates, name)
