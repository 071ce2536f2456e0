"""``refresh_meta``"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not in 2.6"

HELP = """\
Reads hbase:meta of a cluster of read replicas again from the storage it shares.

  hbase> refresh_meta
"""


def command(session: Session) -> None:
    raise session.cluster_only("refreshing hbase:meta from shared storage")
