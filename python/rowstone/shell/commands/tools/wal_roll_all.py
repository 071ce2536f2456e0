"""``wal_roll_all``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Begins a new log on every server. A directory flushes all tables, which ends the need for the old one.

  hbase> wal_roll_all
"""


def command(session: Session) -> None:
    if not session.is_cluster:
        session.admin.flush()
        return
    for server in session.servers():
        session.admin.roll_log(server)
