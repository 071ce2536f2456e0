"""A database as seen by each user of a gateway."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone._core.database import Database

GroupsOf = Callable[[str], Iterable[str]]
"""Returns the groups of a user whom a gateway has authenticated; if empty, those from the configuration and the
operating system count."""


def view_of(database: Database, user: str | None, groups_of: GroupsOf | None = None) -> Database:
    """Return the database as seen by ``user``; without users in the gateway, as the serving process sees it.

    Groups count as they do for clients of HBase's RPC: permissions can be granted to groups, and a group can be a
    superuser.
    """
    if user is None:
        return database
    return database.as_user(user, () if groups_of is None else groups_of(user))
