"""``balance_switch``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.switches import turn

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Lets the balancer move regions between servers, or not; says what held before. In a directory there is nothing to move:
it only remembers the switch.

  hbase> balance_switch true
  hbase> balance_switch false
"""


def command(session: Session, on: Any) -> bool:
    return turn(session, "balancer", on, "Previous balancer state : ")
