"""``list_quota_snapshots``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ShellError

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
How tables stand to their quotas on space. A directory has no such quotas, nor the table hbase:quota.

  hbase> list_quota_snapshots
  hbase> list_quota_snapshots({TABLE => 'table1'})
"""


def command(session: Session, options: Any = None) -> None:
    session.formatter.header(["TABLE", "USAGE", "LIMIT", "IN_VIOLATION", "POLICY"])
    session.refuse_cluster("list_quota_snapshots")
    raise ShellError("Unknown table hbase:quota!")
