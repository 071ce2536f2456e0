"""``rit``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
The regions that are on their way from one server to another. A directory has none.

  hbase> rit
"""


def command(session: Session) -> None:
    moving = session.state().regions_in_transition
    for region in moving:
        session.formatter.row([region])
    session.formatter.footer(len(moving))
