"""``rename_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import groups_admin
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Gives a group another name. A directory has no groups of servers.

  hbase> rename_rsgroup 'test', 'test2'
"""


def command(session: Session, old: Any, new: Any) -> None:
    groups_admin(session).rename_group(to_s(old), to_s(new))
