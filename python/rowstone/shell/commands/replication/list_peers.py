"""``list_peers``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.peers import tables_text
from rowstone.shell.values import Opaque, java_object

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
The peers with their settings. A directory has no peers.

  hbase> list_peers
"""


_COLUMNS = (
    "PEER_ID", "CLUSTER_KEY", "ENDPOINT_CLASSNAME", "STATE", "REPLICATE_ALL", "NAMESPACES", "TABLE_CFS", "BANDWIDTH",
    "SERIAL",
)  # fmt: skip


def command(session: Session) -> Any:
    session.formatter.header(_COLUMNS)
    peers = session.admin.peers() if session.is_cluster else []
    for peer in peers:
        config, mark = peer.config, "!" if peer.config.replicate_all else ""
        names = config.exclude_namespaces if config.replicate_all else config.namespaces
        tables = tables_text(config.exclude_tables if config.replicate_all else config.tables)
        state = "ENABLED" if peer.enabled else "DISABLED"
        session.formatter.row(
            [
                *(peer.id, config.cluster_key, config.endpoint, state, config.replicate_all),
                None if names is None else mark + ";".join(names),
                None if tables is None else mark + tables,
                *(config.bandwidth, config.serial),
            ]
        )
    session.formatter.footer(len(peers))
    shown = ", ".join(
        java_object("OrgApacheHadoopHbaseReplication::ReplicationPeerDescription", peer) for peer in peers
    )
    return Opaque(f"#<Java::JavaUtil::ArrayList: [{shown}]>")
