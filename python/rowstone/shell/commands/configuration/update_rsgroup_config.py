"""``update_rsgroup_config``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import no_groups

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Lets the servers of a group read their settings again.

  hbase> update_rsgroup_config 'groupName'
"""


def command(session: Session, group: Any) -> None:
    raise no_groups(session)
