"""Namespaces, the type of the gateway and the id of the cluster."""

from __future__ import annotations

from typing import Any

from rowstone.server.thrift._session import Session, cluster_id
from rowstone.server.thrift.two._structs import DOCUMENT


def create_namespace(session: Session, descriptor: Any) -> None:
    """Create a namespace."""
    session.database.admin.namespaces.create(descriptor.name, descriptor.configuration or {})


def modify_namespace(session: Session, descriptor: Any) -> None:
    """Replace all properties of a namespace."""
    admin = session.database.admin
    wanted = descriptor.configuration or {}
    present = admin.namespaces.describe(descriptor.name)
    admin.namespaces.alter(descriptor.name, set=wanted, unset=[name for name in present if name not in wanted])


def delete_namespace(session: Session, name: str) -> None:
    """Delete an empty namespace."""
    session.database.admin.namespaces.drop(name)


def get_namespace_descriptor(session: Session, name: str) -> Any:
    """The properties of a namespace."""
    return _described(session, name)


def list_namespace_descriptors(session: Session) -> Any:
    """All namespaces with their properties."""
    return [_described(session, name) for name in session.database.admin.namespaces.list()]


def list_namespaces(session: Session) -> list[str]:
    """The names of all namespaces."""
    return session.database.admin.namespaces.list()


def _described(session: Session, name: str) -> Any:
    return DOCUMENT.TNamespaceDescriptor(name, session.database.admin.namespaces.describe(name) or None)


def get_thrift_server_type(session: Session) -> int:
    """``TThriftServerType.TWO``"""
    return DOCUMENT.enums["TThriftServerType"]["TWO"]


def get_cluster_id(session: Session) -> str:
    """The cluster's id, or that of the directory."""
    return cluster_id(session.database)
