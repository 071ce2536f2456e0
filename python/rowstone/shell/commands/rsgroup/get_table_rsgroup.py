"""``get_table_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "not yet"

HELP = """\
The group that a table is pinned to, by its own setting hbase.rsgroup.name or its namespace's. A directory keeps and
shows
it.

  hbase> get_table_rsgroup 'myTable'
"""


_SETTING = "hbase.rsgroup.name"


def command(session: Session, table: Any) -> None:
    name = session.table(table).name
    schema = session.admin.describe(name)
    session.refuse_cluster("get_table_rsgroup")
    namespace = name.rpartition(":")[0] or "default"
    own = schema.attributes.get(_SETTING) or schema.configuration.get(_SETTING)
    session.formatter.row([own or session.admin.describe_namespace(namespace).get(_SETTING, "default")])
    session.formatter.footer(1)
