"""``list_peers``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.values import Opaque

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

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
    session.refuse_cluster("list_peers")
    session.formatter.footer(0)
    return Opaque("#<Java::JavaUtil::ArrayList: []>")
