"""``list_decommissioned_regionservers``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
The servers that take no regions any more. A directory has none.

  hbase> list_decommissioned_regionservers
"""


def command(session: Session) -> None:
    session.formatter.header(["DECOMMISSIONED REGION SERVERS"])
    session.refuse_cluster("list_decommissioned_regionservers")
    session.formatter.footer(0)
