"""``is_in_maintenance_mode``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Whether the master is in maintenance mode, where it does nothing by itself. A directory has none.

  hbase> is_in_maintenance_mode
"""


def command(session: Session) -> bool:
    on = session.admin.is_in_maintenance_mode() if session.is_cluster else False
    session.formatter.row([on])
    return on
