"""``cleaner_chore_run``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Removes files and logs that nobody needs; whether it ran. A directory removes them when the last reader is gone, so
there
is nothing to run.

  hbase> cleaner_chore_run
"""


def command(session: Session) -> bool:
    return session.admin.run_cleaner_chore() if session.is_cluster else False
