"""``split``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.maintenance import split

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Splits a region in two: a region by its name, or a table's at a key; without a key where the region's middle is.

  hbase> split 'TABLENAME'
  hbase> split 'TABLENAME', 'splitKey'
  hbase> split 'REGIONNAME'
  hbase> split 'REGIONNAME', 'splitKey'
  hbase> split 'ENCODED_REGIONNAME', 'splitKey'
"""


def command(session: Session, target: Any, key: Any = None) -> None:
    split(session, target, key)
