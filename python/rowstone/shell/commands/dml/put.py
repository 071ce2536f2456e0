"""``put``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.reads import column_of, in_hbases_words
from rowstone.shell.values import inspect, to_bytes
from rowstone.shell.writes import life_time, refuse_labels

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Writes a cell: its value, perhaps with a timestamp of your own.

  hbase> put 't1', 'r1', 'f:q', 'value'
  hbase> put 't1', 'r1', 'f:q', 'value', ts1
  hbase> put 't1', 'r1', 'f:q', 'value', {TTL => 86400000}
  hbase> put 't1', 'r1', 'f:q', 'value', ts1, {TTL => 86400000}
  hbase> t.put 'r1', 'f:q', 'value'

ATTRIBUTES are accepted and not used; VISIBILITY likewise in a directory, and refused on a cluster.
"""


def command(
    session: Session, table: Any, row: Any, column: Any, value: Any, timestamp: Any = None, options: Any = None
) -> None:
    reference = session.table(table)
    refuse_labels(session, timestamp, options)
    settings = timestamp if isinstance(timestamp, dict) else options
    moment = None if isinstance(timestamp, dict) else timestamp
    if moment is not None and (not isinstance(moment, int) or isinstance(moment, bool)):
        raise ArgumentMistake(f"the timestamp must be a number, not {inspect(moment)}")
    if moment is not None and moment < 0:
        raise ArgumentMistake(f"Timestamp cannot be negative. ts={moment}")
    with in_hbases_words(reference, row):
        place = column_of(reference, column)
        data = {place: to_bytes(value)}
        reference.handle().put(to_bytes(row), data, timestamp=moment, ttl=life_time(settings))
