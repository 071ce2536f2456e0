"""``drop_namespace``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.errors import Constraint, NamespaceNotEmpty
from rowstone.shell.errors import ShellError
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Removes a namespace, which must hold no tables.

  hbase> drop_namespace 'ns1'
"""


def command(session: Session, namespace: Any) -> None:
    name = to_s(namespace)
    try:
        session.admin.drop_namespace(name)
    except NamespaceNotEmpty as error:
        count = len(session.admin.namespace_tables(name))
        raise ShellError(
            f"{error.remote_class}: Only empty namespaces can be removed. Namespace {name} has {count} tables"
        ) from None
    except Constraint as error:
        if session.is_cluster:
            raise
        raise ShellError(f"{error.remote_class}: Reserved namespace {name} cannot be removed.") from None
