"""``list_locks``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.events import print_lock

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Locks that the master's procedures hold. A directory has no procedures.

  hbase> list_locks
"""


def command(session: Session) -> list[dict[str, Any]]:
    locks = session.admin.locks() if session.is_cluster else []
    for lock in locks:
        print_lock(session, lock)
    return locks
