"""``get_server_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.groups import groups_admin
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
The group of a server. A directory has no groups of servers.

  hbase> get_server_rsgroup 'server1:port1'
"""


def command(session: Session, server: Any) -> None:
    found = groups_admin(session).group_of_server(to_s(server))
    if found is None:
        raise ArgumentMistake(f"Server has no group: {to_s(server)}")
    session.formatter.row([found.name])
    session.formatter.footer(1)
