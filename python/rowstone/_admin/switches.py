"""Switches of the master, and its chores run on demand."""

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
"""Methods that set and read a switch, by its name."""


class Switches(Asking):
    """Switches for the background work of the master or a directory."""

    def switch(self, name: str) -> bool:
        """Whether a switch is on, of a master or of a directory, whose ``rpc_throttle`` is off without quotas.

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
        """Set a switch, one of `switch` or ``exceed_throttle_quota``; return its previous state.

        In a directory all are on at first. As in HBase they keep their state when it is opened again, except
        ``catalog_janitor``, ``cleaner_chore`` and that of `set_compactions`, which are on again after a restart.
        ``exceed_throttle_quota`` is stored in ``hbase:quota``. While ``split``, ``merge`` or ``normalizer`` is off,
        requests for that work do nothing either.

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
        """Set or read a directory's switch; ``None`` if there is a master to ask."""
        try:
            return self._cluster.switch(name, on)
        except UnsupportedOperation:
            return None

    def balance_now(self, *, ignore_regions_in_transition: bool = False) -> bool:
        """Run the balancer, optionally despite regions in transition. Whether it ran. Source: ``Admin.balance``."""
        answer = self._master("Balance", ignore_regions_in_transition=ignore_regions_in_transition)
        return bool(answer["ran"])

    def normalize(
        self, tables: Iterable[str] | None = None, *, regex: str | None = None, namespace: str | None = None
    ) -> bool:
        """Have the master split and merge regions of unusual sizes; see `Admin.normalize`."""
        request: dict[str, Any] = {"table_names": [table(name) for name in tables or ()]}
        given = {"regex": regex, "namespace": namespace}
        request.update({name: value for name, value in given.items() if value is not None})
        return bool(self._master("Normalize", **request)["on"])

    def run_catalog_janitor(self) -> int:
        """Clean up ``hbase:meta``; return the number of entries removed. Source: ``Admin.runCatalogJanitor``."""
        return int(self._master("RunCatalogScan").get("cleaned", 0))

    def run_cleaner_chore(self) -> bool:
        """Remove unreferenced files and logs; return whether all was done. Source: ``Admin.runCleanerChore``."""
        return bool(self._master("RunCleanerChore")["on"])

    def run_hbck_chore(self) -> bool:
        """Check ``hbase:meta`` for inconsistencies; return whether that ran. Source: HBase's ``Hbck.runHbckChore``."""
        return bool(self._asked("HbckService", "RunHbckChore", {}, None)["on"])

    def is_in_maintenance_mode(self) -> bool:
        """Whether the master is in maintenance mode, for repairs only. Source: ``Admin.isMasterInMaintenanceMode``."""
        return bool(self._master("IsMasterInMaintenanceMode")["on"])


def _methods(name: str) -> tuple[str, str | None]:
    if name not in _SWITCHES:
        raise InvalidArgument(f"there is no switch {name!r}; there are: {', '.join(_SWITCHES)}")
    return _SWITCHES[name]
