"""``list_table_snapshots``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.snapshot_list import print_all

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "not yet"
ON_CLUSTER = "done"

HELP = """\
The snapshots of tables whose name matches, all or those whose own name matches.

  hbase> list_table_snapshots 'tableName'
  hbase> list_table_snapshots 'tableName.*', 'snapshotName.*'
"""


def command(session: Session, table_regex: Any, snapshot_regex: Any = ".*") -> list[str]:
    return print_all(session, snapshot_regex, table_regex)
