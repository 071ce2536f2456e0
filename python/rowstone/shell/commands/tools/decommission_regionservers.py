"""``decommission_regionservers``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import not_of_type, truth
from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.values import is_text, to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Takes servers out of service: they are given no more regions, and with true lose those they have.

  hbase> decommission_regionservers 'server'
  hbase> decommission_regionservers ['server,port', 'server2,port'], true
"""


def command(session: Session, servers: Any, offload: Any = False) -> None:
    if not is_text(servers) and not isinstance(servers, list):
        raise not_of_type(servers, "Array/String")
    if not isinstance(offload, (bool, str)):
        raise ArgumentMistake(f"{to_s(offload)} is not a boolean value")
    names = session.chosen_servers(servers)
    if not names:
        raise ArgumentMistake(f"Could not find any server(s) with specified name(s): {to_s(servers)}")
    if not session.is_cluster:
        raise session.cluster_only("taking a server out of service")
    session.admin.decommission_servers(names, offload=truth(offload))
