"""``move_servers_tables_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import groups_admin, texts
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Moves servers and tables to a group. A directory has no groups of servers.

  hbase> move_servers_tables_rsgroup 'dest', ['server1:port'], ['table1']
"""


def command(session: Session, group: Any, servers: Any, tables: Any) -> None:
    groups_admin(session).move_to_group(to_s(group), servers=texts(servers), tables=texts(tables))
