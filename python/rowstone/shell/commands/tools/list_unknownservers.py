"""``list_unknownservers``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Servers that hold regions and that the master does not know. A directory has none.

  hbase> list_unknownservers
"""


def command(session: Session) -> None:
    session.formatter.header(["SERVERNAME"])
    names = session.admin.unknown_servers() if session.is_cluster else []
    for name in names:
        session.formatter.row([name])
    session.formatter.footer(len(names))
