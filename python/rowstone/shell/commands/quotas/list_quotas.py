"""``list_quotas``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import hash_of
from rowstone.shell.quotas import stored_quotas

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The quotas, all or those of a USER, TABLE, NAMESPACE or REGIONSERVER.
A directory has them with the setting hbase.quota.enabled, as HBase; create_namespace and alter_namespace set
hbase.namespace.quota.maxtables and hbase.namespace.quota.maxregions.

  hbase> list_quotas
  hbase> list_quotas USER => 'bob.*'
  hbase> list_quotas TABLE => 'mytable'
  hbase> list_quotas NAMESPACE => 'ns.*'
"""


def command(session: Session, options: Any = None) -> None:
    session.formatter.header(["OWNER", "QUOTAS"])
    given = hash_of({} if options is None else options, "Arguments should be a Hash")
    found = stored_quotas(session, given)
    for owner, text in found:
        session.formatter.row([owner, text])
    session.formatter.footer(len(found))
