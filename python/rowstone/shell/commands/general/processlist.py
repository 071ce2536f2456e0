"""``processlist``"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
What servers are doing: the tasks that run at the moment.

  hbase> processlist
  hbase> processlist 'all'
  hbase> processlist 'handler', 'host'

A filter (all, general, handler, rpc, operation) may stand first, host names behind it. A directory does its work within
the calls of its users, and a cluster is not asked for its tasks: the list is empty.
"""


_FILTERS = ("all", "general", "handler", "rpc", "operation")


def command(session: Session, *arguments: Any) -> None:
    chosen = arguments[0] if arguments and arguments[0] in _FILTERS else "general"
    session.formatter.line(f"0 tasks as of: {time.strftime('%Y-%m-%d %H:%M:%S')}")
    session.formatter.line(f"No {chosen} tasks currently running.")
