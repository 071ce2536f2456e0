"""``list_peer_configs``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.values import Opaque

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
The settings of all peers. A directory has no peers.

  hbase> list_peer_configs
"""


def command(session: Session) -> Any:
    session.refuse_cluster("list_peer_configs")
    return Opaque("#<Java::JavaUtil::HashMap: {}>")
