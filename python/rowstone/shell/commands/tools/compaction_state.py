"""``compaction_state``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Whether files of a table are being merged: NONE, MINOR, MAJOR or MAJOR_AND_MINOR. In a directory compact returns when it
is done, so it is NONE.

  hbase> compaction_state 'table_name'
"""


def command(session: Session, table: Any) -> str:
    session.admin.describe(session.table(table).name)
    session.refuse_cluster("compaction_state")
    session.formatter.row(["NONE"])
    return "NONE"
