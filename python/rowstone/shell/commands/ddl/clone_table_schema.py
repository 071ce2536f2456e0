"""``clone_table_schema``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Makes an empty table with the families, attributes and settings of another, and its regions unless told not to.

  hbase> clone_table_schema 'table', 'new_table'
  hbase> clone_table_schema 'table', 'new_table', false
"""


def command(session: Session, table: Any, new_table: Any, preserve_splits: Any = True) -> None:
    source, target = session.table(table).name, session.table(new_table).name
    session.admin.clone_table_schema(source, target, preserve_splits=bool(preserve_splits))
