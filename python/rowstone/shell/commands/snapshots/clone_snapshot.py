"""``clone_snapshot``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.errors import NamespaceNotFound
from rowstone.shell.checks import hash_of
from rowstone.shell.errors import ShellError
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "not yet"
ON_CLUSTER = "done"

HELP = """\
Makes a new table of a snapshot. No data is copied.

  hbase> clone_snapshot 'snapshotName', 'tableName'
  hbase> clone_snapshot 'snapshotName', 'namespace:tableName'

{RESTORE_ACL => true} is accepted and not used.
"""


def command(session: Session, snapshot: Any, table: Any, options: Any = None) -> None:
    hash_of({} if options is None else options, "Arguments should be a Hash")
    target = session.table(table).name
    try:
        session.admin.clone_snapshot(to_s(snapshot), target)
    except NamespaceNotFound:
        raise ShellError(f"Unknown namespace: {target.partition(':')[0]}!") from None
