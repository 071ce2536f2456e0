"""``list_snapshots``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.snapshot_list import print_all

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "not yet"
ON_CLUSTER = "done"

HELP = """\
The snapshots, with their tables and when they were taken, all or those whose name matches.

  hbase> list_snapshots
  hbase> list_snapshots 'abc.*'
"""


def command(session: Session, regex: Any = ".*") -> list[str]:
    return print_all(session, regex)
