"""Permissions of users and groups."""

from __future__ import annotations

import builtins
from dataclasses import dataclass

from rowstone._base.schema import as_bytes
from rowstone.admin._area import Area
from rowstone.errors import InvalidArgument, UnsupportedOperation

_ACTIONS = {"R": "READ", "W": "WRITE", "X": "EXEC", "C": "CREATE", "A": "ADMIN"}


@dataclass(frozen=True)
class Grant:
    """A permission of a user: ``actions`` are some of ``READ``, ``WRITE``, ``EXEC``, ``CREATE``, ``ADMIN``.

    Its scope is everything, a namespace, or a table; in a table optionally one family or one column.
    """

    user: str
    actions: tuple[str, ...]
    namespace: str | None = None
    table: str | None = None
    family: bytes | None = None
    qualifier: bytes | None = None


class Permissions(Area):
    """Permissions: ``db.admin.permissions``. Clusters without access control refuse these calls.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:", configuration={"hbase.security.authorization": True}) as db:
        ...     _ = db.create_table("t", ["f", "g"])
        ...     db.admin.permissions.grant("ann", "R", table="t", family="f")
        ...     ann = db.as_user("ann").admin.permissions
        ...     print(ann.has("R", table="t", family="f"), ann.has("R", table="t"))
        True False
    """

    def list(
        self,
        *,
        namespace: str | None = None,
        table: str | None = None,
        family: str | bytes | None = None,
        qualifier: str | bytes | None = None,
        user: str | None = None,
    ) -> builtins.list[Grant]:
        """Return the permissions in a namespace, on a table or a part of it, or globally; optionally of one user only.

        The permissions of a user include those of the user's groups. Superusers are listed with the global permissions.
        Needs the ADMIN permission in the scope. Source: HBase's ``Admin.getUserPermissions``. Raises `AccessDenied`,
        and as `grant`.
        """
        found = self._cluster.grants(_scope(namespace, table, family, qualifier), user)
        return [Grant(one[0], tuple(_ACTIONS[letter] for letter in one[1]), *one[2:]) for one in found]

    def grant(
        self,
        user: str,
        actions: str,
        *,
        namespace: str | None = None,
        table: str | None = None,
        family: str | bytes | None = None,
        qualifier: str | bytes | None = None,
        merge: bool = False,
    ) -> None:
        """Grant permissions to a user or a group (``"@group"``): globally, in a namespace, or on a table or part of it.

        Args:
            actions: Letters of ``RWXCA``: read, write, execute, create, administer.
            merge: Add to the user's permissions in this scope; otherwise replace them.

        Needs the ADMIN permission in the scope. Source: HBase's ``AccessControlClient.grant``.

        Raises:
            InvalidArgument: A letter is unknown, there is none, or a qualifier has no family.
            AccessDenied.
            UnsupportedOperation: A directory without ``hbase.security.authorization``. Nothing was changed.
        """
        if not actions:
            raise InvalidArgument(f"permissions of user {user!r} must be one or more of the letters RWXCA")
        self._cluster.grant(user, actions, _scope(namespace, table, family, qualifier), merge)

    def revoke(
        self,
        user: str,
        actions: str = "",
        *,
        namespace: str | None = None,
        table: str | None = None,
        family: str | bytes | None = None,
        qualifier: str | bytes | None = None,
    ) -> None:
        """Revoke a user's permissions in exactly this scope: all of them, or those of ``actions``.

        Needs the ADMIN permission in the scope. Source: HBase's ``AccessControlClient.revoke``. Raises as `grant`.
        """
        self._cluster.revoke(user, actions, _scope(namespace, table, family, qualifier))

    def has(
        self,
        actions: str,
        *,
        user: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        family: str | bytes | None = None,
        qualifier: str | bytes | None = None,
    ) -> bool:
        """Whether a user, by default the caller, has all permissions of ``actions`` in a scope or in one around it.

        Asking about other users needs the ADMIN permission in the scope. Source: HBase's ``Admin.hasUserPermissions``.
        Raises `AccessDenied`, and as `grant`.
        """
        return self._cluster.has_permissions(user, actions, _scope(namespace, table, family, qualifier))

    def who_am_i(self) -> str:
        """Return the user as whom the cluster executes this client's calls. Source: HBase's ``AuthenticationService``.

        Raises `RemoteError` on an Apache HBase cluster that has not loaded that service (``TokenProvider``).
        """
        return str(self._call_service("AuthenticationService", "WhoAmI", {}, None)["username"])

    def capabilities(self) -> builtins.list[str]:
        """Return the security features that are enabled, such as ``AUTHORIZATION`` or ``CELL_VISIBILITY``.

        Source: HBase's ``Admin.getSecurityCapabilities``.
        """
        if self._cluster.has_authorization():
            return ["SIMPLE_AUTHENTICATION", "AUTHORIZATION", "CELL_AUTHORIZATION"]
        try:
            return list(self._master("getSecurityCapabilities").get("capabilities", []))
        except UnsupportedOperation:
            return ["SIMPLE_AUTHENTICATION"]


def _scope(
    namespace: str | None, table: str | None, family: str | bytes | None, qualifier: str | bytes | None
) -> tuple[str | None, str | None, bytes | None, bytes | None]:
    in_family = None if family is None else as_bytes(family)
    return namespace, table, in_family, None if qualifier is None else as_bytes(qualifier)
