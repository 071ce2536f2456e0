"""``peer_modification_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Whether peers may be changed. A directory has no peers.

  hbase> peer_modification_enabled
"""


def command(session: Session) -> bool:
    session.refuse_cluster("peer_modification_enabled")
    on = session.switch("peer modification")
    session.formatter.row([on])
    return on
