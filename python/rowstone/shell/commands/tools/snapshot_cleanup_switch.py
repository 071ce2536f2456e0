"""``snapshot_cleanup_switch``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import truth

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Lets snapshots go by themselves when their time is over, or not; says what held before.
A directory only remembers the switch, while it is open.

  hbase> snapshot_cleanup_switch true
  hbase> snapshot_cleanup_switch false
"""


def command(session: Session, on: Any) -> bool:
    before = session.switch("snapshot cleanup", truth(on))
    session.formatter.row([f"Previous snapshot cleanup state : {str(before).lower()}"])
    return before
