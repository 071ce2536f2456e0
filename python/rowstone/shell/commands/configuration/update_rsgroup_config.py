"""``update_rsgroup_config``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import group_named

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Lets the servers of a group read their settings again.

  hbase> update_rsgroup_config 'groupName'
"""


def command(session: Session, group: Any) -> None:
    servers = group_named(session, group).servers
    for server in session.servers():
        if ":".join(server.split(",")[:2]) in servers:
            session.admin.update_configuration(server)
