"""``show_rsgroup_config``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import group_named

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
The settings of a group. A directory has no groups of servers.

  hbase> show_rsgroup_config 'group'
"""


def command(session: Session, group: Any) -> None:
    session.formatter.header(["'KEY'", "'VALUE'"])
    settings = group_named(session, group).configuration
    for name, value in settings.items():
        session.formatter.row([name, value])
    session.formatter.footer(len(settings))
