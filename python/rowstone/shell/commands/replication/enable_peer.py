"""``enable_peer``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import run

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Goes on with the replication to a peer.
A directory has no peers.

  hbase> enable_peer '1'
"""


def command(session: Session, peer: Any) -> None:
    run(session, peer, session.admin.enable_peer)
