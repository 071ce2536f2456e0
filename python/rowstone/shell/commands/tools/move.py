"""``move``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.maintenance import find_region
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Moves a region to a server, or to one that the master chooses. The name of the region is its encoded one, that of the
server 'host,port,startcode'.

  hbase> move 'ENCODED_REGIONNAME'
  hbase> move 'ENCODED_REGIONNAME', 'SERVER_NAME'
"""


def command(session: Session, region: Any, server: Any = None) -> None:
    found = find_region(session, region)
    if not session.is_cluster:
        raise session.cluster_only("moving a region to another server")
    session.admin.move_region(found, None if server is None else to_s(server))
