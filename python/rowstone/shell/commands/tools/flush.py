"""``flush``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.maintenance import flush

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Writes what is only in memory to files: of a table, of a family of it, of a region, or of a server. A directory flushes
all families of a table.

  hbase> flush 'TABLENAME'
  hbase> flush 'TABLENAME', 'FAMILYNAME'
  hbase> flush 'REGIONNAME'
  hbase> flush 'REGION_SERVER_NAME'
"""


def command(session: Session, target: Any, family: Any = None) -> None:
    flush(session, target, family)
