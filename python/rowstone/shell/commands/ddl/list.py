"""``list``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.many import matching_tables, print_names

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The tables, or those whose whole name matches a regular expression.

  hbase> list
  hbase> list 'abc.*'
  hbase> list 'ns:abc.*'
"""


def command(session: Session, regex: Any = ".*") -> list[str]:
    return print_names(session, "TABLE", lambda: matching_tables(session, regex))
