"""Switches of the master, and its chores run by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rowstone._admin.asking import Asking
from rowstone._admin.messages import table
from rowstone.errors import InvalidArgument, UnsupportedOperation

_SWITCHES: dict[str, tuple[str, str | None]] = {
    "balancer": ("", "IsBalancerEnabled"),
    "catalog_janitor": ("EnableCatalogJanitor", "IsCatalogJanitorEnabled"),
    "cleaner_chore": ("SetCleanerChoreRunning", "IsCleanerChoreEnabled"),
    "exceed_throttle_quota": ("SwitchExceedThrottleQuota", None),
    "merge": ("SetSplitOrMergeEnabled", "IsSplitOrMergeEnabled"),
    "normalizer": ("SetNormalizerRunning", "IsNormalizerEnabled"),
    "peer_modification": ("ReplicationPeerModificationSwitch", "IsReplicationPeerModificationEnabled"),
    "rpc_throttle": ("SwitchRpcThrottle", "IsRpcThrottleEnabled"),
    "snapshot_cleanup": ("SwitchSnapshotCleanup", "IsSnapshotCleanupEnabled"),
    "split": ("SetSplitOrMergeEnabled", "IsSplitOrMergeEnabled"),
}
"""By name: the methods that set and read a switch."""


class Switches(Asking):
    """What the master does by itself, or not."""

    def switch(self, name: str) -> bool:
        """Whether a switch is on: of the master, or of a directory, whose ``rpc_throttle`` is off without quotas.

        Args:
            name: ``balancer``, ``catalog_janitor``, ``cleaner_chore``, ``merge``, ``normalizer``,
                ``peer_modification``, ``rpc_throttle``, ``snapshot_cleanup`` or ``split``.

        Source: HBase's ``Admin.isBalancerEnabled`` and the like. Raises `InvalidArgument`.
        """
        method = _methods(name)[1]
        own = self._own_switch(name, None)
        if own is not None:
            return own
        if method is None:
            raise InvalidArgument(f"switch {name!r} can be set, but not read")
        request = {"kind": name.upper()} if name in ("split", "merge") else {}
        return bool(self._master(method, **request).get("on", False))

    def set_switch(self, name: str, on: bool) -> bool:
        """Sets a switch, one of `switch` or ``exceed_throttle_quota``; returns what held before.

        A directory's are all on at first, and stay as they were turned when it is opened again, as in HBase; but
        ``catalog_janitor``, ``cleaner_chore`` and that of `set_compactions` are on again after a restart, also as in
        HBase; whether quotas may be exceeded is kept in ``hbase:quota``. With ``split``, ``merge`` or ``normalizer``
        off it does none of it, asked for or not.

        Source: HBase's ``Admin.balancerSwitch`` and the like. Raises `InvalidArgument`.
        """
        method = _methods(name)[0]
        own = self._own_switch(name, on)
        if own is not None:
            return own
        if name == "balancer":
            return self._cluster.set_balancer(on)
        if name in ("split", "merge"):
            before = self._master(method, on=on, synchronous=False, kinds=[name.upper()]).get("before", [])
            return bool(before and before[0])
        return bool(self._master(method, on=on).get("on", False))

    def _own_switch(self, name: str, on: bool | None) -> bool | None:
        """Turns a directory's switch, or looks at it; ``None`` where there is a master to ask."""
        try:
            return self._cluster.switch(name, on)
        except UnsupportedOperation:
            return None

    def balance_now(self, *, ignore_regions_in_transition: bool = False) -> bool:
        """Runs the balancer, with regions under way too if so asked; whether it ran. Source: ``Admin.balance``."""
        answer = self._master("Balance", ignore_regions_in_transition=ignore_regions_in_transition)
        return bool(answer["ran"])

    def normalize(
        self, tables: Iterable[str] | None = None, *, regex: str | None = None, namespace: str | None = None
    ) -> bool:
        """Has the master split and merge regions of odd sizes; see `Admin.normalize`."""
        request: dict[str, Any] = {"table_names": [table(name) for name in tables or ()]}
        given = {"regex": regex, "namespace": namespace}
        request.update({name: value for name, value in given.items() if value is not None})
        return bool(self._master("Normalize", **request)["on"])

    def run_catalog_janitor(self) -> int:
        """Removes from ``hbase:meta`` what nobody needs; how many entries. Source: ``Admin.runCatalogJanitor``."""
        return int(self._master("RunCatalogScan").get("cleaned", 0))

    def run_cleaner_chore(self) -> bool:
        """Removes files and logs that nobody needs; whether all of it was done. Source: ``Admin.runCleanerChore``."""
        return bool(self._master("RunCleanerChore")["on"])

    def run_hbck_chore(self) -> bool:
        """Looks for what does not fit in ``hbase:meta``; whether it ran. Source: HBase's ``Hbck.runHbckChore``."""
        return bool(self._asked("HbckService", "RunHbckChore", {}, None)["on"])

    def is_in_maintenance_mode(self) -> bool:
        """Whether the master serves nobody but who repairs. Source: ``Admin.isMasterInMaintenanceMode``."""
        return bool(self._master("IsMasterInMaintenanceMode")["on"])


def _methods(name: str) -> tuple[str, str | None]:
    if name not in _SWITCHES:
        raise InvalidArgument(f"there is no switch {name!r}; there are: {', '.join(_SWITCHES)}")
    return _SWITCHES[name]
