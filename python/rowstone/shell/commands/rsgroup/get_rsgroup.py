"""``get_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import no_groups

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
The servers and tables of a group. A directory has no groups of servers.

  hbase> get_rsgroup 'default'
"""


def command(session: Session, group: Any) -> None:
    raise no_groups(session)
