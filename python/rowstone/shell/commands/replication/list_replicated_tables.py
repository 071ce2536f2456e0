"""``list_replicated_tables``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.many import matching_tables
from rowstone.shell.values import to_text

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The families whose changes go to peers, of all tables or of those whose name matches.

  hbase> list_replicated_tables
  hbase> list_replicated_tables 'abc.*'
"""


_KINDS = {0: "LOCAL", 1: "GLOBAL", 2: "SERIAL"}


def command(session: Session, regex: Any = ".*") -> None:
    session.formatter.header(["TABLE:COLUMNFAMILY", "ReplicationType"], [32])
    for table in matching_tables(session, regex):
        for name, family in session.admin.describe(table).families.items():
            if family.replication_scope:
                kind = _KINDS.get(family.replication_scope, "UNKNOWN")
                session.formatter.row([f"{table}:{to_text(name)}", kind], widths=[32])
    session.formatter.footer()
