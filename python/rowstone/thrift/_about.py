"""Which database it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone._core.database import Database


def cluster_id(database: Database) -> str:
    """The cluster's id, or the UUID that a directory keeps."""
    own = database._native.id
    return database.admin.cluster_status().cluster_id if own is None else own
