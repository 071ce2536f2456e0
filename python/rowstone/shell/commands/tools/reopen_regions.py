"""``reopen_regions``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.maintenance import find_region

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Closes and opens the regions of a table, or some of them. A directory has no need to: a change of the schema is there at
once.

  hbase> reopen_regions 'TABLE_NAME'
  hbase> reopen_regions 'TABLE_NAME', ['REGION_NAME1', 'REGION_NAME2']
"""


def command(session: Session, table: Any, regions: Any = None) -> None:
    name = session.table(table).name
    session.admin.describe(name)
    given = regions if isinstance(regions, list) else [] if regions is None else [regions]
    chosen = [find_region(session, region) for region in given]
    if session.is_cluster:
        for region in chosen or session.admin.regions(name):
            session.admin.unassign_region(region)
            session.admin.assign_region(region)
