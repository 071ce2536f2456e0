"""``describe_namespace``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.descriptions import namespace_text
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
The properties of a namespace.

  hbase> describe_namespace 'ns1'
"""


def command(session: Session, namespace: Any) -> None:
    name = to_s(namespace)
    properties = session.admin.describe_namespace(name)
    session.formatter.header(["DESCRIPTION"])
    session.formatter.row([namespace_text(name, properties)])
    session.formatter.line("Quota is disabled")
