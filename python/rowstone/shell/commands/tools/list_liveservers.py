"""``list_liveservers``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
The servers that are at work. A directory is one: the host, and when it was opened.

  hbase> list_liveservers
"""


def command(session: Session) -> None:
    session.formatter.header(["SERVERNAME"])
    names = session.servers()
    for name in names:
        session.formatter.row([name])
    session.formatter.footer(len(names))
