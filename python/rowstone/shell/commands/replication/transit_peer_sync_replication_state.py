"""``transit_peer_sync_replication_state``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import config_of

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Changes the state of synchronous replication to a peer: ACTIVE, DOWNGRADE_ACTIVE or STANDBY.
A directory has no peers.

  hbase> transit_peer_sync_replication_state '1', 'ACTIVE'
"""


def command(session: Session, peer: Any, state: Any) -> None:
    config_of(session, peer)
    raise session.cluster_only("synchronous replication")
