"""Groups of region servers: a directory has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.shell.errors import ShellError

if TYPE_CHECKING:
    from rowstone.shell.session import Session


def no_groups(session: Session) -> ShellError:
    """What a master without groups answers."""
    if session.is_cluster:
        return session.cluster_only("groups of region servers")
    return ShellError(
        "org.apache.hadoop.hbase.exceptions.UnknownProtocolException: No registered Master Coprocessor Endpoint found"
        " for RSGroupAdminService"
    )
