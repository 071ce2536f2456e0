"""``move_servers_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import no_groups

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Moves servers to a group. A directory has no groups of servers.

  hbase> move_servers_rsgroup 'dest', ['server1:port', 'server2:port']
"""


def command(session: Session, group: Any, servers: Any) -> None:
    raise no_groups(session)
