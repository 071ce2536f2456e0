"""``peer_modification_switch``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import truth

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Lets peers be changed, or not; says what held before. A directory has no peers. A second true waits for
changes under way.

  hbase> peer_modification_switch true
  hbase> peer_modification_switch false, true
"""


def command(session: Session, on: Any, drain: Any = False) -> bool:
    session.refuse_cluster("peer_modification_switch")
    before = session.switch("peer modification", truth(on))
    session.formatter.row([f"Previous peer modification state : {str(before).lower()}"])
    return before
