"""``enable``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.alteration import existing

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Lets a disabled table take reads and writes again.

  hbase> enable 't1'
  hbase> enable 'ns1:t1'
"""


def command(session: Session, table: Any) -> None:
    reference = session.table(table)
    existing(session, reference, "Table {} does not exist.")
    if not session.admin.is_enabled(reference.name):
        session.admin.enable_table(reference.name)
