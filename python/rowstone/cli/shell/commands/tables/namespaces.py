"""Commands of the group namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import legal_namespace, not_of_type, pattern_of, text_of
from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.access.quota_settings import print_quotas_of
from rowstone.cli.shell.commands.shared import print_names
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.output.descriptions import namespace_text
from rowstone.cli.shell.values import to_s
from rowstone.errors import ConstraintViolation, NamespaceExists, NamespaceNotEmpty

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


@command()
def alter_namespace(session: Session, namespace: Any, *arguments: Any) -> None:
    """Set or unset properties of a namespace. hbase.namespace.quota.maxtables and hbase.namespace.quota.maxregions
    limit its tables and regions.

      hbase> alter_namespace 'ns1', {METHOD => 'set', 'PROPERTY_NAME' => 'PROPERTY_VALUE'}
      hbase> alter_namespace 'ns1', {METHOD => 'unset', NAME => 'PROPERTY_NAME'}
    """
    name = text_of(namespace, "Namespace name must be of type String")
    session.admin.namespaces.describe(name)
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
    session.admin.namespaces.alter(name, set=changes, unset=unset)


@command()
def create_namespace(session: Session, namespace: Any, *arguments: Any) -> None:
    """Create a namespace, optionally with properties. hbase.namespace.quota.maxtables and
    hbase.namespace.quota.maxregions limit its tables and regions.

      hbase> create_namespace 'ns1'
      hbase> create_namespace 'ns1', {'PROPERTY_NAME' => 'PROPERTY_VALUE'}
    """
    name = _legal(text_of(namespace, "Namespace name must be of type String"))
    properties: dict[str, str] = {}
    for argument in arguments:
        if not isinstance(argument, dict):
            raise not_of_type(argument, "Hash or String")
        properties.update({to_s(key): to_s(value) for key, value in argument.items()})
    try:
        session.admin.namespaces.create(name, properties)
    except NamespaceExists as error:
        raise ShellError(f"{error.remote_class}: Namespace {name} already exists") from None


@command()
def describe_namespace(session: Session, namespace: Any) -> None:
    """Show the properties of a namespace.

    hbase> describe_namespace 'ns1'
    """
    name = to_s(namespace)
    properties = session.admin.namespaces.describe(name)
    session.formatter.header(["DESCRIPTION"])
    session.formatter.row([namespace_text(name, properties)])
    print_quotas_of(session, "NAMESPACE", name, gap=False)


@command()
def drop_namespace(session: Session, namespace: Any) -> None:
    """Drop a namespace. It must not contain tables.

    hbase> drop_namespace 'ns1'
    """
    name = to_s(namespace)
    try:
        session.admin.namespaces.drop(name)
    except NamespaceNotEmpty as error:
        count = len(session.admin.tables.list(name))
        raise ShellError(
            f"{error.remote_class}: Only empty namespaces can be removed. Namespace {name} has {count} tables"
        ) from None
    except ConstraintViolation as error:
        if session.is_cluster:
            raise
        raise ShellError(f"{error.remote_class}: Reserved namespace {name} cannot be removed.") from None


@command()
def list_namespace(session: Session, regex: Any = ".*") -> None:
    """List all namespaces, or those whose name contains a match of a regular expression.

    hbase> list_namespace
    hbase> list_namespace 'abc.*'
    """

    def list_names() -> list[str]:
        pattern = pattern_of(regex)
        return [name for name in session.admin.namespaces.list() if pattern.search(name)]

    print_names(session, "NAMESPACE", list_names)


@command()
def list_namespace_tables(session: Session, namespace: Any) -> list[str]:
    """List the tables of a namespace, without the namespace in their names.

    hbase> list_namespace_tables 'ns1'
    """

    def list_names() -> list[str]:
        name = to_s(namespace)
        system = ["meta"] if name == "hbase" and not session.is_cluster else []
        return system + [table.rpartition(":")[2] for table in session.admin.tables.list(name)]

    return print_names(session, "TABLE", list_names)


def _legal(name: str) -> str:
    """Validate the name. HBase's client asks a server, and shows the server's wording."""
    try:
        return legal_namespace(name)
    except ShellError as error:
        raise ShellError(
            f"java.io.IOException: {error}\nCaused by: java.lang.IllegalArgumentException: {error}"
        ) from None
