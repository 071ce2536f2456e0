"""``list_quota_snapshots``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.quotas import space_use

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
How tables stand to their quotas on space, as the table hbase:quota says.

  hbase> list_quota_snapshots
  hbase> list_quota_snapshots({TABLE => 'table1'})
"""


def command(session: Session, options: Any = None) -> None:
    session.formatter.header(["TABLE", "USAGE", "LIMIT", "IN_VIOLATION", "POLICY"])
    found = space_use(session, options if isinstance(options, dict) else {})
    for use in found:
        row = [use.table, use.usage_bytes, use.limit_bytes, use.policy is not None, use.policy or "None"]
        session.formatter.row(row)
    session.formatter.footer(len(found))
