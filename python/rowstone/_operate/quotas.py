"""Limits on requests and on space."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from rowstone._operate.asking import Asking
from rowstone._operate.messages import table, table_text


@dataclass(frozen=True)
class SpaceUse:
    """What a table uses of the bytes that it may use; ``policy`` is in force where it uses more, else None."""

    table: str
    usage_bytes: int
    limit_bytes: int
    policy: str | None


class Quotas(Asking):
    """Quotas belong to a user, a table, a namespace, a region server, or a user in one of them."""

    def set_throttle(
        self,
        kind: str | None,
        limit: int | None,
        unit: str = "SECONDS",
        *,
        user: str | None = None,
        table: str | None = None,
        namespace: str | None = None,
        server: str | None = None,
        scope: str = "MACHINE",
    ) -> None:
        """Limits requests; without a ``limit`` takes the limit away, without a ``kind`` every limit of the owner.

        Args:
            kind: ``REQUEST_NUMBER``, ``WRITE_SIZE``, ``READ_CAPACITY_UNIT`` and so on, HBase's ``ThrottleType``.
            unit: ``SECONDS``, ``MINUTES``, ``HOURS`` or ``DAYS``.
            scope: ``MACHINE``, for each server, or ``CLUSTER``.

        Source: HBase's ``Admin.setQuota``.
        """
        request = _owner(user, table, namespace, server)
        if kind is None:
            request["remove_all"] = True
        else:
            request["throttle"] = {"type": kind}
        if kind is not None and limit is not None:
            request["throttle"]["timed_quota"] = {"time_unit": unit, "soft_limit": limit, "scope": scope}
        self._master("SetQuota", **request)

    def set_space_limit(
        self,
        limit_bytes: int | None,
        policy: str | None = None,
        *,
        table: str | None = None,
        namespace: str | None = None,
    ) -> None:
        """Limits the space of a table or of all tables of a namespace; None takes the limit away.

        Args:
            policy: What happens beyond it: ``NO_INSERTS``, ``NO_WRITES``, ``NO_WRITES_COMPACTIONS``, ``DISABLE``.

        Source: HBase's ``Admin.setQuota``.
        """
        quota: dict[str, Any] = {"remove": True}
        if limit_bytes is not None:
            quota = {"soft_limit": limit_bytes, "policy": policy}
        self._master("SetQuota", **_owner(None, table, namespace, None), space_limit={"quota": quota})

    def set_global_bypass(self, user: str, bypass: bool) -> None:
        """Lets a user's requests pass limits that are not his own. Source: HBase's ``Admin.setQuota``."""
        self._master("SetQuota", user_name=user, bypass_globals=bypass)

    def space_sizes(self) -> dict[str, int]:
        """Bytes of each table as the master counts them for quotas. Source: ``Admin.getSpaceQuotaTableSizes``."""
        sizes = self._master("GetSpaceQuotaRegionSizes").get("sizes", [])
        return {table_text(one["table_name"]): one.get("size", 0) for one in sizes}

    def space_use_on(self, server: str) -> list[SpaceUse]:
        """What tables use, as a region server knows it. Source: ``Admin.getRegionServerSpaceQuotaSnapshots``."""
        found = self._server(server, "GetSpaceQuotaSnapshots").get("snapshots", [])
        return [_space_use(table_text(one["table_name"]), one.get("snapshot", {})) for one in found]

    def stored_quota(self, value: bytes) -> dict[str, Any]:
        """A quota as a cell of ``hbase:quota`` holds it. Source: HBase's ``QuotaTableUtil``."""
        quota: dict[str, Any] = json.loads(self._cluster.stored_message("Quotas", value))
        return quota

    def stored_space_use(self, table: str, value: bytes) -> SpaceUse:
        """What a table uses, as a cell of ``hbase:quota`` holds it. Source: HBase's ``QuotaTableUtil``."""
        return _space_use(table, json.loads(self._cluster.stored_message("SpaceSnapshot", value)))


def _space_use(table: str, message: dict[str, Any]) -> SpaceUse:
    status = message.get("status", {})
    policy = status.get("policy") if status.get("in_violation") else None
    return SpaceUse(table, message.get("usage", 0), message.get("limit", 0), policy)


def _owner(user: str | None, name: str | None, namespace: str | None, server: str | None) -> dict[str, Any]:
    given = {"user_name": user, "namespace": namespace, "region_server": server}
    owner: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if name is not None:
        owner["table_name"] = table(name)
    return owner
