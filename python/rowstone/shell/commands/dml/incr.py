"""``incr``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ShellError
from rowstone.shell.reads import column_of, in_hbases_words
from rowstone.shell.values import to_bytes
from rowstone.shell.writes import life_time, refuse_labels

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Adds to a counter, at once for all who read it; prints the new number. It begins at 0; the amount is 1 unless given.

  hbase> incr 't1', 'r1', 'f:q'
  hbase> incr 't1', 'r1', 'f:q', 10
  hbase> incr 't1', 'r1', 'f:q', 10, {TTL => 86400000}
  hbase> t.incr 'r1', 'f:q', 10

ATTRIBUTES are accepted and not used; VISIBILITY likewise in a directory, and refused on a cluster.
"""


def command(session: Session, table: Any, row: Any, column: Any, amount: Any = None, options: Any = None) -> None:
    reference = session.table(table)
    refuse_labels(session, amount, options)
    added = 1 if amount is None or isinstance(amount, dict) else amount
    if not isinstance(added, int) or isinstance(added, bool):
        raise ShellError("cannot convert instance of class org.jruby.RubyString to long", "TypeError")
    settings = amount if isinstance(amount, dict) else options
    with in_hbases_words(reference, row):
        place = column_of(reference, column)
        new = reference.handle().increment(to_bytes(row), {place: added}, ttl=life_time(settings))
    value = int.from_bytes(new.cells[0].value, "big", signed=True)
    session.formatter.line(f"COUNTER VALUE = {value}")
