"""``balance_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import no_groups

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Balances the regions of a group's servers. A directory has no groups of servers.

  hbase> balance_rsgroup 'my_group'
"""


def command(session: Session, group: Any) -> None:
    raise no_groups(session)
