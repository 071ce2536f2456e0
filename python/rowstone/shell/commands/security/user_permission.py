"""``user_permission``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.security import security_off

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "cluster only"
ON_CLUSTER = "not yet"

HELP = """\
The rights that users have, on everything, tables or namespaces. A directory has the rights of its files and no others.

  hbase> user_permission
  hbase> user_permission '@ns1'
  hbase> user_permission 'table1'
  hbase> user_permission '.*'
"""


def command(session: Session, regex: Any = None) -> None:
    session.formatter.header(["User", "Namespace,Table,Family,Qualifier:Permission"])
    raise security_off(session)
