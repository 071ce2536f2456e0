"""``move_servers_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import groups_admin, texts
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Moves servers to a group. A directory has no groups of servers.

  hbase> move_servers_rsgroup 'dest', ['server1:port', 'server2:port']
"""


def command(session: Session, group: Any, servers: Any) -> None:
    groups_admin(session).move_to_group(to_s(group), servers=texts(servers))
