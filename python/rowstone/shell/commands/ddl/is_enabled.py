"""``is_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Whether a table takes reads and writes.

  hbase> is_enabled 't1'
"""


def command(session: Session, table: Any) -> bool:
    enabled = session.admin.is_enabled(session.table(table).name)
    session.formatter.row([enabled])
    return enabled
