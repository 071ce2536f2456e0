"""``list_rsgroups``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.groups import no_groups

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
The groups with their servers and tables, all or those in whose name a regular expression is found. A directory has
no groups of servers.

  hbase> list_rsgroups
  hbase> list_rsgroups 'abc.*'
"""


def command(session: Session, regex: Any = ".*") -> None:
    session.formatter.header(["NAME", "SERVER / TABLE"])
    raise no_groups(session)
