"""``regioninfo``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.maintenance import find_region
from rowstone.shell.region_list import region_text

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
What a region is: its table, keys and names.

  hbase> regioninfo 'REGIONNAME'
  hbase> regioninfo 'ENCODED_REGIONNAME'
"""


def command(session: Session, region: Any) -> None:
    session.formatter.line(region_text(find_region(session, region)))
