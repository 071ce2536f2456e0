"""``deleteall``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.writes import delete, refuse_labels

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Deletes a row, a family of it, or all versions of a column; with a timestamp what is not newer. With ROWPREFIXFILTER all
rows that begin so.

  hbase> deleteall 't1', 'r1'
  hbase> deleteall 't1', 'r1', 'f:q'
  hbase> deleteall 't1', 'r1', 'f:q', ts1
  hbase> deleteall 't1', 'r1', '', ts1
  hbase> deleteall 't1', {ROWPREFIXFILTER => 'prefix'}
  hbase> deleteall 't1', {ROWPREFIXFILTER => 'prefix', CACHE => 100}, 'f:q'
  hbase> t.deleteall 'r1'

VISIBILITY is accepted and not used in a directory, and refused on a cluster.
"""


def command(
    session: Session, table: Any, row: Any, column: Any = None, timestamp: Any = None, options: Any = None
) -> None:
    refuse_labels(session, timestamp, options)
    delete(session.table(table), row, column, timestamp, all_versions=True)
