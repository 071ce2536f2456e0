"""``cleaner_chore_enabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.shell.switches import show

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Whether files and logs that nobody needs are removed in the background.
A directory only remembers the switch, while it is open.

  hbase> cleaner_chore_enabled
"""


def command(session: Session) -> bool:
    return show(session, "cleaner_chore")
