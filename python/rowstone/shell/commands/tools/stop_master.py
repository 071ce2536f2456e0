"""``stop_master``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "done"

HELP = """\
Ends the active master. A directory has no servers to end: exit closes it.

  hbase> stop_master
"""


def command(session: Session) -> None:
    if not session.is_cluster:
        raise session.cluster_only("ending the master")
    session.admin.stop_master()
