"""``revoke``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.security import place, security
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Takes rights from a user: on everything, a namespace, a table, a family or a column. A directory looks at rights where
hbase.security.authorization is set.

  hbase> revoke 'bobsmith'
  hbase> revoke 'bobsmith', '@ns1'
  hbase> revoke 'bobsmith', 't1', 'f1', 'col1'
"""


def command(session: Session, user: Any, table: Any = None, family: Any = None, qualifier: Any = None) -> None:
    security(session).revoke(to_s(user), **place(session, table, family, qualifier))
