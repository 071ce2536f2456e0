"""``unassign``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.maintenance import find_region

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Takes a region off its server; its rows cannot be had until it is assigned. A second argument is accepted and not used.

  hbase> unassign 'REGIONNAME'
  hbase> unassign 'ENCODED_REGIONNAME'
"""


def command(session: Session, region: Any, force: Any = None) -> None:
    found = find_region(session, region)
    if not session.is_cluster:
        raise session.cluster_only("closing a region")
    session.admin.unassign_region(found)
