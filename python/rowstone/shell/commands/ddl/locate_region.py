"""``locate_region``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone._printable import from_printable
from rowstone.shell.region_list import region_text
from rowstone.shell.values import Opaque, to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The region that holds a row, and its server.

  hbase> locate_region 't1', 'row1'
"""


def command(session: Session, table: Any, row: Any) -> Any:
    key = from_printable(to_s(row))
    name = session.table(table).name
    place = session.admin.locate_region(name, key)
    region, server = place.region, place.server or session.server_name()
    session.formatter.header(["HOST", "REGION"])
    session.formatter.row([":".join(server.split(",")[:2]), region_text(region)])
    session.formatter.footer(1)
    return Opaque(f"#<Java::OrgApacheHadoopHbase::HRegionLocation:{id(region) & 0xFFFFFFFF:#x}>")
