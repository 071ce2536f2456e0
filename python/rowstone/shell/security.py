"""What HBase says where nobody controls access or visibility, which is so in every directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowstone.shell.errors import ArgumentMistake, ShellError

if TYPE_CHECKING:
    from rowstone.shell.session import Session


def security_off(session: Session) -> ShellError:
    """The refusal of commands on rights."""
    if session.is_cluster:
        return session.cluster_only("rights of users")
    return ArgumentMistake("DISABLED: Security features are not available")


def labels_off(session: Session) -> ShellError:
    """The refusal of commands on labels."""
    if session.is_cluster:
        return session.cluster_only("labels of cells")
    return ArgumentMistake("DISABLED: Visibility labels feature is not available")
