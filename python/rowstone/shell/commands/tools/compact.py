"""``compact``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.maintenance import compact

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Merges some files of a table, of a family of it, or of a region, where that pays.
Returns when it is done.

  hbase> compact 't1'
  hbase> compact 't1', 'f1'
  hbase> compact 'r1'
  hbase> compact 'r1', 'f1'
  hbase> compact 't1', nil, 'MOB'
"""


def command(session: Session, target: Any, family: Any = None, kind: Any = "NORMAL") -> None:
    compact(session, target, family, kind, major=False)
