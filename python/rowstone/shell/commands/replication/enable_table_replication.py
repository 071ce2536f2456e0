"""``enable_table_replication``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ShellError

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Lets all families of a table go to the peers. A directory has no peers.

  hbase> enable_table_replication 'table_name'
"""


def command(session: Session, table: Any) -> None:
    name = session.table(table).name
    if not session.is_cluster:
        session.admin.describe(name)
        raise ShellError("Found no peer cluster for replication.")
    session.admin.enable_table_replication(name)
    session.formatter.line(f"The replication of table '{name}' successfully enabled")
