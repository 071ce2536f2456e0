"""``add_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import groups_admin
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Makes a group of region servers. A directory has no groups of servers.

  hbase> add_rsgroup 'my_group'
"""


def command(session: Session, group: Any) -> None:
    groups_admin(session).add_group(to_s(group))
