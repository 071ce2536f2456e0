"""``delete_snapshot``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "not yet"
ON_CLUSTER = "done"

HELP = """\
Removes a snapshot. Tables that were made of it keep their data.

  hbase> delete_snapshot 'snapshotName'
"""


def command(session: Session, snapshot: Any) -> None:
    session.admin.delete_snapshot(to_s(snapshot))
