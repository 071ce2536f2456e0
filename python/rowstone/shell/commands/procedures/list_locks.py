"""``list_locks``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Locks that the master's procedures hold. A directory has no procedures.

  hbase> list_locks
"""


def command(session: Session) -> list[str]:
    session.refuse_cluster("list_locks")
    return []
