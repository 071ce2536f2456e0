"""``balance_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import groups_admin
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Balances the regions of a group's servers. A directory has no groups of servers.

  hbase> balance_rsgroup 'my_group'
"""


def command(session: Session, group: Any) -> bool:
    ran = groups_admin(session).balance_group(to_s(group))
    session.formatter.line("Ran the balancer." if ran else "Couldn't run the balancer.")
    return ran
