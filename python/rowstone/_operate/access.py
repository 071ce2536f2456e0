"""Rights of users, and labels of cells, where the cluster has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rowstone._operate.asking import Asking
from rowstone._operate.messages import Message, packed, table, table_text, text, unpacked
from rowstone.errors import InvalidArgument, RemoteError

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
    """Rights and labels; a cluster without them refuses all of it."""

    def security_capabilities(self) -> list[str]:
        """What of ``SIMPLE_AUTHENTICATION``, ``AUTHORIZATION``, ``CELL_VISIBILITY`` and the like is in force.

        Source: HBase's ``Admin.getSecurityCapabilities``.
        """
        return list(self._master("getSecurityCapabilities").get("capabilities", []))

    def grant(
        self,
        user: str,
        actions: str,
        *,
        namespace: str | None = None,
        table: str | None = None,
        family: str | bytes | None = None,
        qualifier: str | bytes | None = None,
    ) -> None:
        """Lets a user or a group (``"@group"``) do things; rights that he had there are replaced.

        Args:
            actions: Letters of ``RWXCA``: read, write, execute, create, administrate.

        Source: HBase's ``AccessControlClient.grant``. Raises `InvalidArgument`.
        """
        unknown = [letter for letter in actions if letter not in _ACTIONS]
        if unknown or not actions:
            raise InvalidArgument(f"actions {actions!r} are not letters of RWXCA")
        permission = _permission([_ACTIONS[letter] for letter in actions], namespace, table, family, qualifier)
        self._master("Grant", user_permission={"user": packed(user), "permission": permission})

    def revoke(
        self,
        user: str,
        *,
        namespace: str | None = None,
        table: str | None = None,
        family: str | bytes | None = None,
        qualifier: str | bytes | None = None,
    ) -> None:
        """Takes a user's rights away, there and not elsewhere. Source: HBase's ``AccessControlClient.revoke``."""
        permission = _permission([], namespace, table, family, qualifier)
        self._master("Revoke", user_permission={"user": packed(user), "permission": permission})

    def grants(self, *, namespace: str | None = None, table: str | None = None) -> list[Grant]:
        """Rights in a namespace, in a table, or everywhere. Source: HBase's ``Admin.getUserPermissions``."""
        request: dict[str, Any] = {"type": "Global"}
        if table is not None:
            request = {"type": "Table", "table_name": _table(table)}
        elif namespace is not None:
            request = {"type": "Namespace", "namespace": packed(namespace)}
        found = self._master("GetUserPermissions", **request).get("user_permission", [])
        return [_grant(text(one["user"]), one["permission"]) for one in found]

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


def _permission(
    actions: list[str],
    namespace: str | None,
    table: str | None,
    family: str | bytes | None,
    qualifier: str | bytes | None,
) -> Message:
    if table is not None:
        place: dict[str, Any] = {"table_name": _table(table), "action": actions}
        parts = {"family": family, "qualifier": qualifier}
        place.update({name: packed(value) for name, value in parts.items() if value is not None})
        return {"type": "Table", "table": place}
    if namespace is not None:
        return {"type": "Namespace", "namespace": {"namespace": packed(namespace), "action": actions}}
    return {"type": "Global", "global": {"action": actions}}


def _grant(user: str, permission: Message) -> Grant:
    if "table" in permission:
        found = permission["table"]
        family, qualifier = (unpacked(found[name]) if name in found else None for name in ("family", "qualifier"))
        name = table_text(found["table_name"]) if "table_name" in found else None
        namespace = None if name is None else name.rpartition(":")[0] or "default"
        return Grant(user, tuple(found.get("action", ())), namespace, name, family, qualifier)
    if "namespace" in permission:
        found = permission["namespace"]
        return Grant(user, tuple(found.get("action", ())), text(found.get("namespace", "")))
    return Grant(user, tuple(permission.get("global", {}).get("action", ())))


_table = table
