"""Visibility labels of cells, and the labels whose cells a user may read."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from typing import Any

from rowstone._base.options.checks import as_list
from rowstone.admin._area import Area, packed, text
from rowstone.errors import RemoteError


class Labels(Area):
    """Visibility labels: ``db.admin.labels``. Directories have none, and raise `UnsupportedOperation`.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     try:
        ...         db.admin.labels.add(["secret"])
        ...     except rs.errors.UnsupportedOperation:
        ...         print("no labels")
        no labels
    """

    def list(self, regex: str | None = None) -> builtins.list[str]:
        """Return all labels, or those that match. Source: HBase's ``VisibilityClient.listLabels``."""
        request = {} if regex is None else {"regex": regex}
        answer = self._call_service("VisibilityLabelsService", "listLabels", request, None)
        return [text(label) for label in answer.get("label", [])]

    def add(self, labels: Iterable[str]) -> None:
        """Create visibility labels. Source: HBase's ``VisibilityClient.addLabels``. Raises `RemoteError`."""
        self._change("addLabels", labels=[{"label": packed(label)} for label in as_list("labels", labels)])

    def auths(self, user: str) -> builtins.list[str]:
        """Return the labels whose cells a user may read. Source: HBase's ``VisibilityClient.getAuths``."""
        answer = self._call_service("VisibilityLabelsService", "getAuths", {"user": packed(user)}, None)
        return [text(label) for label in answer.get("auth", [])]

    def set_auths(self, user: str, labels: Iterable[str]) -> None:
        """Let a user read cells of these labels. Source: HBase's ``VisibilityClient.setAuths``."""
        self._change("setAuths", user=packed(user), auth=[packed(label) for label in as_list("labels", labels)])

    def clear_auths(self, user: str, labels: Iterable[str]) -> None:
        """Stop a user from reading cells of these labels. Source: HBase's ``VisibilityClient.clearAuths``."""
        self._change("clearAuths", user=packed(user), auth=[packed(label) for label in as_list("labels", labels)])

    def _change(self, method: str, **request: Any) -> None:
        answer = self._call_service("VisibilityLabelsService", method, request, None)
        failures = [one["exception"] for one in answer.get("result", []) if "exception" in one]
        if failures:
            raise RemoteError("".join(text(one.get("value", "")) for one in failures))
