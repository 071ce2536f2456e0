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
    admin = session.admin
    source, target = session.table(table).name, session.table(new_table).name
    schema = admin.describe(source)
    keys = [region.start_key for region in admin.regions(source)][1:] if preserve_splits else None
    admin.create_table(
        target, schema.families, splits=keys, attributes=schema.attributes, configuration=schema.configuration
    )
