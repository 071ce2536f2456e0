"""``get_table_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ArgumentMistake

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The group that a table is pinned to, by its own setting hbase.rsgroup.name or its namespace's. A directory keeps and
shows
it.

  hbase> get_table_rsgroup 'myTable'
"""


_SETTING = "hbase.rsgroup.name"


def command(session: Session, table: Any) -> None:
    name = session.table(table).name
    session.formatter.row([_on_cluster(session, name) if session.is_cluster else _in_directory(session, name)])
    session.formatter.footer(1)


def _on_cluster(session: Session, table: str) -> str:
    found = session.admin.group_of_table(table)
    if found is None:
        raise ArgumentMistake(f"Table has no group: {table}")
    return found.name


def _in_directory(session: Session, table: str) -> str:
    schema = session.admin.describe(table)
    own = schema.attributes.get(_SETTING) or schema.configuration.get(_SETTING)
    namespace = table.rpartition(":")[0] or "default"
    return own or session.admin.describe_namespace(namespace).get(_SETTING, "default")
