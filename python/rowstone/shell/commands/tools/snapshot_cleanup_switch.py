"""``snapshot_cleanup_switch``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.switches import turn

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Lets snapshots go by themselves when their time is over, or not; says what held before.
A directory remembers the switch.

  hbase> snapshot_cleanup_switch true
  hbase> snapshot_cleanup_switch false
"""


def command(session: Session, on: Any) -> bool:
    return turn(session, "snapshot_cleanup", on, "Previous snapshot cleanup state : ")
