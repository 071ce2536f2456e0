"""``alter_async``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.alteration import alter

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
As alter, without saying how far it is; alter_status does. In a directory the change is there at once, on a cluster this
client waits until all regions have it.

  hbase> alter_async 't1', NAME => 'f1', VERSIONS => 5
  hbase> alter_async 't1', 'delete' => 'f1'
"""


def command(session: Session, table: Any, *arguments: Any) -> None:
    alter(session, table, arguments)
