"""``user_permission``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone._printable import printable
from rowstone.shell.checks import pattern_of
from rowstone.shell.security import security
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The rights that users have, on everything, tables or namespaces. A directory looks at rights where
hbase.security.authorization is set.

  hbase> user_permission
  hbase> user_permission '@ns1'
  hbase> user_permission 'table1'
  hbase> user_permission '.*'
"""


def command(session: Session, regex: Any = None) -> None:
    session.formatter.header(["User", "Namespace,Table,Family,Qualifier:Permission"])
    admin = security(session)
    text = "" if regex is None else to_s(regex)
    if not text:
        found = admin.grants()
    elif text.startswith("@"):
        pattern = pattern_of(text[1:])
        names = [name for name in admin.namespaces() if pattern.fullmatch(name)]
        found = [grant for name in names for grant in admin.grants(namespace=name)]
    else:
        pattern = pattern_of(text)
        tables = [name for name in admin.tables() if pattern.fullmatch(name)]
        found = [grant for name in tables for grant in admin.grants(table=name)]
    for grant in found:
        parts = [grant.namespace, (grant.table or "").rpartition(":")[2] and grant.table]
        parts += [printable(part) if part else None for part in (grant.family, grant.qualifier)]
        where = ",".join(part or "" for part in (parts if text else []))
        session.formatter.row([grant.user, f"{where or ',,,'}: [Permission: actions={','.join(grant.actions)}]"])
    session.formatter.footer(len(found))
