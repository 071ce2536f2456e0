"""One open database per target, however many connections of this process use it.

A directory has one writing handle, so the connections of a pool cannot each open their own. The database is opened for
the first user of a target and closed with the last one; ``":memory:"`` lives that long too. After a fork the child
starts without any.
"""

import os
import threading
from dataclasses import dataclass

from rowstone._connect import connect
from rowstone._database import Database


@dataclass
class _Entry:
    database: Database
    users: int


_entries: dict[str, _Entry] = {}
_lock = threading.Lock()


def acquire(target: str) -> Database:
    """The open database of ``target``; give it back with `release`. Raises what `rowstone.connect` raises."""
    key = _key(target)
    with _lock:
        entry = _entries.get(key)
        if entry is None or entry.database.closed:
            entry = _entries[key] = _Entry(connect(target), 0)
        entry.users += 1
        return entry.database


def release(target: str, database: Database) -> None:
    """One user less; the last one closes it."""
    key = _key(target)
    with _lock:
        entry = _entries.get(key)
        if entry is None or entry.database is not database:
            return
        entry.users -= 1
        if entry.users > 0:
            return
        del _entries[key]
        # Inside the lock: who opens the directory next must find it free.
        database.close()


def _key(target: str) -> str:
    return target if target == ":memory:" or "://" in target else os.path.realpath(target)


def _forget() -> None:
    global _lock
    _lock = threading.Lock()
    _entries.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
