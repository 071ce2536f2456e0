"""``zk_dump``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
What ZooKeeper holds for the cluster. A directory needs none.

  hbase> zk_dump
"""


def command(session: Session) -> None:
    raise session.cluster_only("ZooKeeper's content")
