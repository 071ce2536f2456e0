"""``recommission_regionserver``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import not_of_type
from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.values import is_text

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

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
    if not session.matching_servers([server]):
        raise ArgumentMistake(f"Could not find any server with name {server}")
    raise session.cluster_only("taking a server into service")
