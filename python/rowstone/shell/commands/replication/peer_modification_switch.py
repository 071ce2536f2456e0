"""``peer_modification_switch``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.switches import turn

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Lets peers be changed, or not; says what held before. A directory has no peers. A second true waits for
changes under way.

  hbase> peer_modification_switch true
  hbase> peer_modification_switch false, true
"""


def command(session: Session, on: Any, drain: Any = False) -> bool:
    return turn(session, "peer_modification", on, "Previous peer modification state : ")
