"""``get_peer_config``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import config_of, print_config
from rowstone.shell.values import Opaque, java_object

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
The settings of a peer.
A directory has no peers.

  hbase> get_peer_config '1'
"""


def command(session: Session, peer: Any) -> Any:
    config = config_of(session, peer)
    print_config(session, config)
    return Opaque(java_object("OrgApacheHadoopHbaseReplication::ReplicationPeerConfig", config))
