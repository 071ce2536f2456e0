"""``close_region``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Does nothing any more, as in HBase: unassign took its place.

  hbase> close_region 'REGIONNAME'
"""


def command(session: Session, region: Any, server: Any = None) -> None:
    session.formatter.line("DEPRECATED!!! Use 'unassign' command instead.")
