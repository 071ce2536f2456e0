"""Identity of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone._core.database import Database


def cluster_id(database: Database) -> str:
    """The cluster's id, or the UUID stored in a directory."""
    own = database._native.id
    return database.admin.servers.status().cluster_id if own is None else own
