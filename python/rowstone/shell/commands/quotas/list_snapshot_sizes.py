"""``list_snapshot_sizes``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.quotas import snapshot_sizes

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The bytes that snapshots alone keep on disk, where quotas on space count them, as the table hbase:quota says.

  hbase> list_snapshot_sizes
"""


def command(session: Session, options: Any = None) -> None:
    session.formatter.header(["SNAPSHOT", "SIZE"])
    sizes = snapshot_sizes(session)
    for name, size in sizes.items():
        session.formatter.row([name, size])
    session.formatter.footer(len(sizes))
