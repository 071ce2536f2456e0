"""``list_quota_table_sizes``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
The sizes of tables that have quotas on space. A directory has no such quotas.

  hbase> list_quota_table_sizes
"""


def command(session: Session, options: Any = None) -> None:
    session.formatter.header(["TABLE", "SIZE"])
    sizes = session.admin.space_sizes() if session.is_cluster else {}
    for table, size in sizes.items():
        session.formatter.row([table, size])
    session.formatter.footer(len(sizes))
