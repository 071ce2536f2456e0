"""``refresh_hfiles``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not in 2.6"

HELP = """\
Looks for new files of tables in the storage that a cluster of read replicas shares: of all tables, one, or a
namespace's.

  hbase> refresh_hfiles
  hbase> refresh_hfiles 'TABLE_NAME' => 'test_table'
  hbase> refresh_hfiles 'NAMESPACE' => 'test_namespace'
"""


def command(session: Session, options: Any = None) -> None:
    raise session.cluster_only("refreshing files from shared storage")
