"""``table_help``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
A table may be kept in a variable, and commands called on it:

  hbase> t = create 't', 'f'
  hbase> t = get_table 't'
  hbase> t.put 'r', 'f:q', 'v'
  hbase> t.scan
  hbase> t.scan LIMIT => 5

These commands are there: append, count, delete, deleteall, get, get_counter, get_splits, incr, put, scan; and enable,
disable, flush, drop, describe, snapshot. t.name is its name, t.get_all_columns its families, t.help 'scan' help. The
variable goes on to name the table when that was dropped and made again.
"""


def command(session: Session) -> None:
    session.help("table_help")
