"""``delete_table_snapshots``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.snapshot_list import TITLES, ask_to_delete, matching
from rowstone.shell.values import Opaque, to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "not yet"
ON_CLUSTER = "done"

HELP = """\
Removes the snapshots of tables whose name matches, all or those whose own name matches, after asking.

  hbase> delete_table_snapshots 'tableName'
  hbase> delete_table_snapshots 'tableName.*'
  hbase> delete_table_snapshots 'ns:tableName.*', 'snapshotName.*'
"""


def command(session: Session, table_regex: Any, snapshot_regex: Any = ".*") -> Any:
    line = session.formatter.line
    session.formatter.header(TITLES)
    found = matching(session, snapshot_regex, table_regex)
    if not found:
        line(
            f"No snapshots matched the table name regular expression {to_s(table_regex)} and the snapshot name regular"
            f" expression {to_s(snapshot_regex)}"
        )
        return None
    if not ask_to_delete(session, found):
        return None
    for snapshot in found:
        session.admin.delete_snapshot(snapshot.name)
        line(f"Successfully deleted snapshot: {snapshot.name}\n")
    return [Opaque(f"#<Java::OrgApacheHadoopHbaseClient::SnapshotDescription:{id(item):#x}>") for item in found]
