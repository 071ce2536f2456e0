"""The users of a gateway and their groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rowstone.server.security._users import Users


@dataclass(frozen=True)
class GatewayUsers:
    """The users of a server's gateways."""

    authenticate: Callable[[Any], str | None]
    """Returns the name of the user whose credentials a request carries; None refuses it."""
    groups_of: Callable[[str], Iterable[str]]
    """Returns the groups of such a user, the same as for clients of HBase's RPC."""


NOBODY = GatewayUsers(lambda _: None, lambda _: ())
"""Without a users file a gateway cannot authenticate anyone."""


def gateway_users(users: Users | None) -> GatewayUsers:
    """Gateway users from a users file."""
    return NOBODY if users is None else GatewayUsers(users.authenticate, users.member_of)
