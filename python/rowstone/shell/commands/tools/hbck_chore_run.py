"""``hbck_chore_run``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Compares hbase:meta with what servers say; whether that was started. In a directory both are one.

  hbase> hbck_chore_run
"""


def command(session: Session) -> bool:
    return session.admin.run_hbck_chore() if session.is_cluster else True
