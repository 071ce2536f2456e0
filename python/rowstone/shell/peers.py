"""Peers of replication: a directory has none, so every name of one is unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.errors import ShellError
from rowstone.shell.values import inspect, kind_of, to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session


def no_peer(session: Session, peer: Any, *, short: bool = False) -> ShellError:
    """What HBase says of a peer that is not there: its name, ``short`` without the class."""
    if session.is_cluster:
        return session.cluster_only("peers of replication")
    kind = "" if short else "org.apache.hadoop.hbase.ReplicationPeerNotFoundException: "
    return ShellError(f"{kind}{to_s(peer)}")


def check_tables(tables: Any) -> None:
    """Refuses what is no hash of tables and families."""
    if tables is not None and not isinstance(tables, dict):
        raise ShellError(f"undefined method `each' for {inspect(tables)}:{kind_of(tables)}", "NoMethodError")
