"""``move_namespaces_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import groups_admin, tables_of
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Moves the tables of namespaces to a group. A directory has no groups of servers.

  hbase> move_namespaces_rsgroup 'dest', ['ns1', 'ns2']
"""


def command(session: Session, group: Any, namespaces: Any) -> None:
    groups_admin(session).move_to_group(to_s(group), tables=tables_of(session, namespaces))
