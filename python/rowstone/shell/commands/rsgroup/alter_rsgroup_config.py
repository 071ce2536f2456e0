"""``alter_rsgroup_config``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import no_groups

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Sets or takes away settings of a group. A directory has no groups of servers.

  hbase> alter_rsgroup_config 'default', {METHOD => 'set', 'PROPERTY_NAME' => 'PROPERTY_VALUE'}
  hbase> alter_rsgroup_config 'default', {METHOD => 'unset', NAME => 'PROPERTY_NAME'}
"""


def command(session: Session, group: Any, settings: Any) -> None:
    raise no_groups(session)
