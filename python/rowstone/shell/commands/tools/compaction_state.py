"""``compaction_state``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Whether files of a table are being merged: NONE, MINOR, MAJOR or MAJOR_AND_MINOR. In a directory compact returns when it
is done, so it is NONE.

  hbase> compaction_state 'table_name'
"""


def command(session: Session, table: Any) -> str:
    name = session.table(table).name
    session.admin.describe(name)
    state = session.admin.compaction_state(name) if session.is_cluster else "NONE"
    session.formatter.row([state])
    return state
