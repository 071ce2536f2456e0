"""``catalogjanitor_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
Whether hbase:meta is cleared of regions that were split or merged.
A directory only remembers the switch, while it is open.

  hbase> catalogjanitor_enabled
"""


def command(session: Session) -> bool:
    on = session.switch("catalog janitor", default=True)
    session.formatter.row([on])
    return on
