"""Type of the gateway and id of the cluster."""

from rowstone.server.thrift._about import cluster_id
from rowstone.server.thrift._session import Session
from rowstone.server.thrift.one._structs import DOCUMENT


def get_thrift_server_type(session: Session) -> int:
    """``TThriftServerType.ONE``"""
    return DOCUMENT.enums["TThriftServerType"]["ONE"]


def get_cluster_id(session: Session) -> str:
    """The cluster's id, or that of the directory."""
    return cluster_id(session.database)
