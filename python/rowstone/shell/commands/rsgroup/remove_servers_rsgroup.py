"""``remove_servers_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import no_groups

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Takes servers that are gone out of their groups. A directory has no groups of servers.

  hbase> remove_servers_rsgroup ['server1:port']
"""


def command(session: Session, servers: Any) -> None:
    raise no_groups(session)
