"""``enable_table_replication``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ShellError

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
Lets all families of a table go to the peers. A directory has no peers.

  hbase> enable_table_replication 'table_name'
"""


def command(session: Session, table: Any) -> None:
    session.admin.describe(session.table(table).name)
    session.refuse_cluster("enable_table_replication")
    raise ShellError("Found no peer cluster for replication.")
