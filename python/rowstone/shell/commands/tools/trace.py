"""``trace``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Begins and ends spans of HTrace; true while one is open. As in HBase since 2.5 there is no HTrace to write them.

  hbase> trace 'start'
  hbase> trace 'status'
  hbase> trace 'stop'
"""


def command(session: Session, action: Any = "status", span: Any = "HBaseShell") -> bool:
    if action in ("start", "stop"):
        session.is_tracing = action == "start"
    return session.is_tracing
