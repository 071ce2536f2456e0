"""``list_decommissioned_regionservers``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
The servers that take no regions any more. A directory has none.

  hbase> list_decommissioned_regionservers
"""


def command(session: Session) -> None:
    session.formatter.header(["DECOMMISSIONED REGION SERVERS"])
    names = session.admin.decommissioned_servers() if session.is_cluster else []
    for name in names:
        session.formatter.row([name])
    session.formatter.footer(len(names))
