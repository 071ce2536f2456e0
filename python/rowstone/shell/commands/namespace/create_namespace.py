"""``create_namespace``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.errors import NamespaceExists
from rowstone.shell.checks import legal_namespace, not_of_type, text_of
from rowstone.shell.errors import ShellError
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Makes a namespace, with properties if there are any. hbase.namespace.quota.maxtables and
hbase.namespace.quota.maxregions limit what is in it.

  hbase> create_namespace 'ns1'
  hbase> create_namespace 'ns1', {'PROPERTY_NAME' => 'PROPERTY_VALUE'}
"""


def command(session: Session, namespace: Any, *arguments: Any) -> None:
    name = _legal(text_of(namespace, "Namespace name must be of type String"))
    properties: dict[str, str] = {}
    for argument in arguments:
        if not isinstance(argument, dict):
            raise not_of_type(argument, "Hash or String")
        properties.update({to_s(key): to_s(value) for key, value in argument.items()})
    try:
        session.admin.create_namespace(name, properties)
    except NamespaceExists as error:
        raise ShellError(f"{error.remote_class}: Namespace {name} already exists") from None


def _legal(name: str) -> str:
    """The name; here HBase's client asks a server, and shows how that put it."""
    try:
        return legal_namespace(name)
    except ShellError as error:
        raise ShellError(
            f"java.io.IOException: {error}\nCaused by: java.lang.IllegalArgumentException: {error}"
        ) from None
