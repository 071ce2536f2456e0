"""``list_deadservers``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
The servers that the master takes for dead. A directory has none.

  hbase> list_deadservers
"""


def command(session: Session) -> None:
    session.formatter.header(["SERVERNAME"])
    names = session.state().dead_servers
    for name in names:
        session.formatter.row([name])
    session.formatter.footer(len(names))
