"""``snapshot_cleanup_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.shell.switches import show

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Whether snapshots go by themselves when their time is over.
A directory remembers the switch.

  hbase> snapshot_cleanup_enabled
"""


def command(session: Session) -> bool:
    return show(session, "snapshot_cleanup")
