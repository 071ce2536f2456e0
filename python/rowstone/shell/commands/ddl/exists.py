"""``exists``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.alteration import table_exists
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Whether there is a table of that name.

  hbase> exists 't1'
  hbase> exists 'ns1:t1'
"""


def command(session: Session, table: Any) -> bool:
    reference = session.table(table)
    exists = table_exists(session, reference)
    shown = reference.name if not isinstance(table, str) else to_s(table)
    session.formatter.row([f"Table {shown} {'does exist' if exists else 'does not exist'}"])
    return exists
