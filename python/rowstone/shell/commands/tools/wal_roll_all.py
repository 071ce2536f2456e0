"""``wal_roll_all``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Begins a new log on every server. A directory flushes all tables, which ends the need for the old one.

  hbase> wal_roll_all
"""


def command(session: Session) -> None:
    session.refuse_cluster("wal_roll_all")
    session.admin.flush()
