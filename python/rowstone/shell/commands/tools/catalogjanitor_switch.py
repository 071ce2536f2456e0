"""``catalogjanitor_switch``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.switches import turn

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Lets hbase:meta be cleared of regions that were split or merged, or not; says what held before.
A directory only remembers the switch, while it is open.

  hbase> catalogjanitor_switch true
  hbase> catalogjanitor_switch false
"""


def command(session: Session, on: Any) -> bool:
    return turn(session, "catalog_janitor", on)
