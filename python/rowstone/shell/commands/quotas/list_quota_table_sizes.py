"""``list_quota_table_sizes``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The sizes of tables, where there are quotas.

  hbase> list_quota_table_sizes
"""


def command(session: Session, options: Any = None) -> None:
    session.formatter.header(["TABLE", "SIZE"])
    sizes = session.admin.space_sizes()
    for table, size in sizes.items():
        session.formatter.row([table, size])
    session.formatter.footer(len(sizes))
