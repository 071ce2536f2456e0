"""Who may come by a gateway, and in which groups they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rowstone.security._users import Users


@dataclass(frozen=True)
class GatewayUsers:
    """The users of a server's gateways."""

    authenticate: Callable[[Any], str | None]
    """The name of the user whose credentials a request brings; None for one who is not let in."""
    groups_of: Callable[[str], Iterable[str]]
    """The groups of such a user, as clients of HBase's RPC have them."""


NOBODY = GatewayUsers(lambda _: None, lambda _: ())
"""Where there is no users file, a gateway has nothing to know anybody by."""


def gateway_users(users: Users | None) -> GatewayUsers:
    """Those of a users file."""
    return NOBODY if users is None else GatewayUsers(users.authenticate, users.member_of)
