"""Commands of the group configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.servers.groups import group_named

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


@command(directory="one server")
def update_all_config(session: Session) -> None:
    """Reload the configuration of all servers. A directory reads its settings when it is opened.

    hbase> update_all_config
    """
    if session.is_cluster:
        state = session.state()
        for server in [*session.servers(), state.master, *state.backup_masters]:
            session.admin.servers.update_configuration(server)


@command(directory="one server")
def update_config(session: Session, server: Any) -> None:
    """Reload the configuration of a server. A directory reads its settings when it is opened.

    hbase> update_config 'servername'
    """
    name = session.asked_server(server)
    if session.is_cluster:
        session.admin.servers.update_configuration(name)


@command(directory="cluster only")
def update_rsgroup_config(session: Session, group: Any) -> None:
    """Reload the configuration of all servers in a group.

    hbase> update_rsgroup_config 'groupName'
    """
    servers = group_named(session, group).servers
    for server in session.servers():
        if ":".join(server.split(",")[:2]) in servers:
            session.admin.servers.update_configuration(server)
