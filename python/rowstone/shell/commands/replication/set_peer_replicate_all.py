"""``set_peer_replicate_all``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import no_peer

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Lets a peer have all tables, or only those named.
A directory has no peers.

  hbase> set_peer_replicate_all '1', true
  hbase> set_peer_replicate_all '1', false
"""


def command(session: Session, peer: Any, all_tables: Any) -> None:
    raise no_peer(session, peer)
