"""``catalogjanitor_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.shell.switches import show

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Whether hbase:meta is cleared of regions that were split or merged.
A directory only remembers the switch, while it is open.

  hbase> catalogjanitor_enabled
"""


def command(session: Session) -> bool:
    return show(session, "catalog_janitor")
