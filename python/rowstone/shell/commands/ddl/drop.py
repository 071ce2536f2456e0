"""``drop``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.alteration import existing
from rowstone.shell.errors import ArgumentMistake

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Removes a table and its data. It must be disabled first.

  hbase> drop 't1'
  hbase> drop 'ns1:t1'
"""


def command(session: Session, table: Any) -> None:
    reference = session.table(table)
    existing(session, reference, "Table {} does not exist.")
    if session.admin.is_enabled(reference.name):
        raise ArgumentMistake(f"Table {reference.name} is enabled. Disable it first.")
    session.admin.drop_table(reference.name)
