"""One open database per target, shared by all connections of this process.

A directory has one writing handle, so the connections of a pool cannot each open their own. The database is opened for
the first user of a target and closed with the last one; so is ``":memory:"``. After a fork the child
starts without any.
"""

import os
import threading
from dataclasses import dataclass

from rowstone._base.lifecycle import KeyedLocks
from rowstone._core.connect import connect
from rowstone._core.database import Database


@dataclass
class _Entry:
    database: Database
    users: int


# A cluster is identified by its URL and its operation timeout.
_Key = tuple[str, int | None]
_entries: dict[_Key, _Entry] = {}
_locks: KeyedLocks[_Key] = KeyedLocks()


def acquire(target: str, timeout_ms: int | None) -> Database:
    """Open or share the database of ``target``; return it with `release`. Raises what `rowstone.connect` raises."""
    key = _key(target, timeout_ms)
    with _locks.of(key):
        entry = _entries.get(key)
        if entry is not None:
            # Counted first: a connection that is garbage-collected here releases only its own use.
            entry.users += 1
        if entry is None or entry.database.closed:
            entry = _entries[key] = _Entry(_connect(target, timeout_ms), 1)
        return entry.database


def release(target: str, timeout_ms: int | None, database: Database, *, is_garbage: bool = False) -> None:
    """Release one use; the last one closes the database.

    Args:
        is_garbage: A finalizer calls, perhaps in a thread with locks that others wait for: never wait for them here.
    """
    key = _key(target, timeout_ms)
    lock = _locks.of(key)
    if not lock.acquire(blocking=not is_garbage):
        threading.Thread(target=release, args=(target, timeout_ms, database), name="rowstone-release").start()
        return
    try:
        entry = _entries.get(key)
        if entry is None or entry.database is not database:
            return
        entry.users -= 1
        if entry.users > 0:
            return
        del _entries[key]
        # Inside the lock: the next opener of the directory must find it free.
        database.close()
    finally:
        lock.release()


def _key(target: str, timeout_ms: int | None) -> _Key:
    if "://" in target:
        return target, timeout_ms
    return target if target == ":memory:" else os.path.realpath(target), None


def _connect(target: str, timeout_ms: int | None) -> Database:
    if "://" in target and timeout_ms is not None:
        return connect(target, operation_timeout_ms=timeout_ms, connect_timeout_ms=timeout_ms)
    return connect(target)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_entries.clear)
