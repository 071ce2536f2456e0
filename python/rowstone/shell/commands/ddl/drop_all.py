"""``drop_all``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.many import for_all_tables

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Removes every disabled table whose name matches a regular expression, after asking.

  hbase> drop_all 't.*'
  hbase> drop_all 'ns:t.*'
"""


def command(session: Session, regex: Any) -> None:
    for_all_tables(session, regex, "Drop", session.admin.drop_table)
