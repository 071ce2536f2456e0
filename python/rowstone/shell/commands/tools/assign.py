"""``assign``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.maintenance import find_region

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Brings a region onto a server; one that is on none takes no reads and writes. In a directory all regions are
at work at all times.

  hbase> assign 'REGIONNAME'
  hbase> assign 'ENCODED_REGIONNAME'
"""


def command(session: Session, region: Any) -> None:
    found = find_region(session, region)
    if session.is_cluster:
        session.admin.assign_region(found)
