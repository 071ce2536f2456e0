"""``get_counter``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.reads import column_of, in_hbases_words
from rowstone.shell.values import to_bytes

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The number that a counter holds.

  hbase> get_counter 't1', 'r1', 'f:q'
  hbase> t.get_counter 'r1', 'f:q'
"""


def command(session: Session, table: Any, row: Any, column: Any) -> None:
    reference = session.table(table)
    with in_hbases_words(reference, row):
        place = column_of(reference, column)
        found = reference.handle().get(to_bytes(row), [place])
    if not found:
        session.formatter.line("No counter found at specified coordinates")
        return
    value = found.cells[0].value
    if len(value) != 8:
        raise ArgumentMistake(f"Wrong length: {len(value)}, expected 8")
    session.formatter.line(f"COUNTER VALUE = {int.from_bytes(value, 'big', signed=True)}")
