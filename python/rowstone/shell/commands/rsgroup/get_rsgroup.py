"""``get_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import group_named

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
The servers and tables of a group. A directory has no groups of servers.

  hbase> get_rsgroup 'default'
"""


def command(session: Session, group: Any) -> None:
    found = group_named(session, group)
    for title, names in (("SERVERS", found.servers), ("TABLES", found.tables)):
        session.formatter.header([title])
        for name in names:
            session.formatter.row([name])
        session.formatter.footer(len(names))
