"""``version``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The version of Rowstone, of its build, and of the HBase whose shell this is like.

  hbase> version
"""


def command(session: Session) -> None:
    session.formatter.line(session.version())
