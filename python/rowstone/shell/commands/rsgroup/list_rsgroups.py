"""``list_rsgroups``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import pattern_of
from rowstone.shell.groups import groups_admin

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
The groups with their servers and tables, all or those in whose name a regular expression is found. A directory has
no groups of servers.

  hbase> list_rsgroups
  hbase> list_rsgroups 'abc.*'
"""


def command(session: Session, regex: Any = ".*") -> None:
    session.formatter.header(["NAME", "SERVER / TABLE"])
    admin = groups_admin(session)
    pattern = pattern_of(regex)
    found = [group for group in admin.groups() if pattern.search(group.name)]
    for group in found:
        members = [*(f"server {name}" for name in group.servers), *(f"table {name}" for name in group.tables)]
        for place, member in enumerate(members or [""]):
            session.formatter.row([group.name if place == 0 else "", member])
    session.formatter.footer(len(found))
