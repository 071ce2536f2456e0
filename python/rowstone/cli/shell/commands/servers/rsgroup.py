"""Commands of the group rsgroup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import not_of_type, pattern_of, text_of
from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.servers.groups import group_named, groups_admin, tables_of, texts
from rowstone.cli.shell.errors import ArgumentMistake
from rowstone.cli.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

_SETTING = "hbase.rsgroup.name"


@command(directory="cluster only")
def add_rsgroup(session: Session, group: Any) -> None:
    """Add a group of region servers. A directory has no server groups.

    hbase> add_rsgroup 'my_group'
    """
    groups_admin(session).add(to_s(group))


@command(directory="cluster only")
def alter_rsgroup_config(session: Session, group: Any, settings: Any) -> None:
    """Set or unset configuration of a server group. A directory has no server groups.

    hbase> alter_rsgroup_config 'default', {METHOD => 'set', 'PROPERTY_NAME' => 'PROPERTY_VALUE'}
    hbase> alter_rsgroup_config 'default', {METHOD => 'unset', NAME => 'PROPERTY_NAME'}
    """
    name = text_of(group, "RSGroup name must be of type String")
    found = groups_admin(session).get(name)
    if found is None:
        raise ArgumentMistake("RSGroup does not exist")
    configuration = dict(found.configuration)
    for change in settings if isinstance(settings, list) else [settings]:
        if not isinstance(change, dict):
            raise not_of_type(change, "Hash")
        _apply(configuration, dict(change))
    session.admin.groups.set_configuration(name, configuration)


@command(directory="cluster only")
def balance_rsgroup(session: Session, group: Any) -> bool:
    """Balance the regions within a server group. A directory has no server groups.

    hbase> balance_rsgroup 'my_group'
    """
    ran = groups_admin(session).balance(to_s(group))
    session.formatter.line("Ran the balancer." if ran else "Couldn't run the balancer.")
    return ran


@command()
def get_namespace_rsgroup(session: Session, namespace: Any) -> None:
    """Show the server group of a namespace (hbase.rsgroup.name). A directory stores and shows the property.

    hbase> get_namespace_rsgroup 'ns1'
    """
    name = text_of(namespace, "Namespace name must be of type String")
    group = session.admin.namespaces.describe(name).get("hbase.rsgroup.name")
    if group is not None:
        session.formatter.row([group])
    session.formatter.footer(1)


@command(directory="cluster only")
def get_rsgroup(session: Session, group: Any) -> None:
    """Show the servers and tables of a server group. A directory has no server groups.

    hbase> get_rsgroup 'default'
    """
    found = group_named(session, group)
    for title, names in (("SERVERS", found.servers), ("TABLES", found.tables)):
        session.formatter.header([title])
        for name in names:
            session.formatter.row([name])
        session.formatter.footer(len(names))


@command(directory="cluster only")
def get_server_rsgroup(session: Session, server: Any) -> None:
    """Show the group of a server. A directory has no server groups.

    hbase> get_server_rsgroup 'server1:port1'
    """
    found = groups_admin(session).of_server(to_s(server))
    if found is None:
        raise ArgumentMistake(f"Server has no group: {to_s(server)}")
    session.formatter.row([found.name])
    session.formatter.footer(1)


@command()
def get_table_rsgroup(session: Session, table: Any) -> None:
    """Show the server group of a table, from its own setting hbase.rsgroup.name or its namespace's. A directory
    stores and shows the setting.

      hbase> get_table_rsgroup 'myTable'
    """
    name = session.table(table).name
    session.formatter.row([_on_cluster(session, name) if session.is_cluster else _in_directory(session, name)])
    session.formatter.footer(1)


@command(directory="cluster only")
def list_rsgroups(session: Session, regex: Any = ".*") -> None:
    """List the server groups with their servers and tables, optionally those whose name contains a match of a regular
    expression. A directory has no server groups.

      hbase> list_rsgroups
      hbase> list_rsgroups 'abc.*'
    """
    session.formatter.header(["NAME", "SERVER / TABLE"])
    groups = groups_admin(session)
    pattern = pattern_of(regex)
    found = [group for group in groups.list() if pattern.search(group.name)]
    for group in found:
        members = [*(f"server {name}" for name in group.servers), *(f"table {name}" for name in group.tables)]
        for place, member in enumerate(members or [""]):
            session.formatter.row([group.name if place == 0 else "", member])
    session.formatter.footer(len(found))


@command(directory="cluster only")
def move_namespaces_rsgroup(session: Session, group: Any, namespaces: Any) -> None:
    """Move the tables of namespaces to a server group. A directory has no server groups.

    hbase> move_namespaces_rsgroup 'dest', ['ns1', 'ns2']
    """
    groups_admin(session).move(to_s(group), tables=tables_of(session, namespaces))


@command(directory="cluster only")
def move_servers_namespaces_rsgroup(session: Session, group: Any, servers: Any, namespaces: Any) -> None:
    """Move servers and the tables of namespaces to a server group. A directory has no server groups.

    hbase> move_servers_namespaces_rsgroup 'dest', ['server1:port'], ['ns1']
    """
    tables = tables_of(session, namespaces)
    groups_admin(session).move(to_s(group), servers=texts(servers), tables=tables)


@command(directory="cluster only")
def move_servers_rsgroup(session: Session, group: Any, servers: Any) -> None:
    """Move servers to a server group. A directory has no server groups.

    hbase> move_servers_rsgroup 'dest', ['server1:port', 'server2:port']
    """
    groups_admin(session).move(to_s(group), servers=texts(servers))


@command(directory="cluster only")
def move_servers_tables_rsgroup(session: Session, group: Any, servers: Any, tables: Any) -> None:
    """Move servers and tables to a server group. A directory has no server groups.

    hbase> move_servers_tables_rsgroup 'dest', ['server1:port'], ['table1']
    """
    groups_admin(session).move(to_s(group), servers=texts(servers), tables=texts(tables))


@command(directory="cluster only")
def move_tables_rsgroup(session: Session, group: Any, tables: Any) -> None:
    """Move tables to a server group. A directory has no server groups.

    hbase> move_tables_rsgroup 'dest', ['table1', 'table2']
    """
    groups_admin(session).move(to_s(group), tables=texts(tables))


@command(directory="cluster only")
def remove_rsgroup(session: Session, group: Any) -> None:
    """Remove a server group. It must be empty. A directory has no server groups.

    hbase> remove_rsgroup 'my_group'
    """
    groups_admin(session).remove(to_s(group))


@command(directory="cluster only")
def remove_servers_rsgroup(session: Session, servers: Any) -> None:
    """Remove decommissioned servers from their groups. A directory has no server groups.

    hbase> remove_servers_rsgroup ['server1:port']
    """
    groups_admin(session).remove_servers(texts(servers))


@command(directory="cluster only")
def rename_rsgroup(session: Session, old: Any, new: Any) -> None:
    """Rename a server group. A directory has no server groups.

    hbase> rename_rsgroup 'test', 'test2'
    """
    groups_admin(session).rename(to_s(old), to_s(new))


@command(directory="cluster only")
def show_rsgroup_config(session: Session, group: Any) -> None:
    """Show the configuration of a server group. A directory has no server groups.

    hbase> show_rsgroup_config 'group'
    """
    session.formatter.header(["'KEY'", "'VALUE'"])
    settings = group_named(session, group).configuration
    for name, value in settings.items():
        session.formatter.row([name, value])
    session.formatter.footer(len(settings))


def _apply(configuration: dict[str, str], change: dict[Any, Any]) -> None:
    method = change.pop("METHOD", None)
    if method == "unset":
        configuration.pop(to_s(change.get("NAME")), None)
    elif method == "set":
        configuration.update({to_s(key): to_s(value) for key, value in change.items()})
    else:
        raise ArgumentMistake(f"Unknown method {to_s(method)}")


def _on_cluster(session: Session, table: str) -> str:
    found = session.admin.groups.of_table(table)
    if found is None:
        raise ArgumentMistake(f"Table has no group: {table}")
    return found.name


def _in_directory(session: Session, table: str) -> str:
    schema = session.admin.describe(table)
    own = schema.attributes.get(_SETTING) or schema.configuration.get(_SETTING)
    namespace = table.rpartition(":")[0] or "default"
    return own or session.admin.namespaces.describe(namespace).get(_SETTING, "default")
