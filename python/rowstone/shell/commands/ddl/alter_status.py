"""``alter_status``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.alteration import existing, print_progress
from rowstone.shell.checks import text_of

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
How many regions of a table have the last change of its schema.

  hbase> alter_status 't1'
  hbase> alter_status 'ns1:t1'
"""


def command(session: Session, table: Any) -> None:
    existing(session, text_of(table, "Table name must be of type String"))
    print_progress(session, table)
