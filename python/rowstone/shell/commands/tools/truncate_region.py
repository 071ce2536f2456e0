"""``truncate_region``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.maintenance import find_region

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Removes the rows of one region.

  hbase> truncate_region 'REGIONNAME'
  hbase> truncate_region 'ENCODED_REGIONNAME'
"""


def command(session: Session, region: Any) -> None:
    session.admin.truncate_region(find_region(session, region))
