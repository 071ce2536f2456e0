"""``is_in_maintenance_mode``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Whether the master is in maintenance mode, where it does nothing by itself. A directory has none.

  hbase> is_in_maintenance_mode
"""


def command(session: Session) -> bool:
    session.formatter.row([False])
    return False
