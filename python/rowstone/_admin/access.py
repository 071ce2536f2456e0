"""Rights of users, and labels of cells, where the cluster has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rowstone._admin.asking import Asking
from rowstone._admin.messages import packed, text
from rowstone._base.schema import as_bytes
from rowstone.errors import InvalidArgument, RemoteError, UnsupportedOperation

_ACTIONS = {"R": "READ", "W": "WRITE", "X": "EXEC", "C": "CREATE", "A": "ADMIN"}


@dataclass(frozen=True)
class Grant:
    """What a user may do: ``actions`` of ``READ``, ``WRITE``, ``EXEC``, ``CREATE``, ``ADMIN``.

    Everywhere, in a namespace, or in a table: in all of it, in a family, in a column.
    """

    user: str
    actions: tuple[str, ...]
    namespace: str | None = None
    table: str | None = None
    family: bytes | None = None
    qualifier: bytes | None = None


class Access(Asking):
    """Rights and labels: a cluster without them refuses all of it, as does a directory, which has no labels.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:", configuration={"hbase.security.authorization": True}) as db:
        ...     _ = db.create_table("t", ["f", "g"])
        ...     db.admin.grant("ann", "R", table="t", family="f")
        ...     ann = db.as_user("ann")
        ...     print(ann.admin.has_permission("R", table="t", family="f"), ann.admin.has_permission("R", table="t"))
        True False
    """

    def security_capabilities(self) -> list[str]:
        """What of ``SIMPLE_AUTHENTICATION``, ``AUTHORIZATION``, ``CELL_VISIBILITY`` and the like is in force.

        Source: HBase's ``Admin.getSecurityCapabilities``.
        """
        if self._cluster.has_authorization():
            return ["SIMPLE_AUTHENTICATION", "AUTHORIZATION"]
        try:
            return list(self._master("getSecurityCapabilities").get("capabilities", []))
        except UnsupportedOperation:
            return ["SIMPLE_AUTHENTICATION"]

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
        """Lets a user or a group (``"@group"``) do things: everywhere, in a namespace, or in a table or part of it.

        Args:
            actions: Letters of ``RWXCA``: read, write, execute, create, administrate.
            merge: Rights that he has in that place stay; else these are in their place.

        Needs the right to administrate the place. Source: HBase's ``AccessControlClient.grant``.

        Raises:
            InvalidArgument: The letters are others, or there are none; a qualifier without family. AccessDenied.
            UnsupportedOperation: A directory without ``hbase.security.authorization``. Nothing was changed.
        """
        if not actions:
            raise InvalidArgument(f"rights of user {user!r} are letters of RWXCA, and one at least")
        self._cluster.grant(user, actions, _place(namespace, table, family, qualifier), merge)

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
        """Takes a user's rights away, in that place and not elsewhere: all, or those of ``actions``.

        Needs the right to administrate the place. Source: HBase's ``AccessControlClient.revoke``. Raises as `grant`.
        """
        self._cluster.revoke(user, actions, _place(namespace, table, family, qualifier))

    def grants(
        self,
        *,
        namespace: str | None = None,
        table: str | None = None,
        family: str | bytes | None = None,
        qualifier: str | bytes | None = None,
        user: str | None = None,
    ) -> list[Grant]:
        """The rights in a namespace, in a table or a part of it, or everywhere; of all, or of one user and his groups.

        Superusers are among those that hold everywhere. Needs the right to administrate the place. Source: HBase's
        ``Admin.getUserPermissions``. Raises `AccessDenied`, and as `grant`.
        """
        found = self._cluster.grants(_place(namespace, table, family, qualifier), user)
        return [Grant(one[0], tuple(_ACTIONS[letter] for letter in one[1]), *one[2:]) for one in found]

    def user_permissions(self, table: str | None = None, *, user: str | None = None) -> list[Grant]:
        """The rights in ``table``, in a namespace (``"@namespace"``), or everywhere, as HBase's shell asks for them."""
        if table is not None and table.startswith("@"):
            return self.grants(namespace=table[1:], user=user)
        return self.grants(table=table, user=user)

    def has_permission(
        self,
        actions: str,
        *,
        user: str | None = None,
        namespace: str | None = None,
        table: str | None = None,
        family: str | bytes | None = None,
        qualifier: str | bytes | None = None,
    ) -> bool:
        """Whether a user, or who asks, has all rights of ``actions`` in a place, or in what contains it.

        About others only who administrates the place may ask. Source: HBase's ``Admin.hasUserPermissions``. Raises
        `AccessDenied`, and as `grant`.
        """
        return self._cluster.has_rights(user, actions, _place(namespace, table, family, qualifier))

    def who_am_i(self) -> str:
        """The user for whom the cluster makes our calls. Source: HBase's ``AuthenticationService``.

        Raises `RemoteError` on a cluster of Apache HBase that has not loaded that service (``TokenProvider``).
        """
        return str(self._asked("AuthenticationService", "WhoAmI", {}, None)["username"])

    def add_labels(self, labels: Iterable[str]) -> None:
        """Makes labels for cells. Source: HBase's ``VisibilityClient.addLabels``. Raises `RemoteError`."""
        self._labels("addLabels", labels=[{"label": packed(label)} for label in labels])

    def labels(self, regex: str | None = None) -> list[str]:
        """All labels, or those that match. Source: HBase's ``VisibilityClient.listLabels``."""
        request = {} if regex is None else {"regex": regex}
        answer = self._asked("VisibilityLabelsService", "listLabels", request, None)
        return [text(label) for label in answer.get("label", [])]

    def auths(self, user: str) -> list[str]:
        """The labels whose cells a user may see. Source: HBase's ``VisibilityClient.getAuths``."""
        answer = self._asked("VisibilityLabelsService", "getAuths", {"user": packed(user)}, None)
        return [text(label) for label in answer.get("auth", [])]

    def set_auths(self, user: str, labels: Iterable[str]) -> None:
        """Lets a user see cells of these labels. Source: HBase's ``VisibilityClient.setAuths``."""
        self._labels("setAuths", user=packed(user), auth=[packed(label) for label in labels])

    def clear_auths(self, user: str, labels: Iterable[str]) -> None:
        """Lets a user see cells of these labels no more. Source: HBase's ``VisibilityClient.clearAuths``."""
        self._labels("clearAuths", user=packed(user), auth=[packed(label) for label in labels])

    def _labels(self, method: str, **request: Any) -> None:
        answer = self._asked("VisibilityLabelsService", method, request, None)
        failures = [one["exception"] for one in answer.get("result", []) if "exception" in one]
        if failures:
            raise RemoteError("".join(text(one.get("value", "")) for one in failures))


def _place(
    namespace: str | None, table: str | None, family: str | bytes | None, qualifier: str | bytes | None
) -> tuple[str | None, str | None, bytes | None, bytes | None]:
    in_family = None if family is None else as_bytes(family)
    return namespace, table, in_family, None if qualifier is None else as_bytes(qualifier)
