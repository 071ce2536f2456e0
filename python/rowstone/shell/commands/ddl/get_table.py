"""``get_table``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
A table for a variable, to call commands on; help 'table_help' has more.

  hbase> t1 = get_table 't1'
  hbase> t1.scan
"""


def command(session: Session, table: Any, *_: Any) -> Any:
    return session.table(table)
