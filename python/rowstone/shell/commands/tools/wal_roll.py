"""``wal_roll``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Begins a new log on a server. hlog_roll is the same. A directory begins one when the last is large, and when it is
flushed: this flushes all tables.

  hbase> wal_roll 'host187.example.com,60020,1289493121758'
"""


def command(session: Session, server: Any) -> None:
    name = session.asked_server(server)
    if session.is_cluster:
        session.admin.roll_log(name)
    else:
        session.admin.flush()
