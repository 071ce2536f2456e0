"""``move_servers_tables_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import no_groups

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Moves servers and tables to a group. A directory has no groups of servers.

  hbase> move_servers_tables_rsgroup 'dest', ['server1:port'], ['table1']
"""


def command(session: Session, group: Any, servers: Any, tables: Any) -> None:
    raise no_groups(session)
