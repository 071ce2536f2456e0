"""``list_quotas``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import hash_of

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "one server"
ON_CLUSTER = "not yet"

HELP = """\
The quotas, all or those of a USER, TABLE, NAMESPACE or REGIONSERVER.
A directory has quotas on namespaces only: hbase.namespace.quota.maxtables and
hbase.namespace.quota.maxregions, which create_namespace and alter_namespace set.

  hbase> list_quotas
  hbase> list_quotas USER => 'bob.*'
  hbase> list_quotas TABLE => 'mytable'
  hbase> list_quotas NAMESPACE => 'ns.*'
"""


def command(session: Session, options: Any = None) -> None:
    session.formatter.header(["OWNER", "QUOTAS"])
    hash_of({} if options is None else options, "Arguments should be a Hash")
    session.refuse_cluster("list_quotas")
    session.formatter.footer(0)
