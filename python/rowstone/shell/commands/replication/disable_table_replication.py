"""``disable_table_replication``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Keeps all families of a table from the peers.

  hbase> disable_table_replication 'table_name'
"""


def command(session: Session, table: Any) -> None:
    name = session.table(table).name
    families = session.admin.describe(name).families
    replicated = {key: {"REPLICATION_SCOPE": "0"} for key, family in families.items() if family.replication_scope}
    if replicated:
        session.admin.alter_table(name, families=replicated)
    session.formatter.line(f"Replication of table '{name}' successfully disabled.")
