"""``rename_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import no_groups

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Gives a group another name. A directory has no groups of servers.

  hbase> rename_rsgroup 'test', 'test2'
"""


def command(session: Session, old: Any, new: Any) -> None:
    raise no_groups(session)
