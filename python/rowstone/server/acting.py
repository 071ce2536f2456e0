"""Effective user of a gateway request: the authenticated user, or another one that it may act for (Hadoop's ``doAs``);
and the database as that user sees it.

Source: HBase's ``ProxyUserAuthenticationFilter`` and ``ThriftHttpServlet``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone._core.database import Database

MayActFor = Callable[[str, str, str], bool]
"""Whether an authenticated user may act for another, given both names and the client's address."""


_MOST_NAME_BYTES = 256


def is_user_name(name: str) -> bool:
    """Whether a user may have that name. In permissions and logs ``@`` followed by a name is a group.

    >>> is_user_name("ada"), is_user_name("@admins"), is_user_name("ada\\nroot")
    (True, False, False)
    """
    return (
        name.isprintable() and not name.startswith("@") and 0 < len(name.encode(errors="replace")) <= _MOST_NAME_BYTES
    )


def acting_user(user: str | None, wanted: str | None, address: str, may_act_for: MayActFor | None) -> str | None:
    """Return the effective user of the request; None if the authenticated user may not act for ``wanted``.

    Args:
        user: The authenticated user, or None without authentication: then acting for others is refused.
        wanted: The value of ``doAs``, or None.
    """
    if wanted is None or wanted == user:
        return user
    if user is None or may_act_for is None or not is_user_name(wanted):
        return None
    return wanted if may_act_for(user, wanted, address) else None


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
