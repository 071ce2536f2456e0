"""A database as each user of a gateway may use it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone._core.database import Database

GroupsOf = Callable[[str], Iterable[str]]
"""Tells the groups of a user whom a gateway has let in; none are those of the configuration and of this machine."""


def view_of(database: Database, user: str | None, groups_of: GroupsOf | None = None) -> Database:
    """The database as ``user`` may use it; where the gateway knows no users, as whoever serves it may.

    Groups count as they do for clients of HBase's RPC: rights are those of groups too, and superusers may be a group.
    """
    if user is None:
        return database
    return database.as_user(user, () if groups_of is None else groups_of(user))
