"""``restore_snapshot``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.errors import SnapshotNotFound
from rowstone.shell.checks import hash_of
from rowstone.shell.errors import ShellError
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "not yet"
ON_CLUSTER = "done"

HELP = """\
Makes a table what it was when a snapshot of it was taken; what it holds now is lost. It must be disabled.

  hbase> restore_snapshot 'snapshotName'

{RESTORE_ACL => true} is accepted and not used.
"""


def command(session: Session, snapshot: Any, options: Any = None) -> None:
    hash_of({} if options is None else options, "Arguments should be a Hash")
    name = to_s(snapshot)
    try:
        session.admin.restore_snapshot(name)
    except SnapshotNotFound:
        raise ShellError(f"Unable to find the table name for snapshot={name}") from None
