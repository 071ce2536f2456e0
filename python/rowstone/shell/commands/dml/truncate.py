"""``truncate``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.writes import truncate

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Removes all rows of a table and its splits: it is disabled, emptied and enabled again.

  hbase> truncate 't1'
"""


def command(session: Session, table: Any) -> None:
    truncate(session, table, preserve_splits=False)
