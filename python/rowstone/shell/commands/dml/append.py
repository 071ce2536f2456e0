"""``append``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone._printable import printable
from rowstone.shell.reads import column_of, in_hbases_words
from rowstone.shell.values import to_bytes
from rowstone.shell.writes import life_time, refuse_labels

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Puts bytes behind the value of a cell, at once for all who read it; prints the new value.

  hbase> append 't1', 'r1', 'f:q', 'value'
  hbase> append 't1', 'r1', 'f:q', 'value', {TTL => 86400000}
  hbase> t.append 'r1', 'f:q', 'value'

ATTRIBUTES are accepted and not used; VISIBILITY likewise in a directory, and refused on a cluster.
"""


def command(session: Session, table: Any, row: Any, column: Any, value: Any, options: Any = None) -> None:
    reference = session.table(table)
    refuse_labels(session, options)
    with in_hbases_words(reference, row):
        place = column_of(reference, column)
        new = reference.handle().append(to_bytes(row), place, to_bytes(value), ttl=life_time(options))
    session.formatter.line(f"CURRENT VALUE = {printable(new)}")
