"""Region server groups. A directory has none, and a cluster may not have them enabled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.values import to_s

if TYPE_CHECKING:
    from rowstone import ServerGroup
    from rowstone.admin import Groups
    from rowstone.cli.shell.session import Session


def no_groups(session: Session) -> ShellError:
    """The error of a master without server groups."""
    return ShellError(
        "org.apache.hadoop.hbase.exceptions.UnknownProtocolException: No registered Master Coprocessor Endpoint found"
        " for RSGroupAdminService. Has it been enabled?"
    )


def groups_admin(session: Session) -> Groups:
    """The server groups of a database. Raises if it has no server groups."""
    if not session.is_cluster:
        raise no_groups(session)
    return session.admin.groups


def group_named(session: Session, name: Any) -> ServerGroup:
    """Look up a group by name. Raises `ArgumentMistake`."""
    found = groups_admin(session).get(to_s(name))
    if found is None:
        raise ArgumentMistake(f"Group does not exist: {to_s(name)}")
    return found


def texts(values: Any) -> list[str]:
    """The strings of an array."""
    return [to_s(value) for value in (values if isinstance(values, list) else [values])]


def tables_of(session: Session, namespaces: Any) -> list[str]:
    """The tables of namespaces. Raises `ArgumentMistake` if a namespace does not exist."""
    groups_admin(session)
    known = session.admin.namespaces.list()
    for name in texts(namespaces):
        if name not in known:
            raise ArgumentMistake(f"Can't find a namespace: {name}")
    return [table for name in texts(namespaces) for table in session.admin.tables.list(name)]
