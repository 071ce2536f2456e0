"""``disable_peer``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import run

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Stops the replication to a peer; what it misses is kept for it.
A directory has no peers.

  hbase> disable_peer '1'
"""


def command(session: Session, peer: Any) -> None:
    run(session, peer, session.admin.disable_peer)
