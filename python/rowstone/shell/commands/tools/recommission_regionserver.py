"""``recommission_regionserver``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import not_of_type
from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.values import is_text, to_bytes

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Takes a server that was decommissioned into service again, with regions if some are named.

  hbase> recommission_regionserver 'server,port,startcode'
  hbase> recommission_regionserver 'server', ['encoded_region_name1']
"""


def command(session: Session, server: Any, regions: Any = ()) -> None:
    if not is_text(server):
        raise not_of_type(server, "String")
    if not isinstance(regions, (list, tuple)):
        raise not_of_type(regions, "Array")
    names = session.chosen_servers(server)
    if not names:
        raise ArgumentMistake(f"Could not find any server with name {server}")
    if not session.is_cluster:
        raise session.cluster_only("taking a server into service")
    session.admin.recommission_server(names[0], [to_bytes(region) for region in regions])
