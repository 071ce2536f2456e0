"""``list_peer_configs``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import print_config
from rowstone.shell.values import Opaque, java_object

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
The settings of all peers. A directory has no peers.

  hbase> list_peer_configs
"""


def command(session: Session) -> Any:
    peers = session.admin.peers() if session.is_cluster else []
    for peer in peers:
        session.formatter.row(["PeerId", peer.id])
        print_config(session, peer.config)
        session.formatter.row([" "])
    kind = "OrgApacheHadoopHbaseReplication::ReplicationPeerConfig"
    shown = ", ".join(f'"{peer.id}"=>{java_object(kind, peer.config)}' for peer in peers)
    return Opaque(f"#<Java::JavaUtil::HashMap: {{{shown}}}>")
