"""``alter_namespace``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import not_of_type, text_of
from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

ON_DIRECTORY = "done"
ON_CLUSTER = "done"

HELP = """\
Sets or takes away properties of a namespace. hbase.namespace.quota.maxtables and hbase.namespace.quota.maxregions limit
what is in it.

  hbase> alter_namespace 'ns1', {METHOD => 'set', 'PROPERTY_NAME' => 'PROPERTY_VALUE'}
  hbase> alter_namespace 'ns1', {METHOD => 'unset', NAME => 'PROPERTY_NAME'}
"""


def command(session: Session, namespace: Any, *arguments: Any) -> None:
    name = text_of(namespace, "Namespace name must be of type String")
    session.admin.describe_namespace(name)
    changes: dict[str, str] = {}
    unset: list[str] = []
    for argument in arguments:
        if not isinstance(argument, dict):
            raise not_of_type(argument, "Hash")
        method = argument.get("METHOD")
        if method == "unset":
            unset.append(to_s(argument.get("NAME")))
        elif method == "set":
            changes.update({to_s(key): to_s(value) for key, value in argument.items() if key != "METHOD"})
        else:
            raise ArgumentMistake(f"Unknown method {to_s(method)}")
    session.admin.alter_namespace(name, set=changes, unset=unset)
