"""``get_server_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import no_groups

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
The group of a server. A directory has no groups of servers.

  hbase> get_server_rsgroup 'server1:port1'
"""


def command(session: Session, server: Any) -> None:
    raise no_groups(session)
