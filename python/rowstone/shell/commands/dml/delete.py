"""``delete``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.writes import delete, refuse_labels

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Deletes one version of a column: the newest, or the one with the timestamp. The version below shows again. deleteall
deletes them all.

  hbase> delete 't1', 'r1', 'f:q'
  hbase> delete 't1', 'r1', 'f:q', ts1
  hbase> t.delete 'r1', 'f:q', ts1

VISIBILITY is accepted and not used in a directory, and refused on a cluster.
"""


def command(session: Session, table: Any, row: Any, column: Any, timestamp: Any = None, options: Any = None) -> None:
    refuse_labels(session, timestamp, options)
    delete(session.table(table), row, column, timestamp, all_versions=False)
