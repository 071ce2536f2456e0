"""``flush_master_store``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "done"

HELP = """\
Writes what the master keeps in its own store to files. A directory writes its manifest with every change.

  hbase> flush_master_store
"""


def command(session: Session) -> None:
    if session.is_cluster:
        session.admin.flush_master_store()
