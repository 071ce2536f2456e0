"""Lifecycle of open databases: closing at the interpreter's exit, and handles in the child of a fork."""

import atexit
import os
import threading
import weakref
from collections.abc import Hashable
from typing import TYPE_CHECKING, Generic, TypeVar

from rowstone import _native

if TYPE_CHECKING:
    from rowstone._core.database import Database

_Key = TypeVar("_Key", bound=Hashable)


class KeyedLocks(Generic[_Key]):
    """Reentrant locks, each of which lasts while it is used. In the child of a fork all of them are free.

    They are reentrant because garbage collection may run finalizers at any point of the thread that holds one.
    """

    def __init__(self) -> None:
        self._start()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._start)

    def _start(self) -> None:
        self._guard = threading.RLock()
        self._locks: weakref.WeakValueDictionary[_Key, threading.RLock] = weakref.WeakValueDictionary()

    def of(self, key: _Key) -> "threading.RLock":
        """Return the lock of ``key``."""
        with self._guard:
            lock = self._locks.get(key)
            if lock is None:
                lock = self._locks[key] = threading.RLock()
            return lock


_open: "weakref.WeakSet[_native.Database]" = weakref.WeakSet()
_writers: "weakref.WeakValueDictionary[str, Database]" = weakref.WeakValueDictionary()
"""The databases that are open for writing, by the real paths of their directories."""
_opening: KeyedLocks[str] = KeyedLocks()


def opening(path: str | os.PathLike[str]) -> "threading.RLock":
    """Return the lock with which one thread at a time opens a directory for writing.

    Others that wait for it then find the database with `writer_of`.
    """
    return _opening.of(os.path.realpath(path))


def remember(database: _native.Database) -> None:
    """Register ``database`` to be closed when the interpreter exits."""
    _open.add(database)


def remember_writer(path: str | os.PathLike[str], database: "Database") -> None:
    """Register ``database`` as the writer of a directory."""
    _writers[os.path.realpath(path)] = database


def forget_writer(database: "Database") -> None:
    """Unregister a closed database."""
    for path in [path for path, known in list(_writers.items()) if known is database]:
        _writers.pop(path, None)


def writer_of(path: str | os.PathLike[str]) -> "Database | None":
    """Return the database that this process has open for writing in a directory, or None."""
    known = _writers.get(os.path.realpath(path))
    return known if known is not None and known._native.is_ours and not known.closed else None


def _close_all() -> None:
    for database in list(_open):
        if database.is_ours and not database.closed:
            database.close()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_native.after_fork_in_child)
