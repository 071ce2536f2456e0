"""``major_compact``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.maintenance import compact

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Merges all files of a table, of a family of it, or of a region, and drops what is deleted, expired or too old.
Returns when it is done.

  hbase> major_compact 't1'
  hbase> major_compact 't1', 'f1'
  hbase> major_compact 'r1'
  hbase> major_compact 'r1', 'f1'
  hbase> major_compact 't1', nil, 'MOB'
"""


def command(session: Session, target: Any, family: Any = None, kind: Any = "NORMAL") -> None:
    compact(session, target, family, kind, major=True)
