"""``get_namespace_rsgroup``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import text_of

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The group that a namespace is pinned to, its property hbase.rsgroup.name. A directory keeps and shows it.

  hbase> get_namespace_rsgroup 'ns1'
"""


def command(session: Session, namespace: Any) -> None:
    name = text_of(namespace, "Namespace name must be of type String")
    group = session.admin.describe_namespace(name).get("hbase.rsgroup.name")
    if group is not None:
        session.formatter.row([group])
    session.formatter.footer(1)
