"""Limits of memory: what the process may have, and the parts of it for the block cache and for recent writes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rowstone import _native

if TYPE_CHECKING:
    from rowstone._core.database import Database

_Limit = tuple[int, str]


@dataclass(frozen=True)
class MemoryLimits:
    """Limits of memory of a database, in bytes, with what decided each. Returned by ``db.admin.metrics.memory_limits``.

    ``process_bytes`` is what the process may have, ``None`` if the operating system does not say. ``process_source`` is
    ``"machine"``, ``"cgroup"``, ``"RLIMIT_AS"`` or ``"RLIMIT_DATA"``. ``cache_bytes`` is the limit of the block cache,
    ``memstore_bytes`` that of recent writes. Their sources are ``"argument"``, ``"default"``, or the key of a setting.
    """

    process_bytes: int | None
    process_source: str | None
    cache_bytes: int
    cache_source: str
    memstore_bytes: int
    memstore_source: str


def limits_of(native: tuple[_Limit | None, _Limit, _Limit]) -> MemoryLimits:
    """Convert the native limits."""
    process, cache, memstore = native
    process_bytes, process_source = (None, None) if process is None else process
    return MemoryLimits(process_bytes, process_source, *cache, *memstore)


def default_limits(*, dedicated: bool) -> MemoryLimits:
    """Return the limits of a directory that this process opens for writing, without settings."""
    return limits_of(_native.default_memory_limits(dedicated))


def limits_for_writing(db: Database) -> MemoryLimits:
    """Return the limits that an open directory would have if this process opened it for writing.

    Raises:
        UnsupportedOperation: It is a cluster.
    """
    limits = db.admin.metrics.memory_limits()
    if not db.read_only or is_root(db) or limits.cache_source != "default":
        return limits
    return replace(limits, cache_bytes=default_limits(dedicated=False).cache_bytes)


def is_root(db: Database) -> bool:
    """Whether it is the files of an HBase cluster, which are never written."""
    return "://" in str(db.path)
