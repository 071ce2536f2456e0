"""``catalogjanitor_run``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Clears hbase:meta of regions that were split or merged; the number of those it cleared. In a directory it is clear at
all times: the number is 0.

  hbase> catalogjanitor_run
"""


def command(session: Session) -> int:
    return session.admin.run_catalog_janitor() if session.is_cluster else 0
