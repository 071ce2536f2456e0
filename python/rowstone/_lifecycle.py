"""What outlives a call: open databases at the interpreter's exit, and handles in the child of a fork."""

import atexit
import os
import weakref

from rowstone import _native

_open: "weakref.WeakSet[_native.Database]" = weakref.WeakSet()


def remember(database: _native.Database) -> None:
    """Sees to it that ``database`` is closed when the interpreter ends."""
    _open.add(database)


def _close_all() -> None:
    for database in list(_open):
        if database.is_ours and not database.closed:
            database.close()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_native.after_fork_in_child)
