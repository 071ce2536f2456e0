"""``list_namespace_tables``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.many import print_names
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The tables of a namespace, without its name.

  hbase> list_namespace_tables 'ns1'
"""


def command(session: Session, namespace: Any) -> list[str]:
    def chosen() -> list[str]:
        name = to_s(namespace)
        system = ["meta"] if name == "hbase" and not session.is_cluster else []
        return system + [table.rpartition(":")[2] for table in session.admin.namespace_tables(name)]

    return print_names(session, "TABLE", chosen)
