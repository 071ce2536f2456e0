"""``remove_servers_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import groups_admin, texts

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Takes servers that are gone out of their groups. A directory has no groups of servers.

  hbase> remove_servers_rsgroup ['server1:port']
"""


def command(session: Session, servers: Any) -> None:
    groups_admin(session).remove_servers(texts(servers))
