"""``is_disabled``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.alteration import is_enabled

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Whether a table is disabled.

  hbase> is_disabled 't1'
"""


def command(session: Session, table: Any) -> bool:
    disabled = not is_enabled(session, session.table(table))
    session.formatter.row([disabled])
    return disabled
