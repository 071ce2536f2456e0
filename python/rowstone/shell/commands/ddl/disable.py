"""``disable``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.alteration import existing

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Refuses reads and writes of a table until enable; its data stays.

  hbase> disable 't1'
  hbase> disable 'ns1:t1'
"""


def command(session: Session, table: Any) -> None:
    reference = session.table(table)
    existing(session, reference, "Table {} does not exist.")
    if session.admin.is_enabled(reference.name):
        session.admin.disable_table(reference.name)
